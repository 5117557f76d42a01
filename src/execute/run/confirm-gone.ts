import type { ServiceClient } from '../../api/client.ts';
import { kinds } from '../../kinds/registry.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { LiveSnapshot } from '../../model/account/live.ts';
import { groupBy } from '../../model/group-by.ts';
import { isProject } from '../../model/kind-places.ts';
import type { Clock } from '../../model/runtime.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import { findJustCreated, type RecordedService } from './find-just-created.ts';

/** How often, and how far apart, what a plan did not find is asked for before it is believed to be gone. */
const looks = 3;
const lookEveryMs = 5_000;
/** So many resources of a project that is gone are asked for. */
const mostWitnesses = 5;

type Service = Pick<ServiceClient, 'get'> & RecordedService;

/**
 * Makes sure that what the state has and a plan did not find is gone: a list may lag, and a single answer may be wrong. What is
 * wrongly taken as deleted would be created a second time, or be forgotten. What a record says to be just created, and none
 * to be deleted, is not gone: lists that lag do not show it yet.
 * @throws DiagnosticError `changed-since-plan` when one of them is there after all, or was just created; ApiError
 */
export async function confirmGone(
  client: Service,
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
  const hidden = await findJustCreated(client, missing);
  if (hidden.length > 0) throw describeHidden(hidden);
}

/**
 * What was not found. Of a project that was not found either, some of its resources: where one of them is there, the project
 * is, although a list that lags and a single answer agree on the contrary.
 */
function listMissing(
  { resources }: Pick<State, 'resources'>,
  live: Pick<LiveSnapshot, 'projects' | 'resources'>,
): readonly ManagedResource[] {
  const there = new Set([...live.projects, ...live.resources].map(({ id }) => id));
  const missing = [...resources.values()].filter(
    ({ id, kind }) => !there.has(id) && !kinds[kind].isPermanent && !kinds[kind].isListBelieved,
  );
  const projects = new Set(missing.flatMap(({ id, kind }) => (isProject(kind) ? [id] : [])));
  const isWithin = ({ kind, projectId }: ManagedResource) =>
    !isProject(kind) && projects.has(projectId);
  const witnesses = [...groupBy(missing.filter(isWithin), ({ projectId }) => projectId).values()];
  return [
    ...missing.filter((one) => !isWithin(one)),
    ...witnesses.flatMap((group) => group.slice(-mostWitnesses)),
  ];
}

async function isThere(
  client: Service,
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
          ? 'A resource that the plan did not find exists after all'
          : `${back.length} resources that the plan did not find exist after all`,
      detail: `Affected: ${named}. The service did not show them when the plan was made. Nothing was changed.`,
      hint: 'Plan again, and review the new plan.',
    },
  ]);
}

function describeHidden(hidden: readonly ManagedResource[]): DiagnosticError {
  const named = hidden.map(({ address, id }) => `${address} (${id})`).join(', ');
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'changed-since-plan',
      summary: `The service does not show ${hidden.length === 1 ? 'a resource that was' : `${hidden.length} resources that were`} just created`,
      detail: `Affected: ${named}. The operation records show the create and no deletion. Nothing was changed.`,
      hint: 'Plan again in a few minutes. If it is gone, remove it from the state: hostwright state rm ADDRESS.',
    },
  ]);
}
