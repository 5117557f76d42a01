import type { ServiceClient } from '../api/client.ts';
import { kinds } from '../kinds/registry.ts';
import { DiagnosticError } from '../model/errors.ts';
import type { LiveSnapshot } from '../model/live.ts';
import type { Clock } from '../model/runtime.ts';
import type { ManagedResource, State } from '../model/state.ts';

/** How often, and how far apart, what a plan did not find is asked for before it is believed to be gone. */
const looks = 3;
const lookEveryMs = 5_000;

/**
 * Makes sure that what the state has and a plan did not find is gone: a list may lag, and a single answer may be wrong. What is
 * wrongly taken as deleted would be created a second time, or be forgotten.
 * @throws DiagnosticError `changed-since-plan` when one of them is there after all; ApiError
 */
export async function confirmGone(
  client: Pick<ServiceClient, 'get'>,
  clock: Clock,
  state: Pick<State, 'resources'>,
  live: Pick<LiveSnapshot, 'projects' | 'resources'>,
): Promise<void> {
  const missing = listMissing(state, live);
  if (missing.length === 0) return;
  for (let look = 1; look <= looks; look += 1) {
    const found = await Promise.all(missing.map((one) => isThere(client, one)));
    const back = missing.filter((_one, index) => found[index]);
    if (back.length > 0) throw describeBack(back);
    if (look < looks) await clock.sleep(lookEveryMs);
  }
}

/** What was not found; of what lies in a project that was not found either, the project alone. */
function listMissing(
  { resources }: Pick<State, 'resources'>,
  live: Pick<LiveSnapshot, 'projects' | 'resources'>,
): readonly ManagedResource[] {
  const there = new Set([...live.projects, ...live.resources].map(({ id }) => id));
  const missing = [...resources.values()].filter(
    ({ id, kind }) => !there.has(id) && kinds[kind].isPermanent !== true && kind !== 'accessToken',
  );
  const projects = new Set(missing.flatMap(({ id, kind }) => (kind === 'project' ? [id] : [])));
  return missing.filter(({ kind, projectId }) => kind === 'project' || !projects.has(projectId));
}

async function isThere(
  client: Pick<ServiceClient, 'get'>,
  { kind, id, projectId, publicIpId }: ManagedResource,
): Promise<boolean> {
  return (await client.get(kind, { projectId, publicIpId }, id)) !== undefined;
}

function describeBack(back: readonly ManagedResource[]): DiagnosticError {
  const named = back.map(({ address, id }) => `${address} (${id})`).join(', ');
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'changed-since-plan',
      summary:
        back.length === 1
          ? 'A resource that the plan did not find is there after all'
          : `${back.length} resources that the plan did not find are there after all`,
      detail: `Affected: ${named}. The service did not show them when the plan was made. Nothing was changed.`,
      hint: 'Plan again, and read what the plan says now.',
    },
  ]);
}
