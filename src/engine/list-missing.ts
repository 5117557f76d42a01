import type { ServiceClient } from '../api/client.ts';
import { isNotFound } from '../api/errors/classify-error.ts';
import { commandSubjects } from '../model/account/command.ts';
import type { LiveResource, LiveSnapshot } from '../model/account/live.ts';
import { isProject } from '../model/kind-places.ts';
import { projectKind } from '../model/kind-table.ts';
import type { PendingCreate } from '../model/state/state.ts';
import { placeOfCommand } from '../model/account/place-of-command.ts';

/**
 * Resources in the lists in which missing creates would show, each list read once: a look at the whole account would cost a
 * request for every address in it. @throws ApiError
 */
export async function listMissingCreates(
  client: Pick<ServiceClient, 'list'>,
  missing: readonly PendingCreate[],
): Promise<readonly LiveResource[]> {
  const places = new Map(
    missing.map(({ command }) => {
      const { kind } = commandSubjects[command.kind];
      const place = placeOfCommand(command);
      return [JSON.stringify([kind, place]), { kind, place }];
    }),
  );
  const lists = await Promise.all(
    [...places.values()].map(async ({ kind, place }): Promise<readonly LiveResource[]> => {
      try {
        return await client.list(kind, place);
      } catch (error) {
        // The project of the list may be gone by now: the next look at the whole account says so.
        if (isNotFound(error)) return [];
        throw error;
      }
    }),
  );
  return lists.flat();
}

/** The account with newly listed resources, in place of their earlier records. */
export function addShownResources(
  live: LiveSnapshot,
  shown: readonly LiveResource[],
): LiveSnapshot {
  const ids = new Set(shown.map(({ id }) => id));
  const isOther = ({ id }: LiveResource) => !ids.has(id);
  const projects = shown.filter((one) => one.kind === projectKind);
  return {
    ...live,
    projects: [...live.projects.filter(isOther), ...projects],
    resources: [...live.resources.filter(isOther), ...shown.filter(({ kind }) => !isProject(kind))],
  };
}
