import type { ServiceClient } from '../../api/client.ts';
import { isRecorded, matchesCommand } from '../../kinds/operation-types.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import { commandNames, commandSubjects, type CommandName } from '../../model/account/command.ts';
import { InternalError } from '../../model/errors.ts';
import { evidence } from '../../model/state/evidence.ts';
import { groupBy } from '../../model/group-by.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { ManagedResource } from '../../model/state/state.ts';

/** The part of the client that reads operation records. */
export type RecordedService = Pick<ServiceClient, 'listOperations' | 'serviceTime'>;

/**
 * Of missing resources, those that the records say to be created within the time of evidence, and not to be deleted: lists
 * that lag do not show them yet. None where the service records nothing of a kind, or tells no time.
 * @throws ApiError
 */
export async function findJustCreated(
  client: RecordedService,
  missing: readonly ManagedResource[],
): Promise<readonly ManagedResource[]> {
  const now = client.serviceTime();
  if (now === undefined) return [];
  const recorded = missing.filter(({ kind }) => isRecorded(findCommand(kind, 'create')));
  const groups = [...groupBy(recorded, ({ projectId }) => projectId)];
  const found = groups.map(async ([projectId, group]) => {
    const operations = await client.listOperations(projectId);
    return group.filter(({ kind, id }) =>
      isJustCreated(
        kind,
        operations.filter(({ resourceId }) => resourceId === id),
        now,
      ),
    );
  });
  return (await Promise.all(found)).flat();
}

/**
 * Whether these records of one resource, newest first, show its create, lately, and none that may be its deletion. The oldest
 * is the create, by its type or where its type is not published.
 */
function isJustCreated(kind: KindName, records: readonly LiveOperation[], now: number): boolean {
  const oldest = records.at(-1);
  if (!oldest || oldest.createdAt === null) return false;
  const isCreate = matchesCommand(oldest, findCommand(kind, 'create')) !== 'no';
  const others = records.slice(0, -1);
  return (
    isCreate &&
    now - oldest.createdAt < evidence.mostLookMs &&
    others.every((one) => matchesCommand(one, findCommand(kind, 'delete')) === 'no')
  );
}

function findCommand(kind: KindName, effect: 'create' | 'delete'): CommandName {
  const found = commandNames.find(
    (name) => commandSubjects[name].kind === kind && commandSubjects[name].effect === effect,
  );
  if (!found) throw new InternalError(`no command to ${effect} a ${kind}`);
  return found;
}
