import type { ServiceClient } from '../../api/client.ts';
import { DiagnosticError } from '../../model/errors.ts';
import { groupBy } from '../../model/group-by.ts';
import { isProject } from '../../model/kind-places.ts';
import type { Clock } from '../../model/runtime.ts';
import type { ManagedResource } from '../../model/state/state.ts';

/** Number of looks for a resource that the plan did not find, and the time between two, before it is believed to be gone. */
const looks = 3;
const lookEveryMs = 5_000;
/** The most resources of a missing project that are read, to confirm that the project is gone. */
const mostWitnesses = 5;

/**
 * Makes sure that what a plan did not find, and acts on, is gone: a list may lag, and a single answer may be wrong. What is
 * wrongly taken as deleted would be created a second time, or be forgotten.
 * @throws DiagnosticError `changed-since-plan` when one of them is there after all; ApiError
 */
export async function confirmResourcesGone(
  client: Pick<ServiceClient, 'get'>,
  clock: Clock,
  unfound: readonly ManagedResource[],
): Promise<void> {
  const asked = chooseAsked(unfound);
  if (asked.length === 0) return;
  for (let look = 1; look <= looks; look += 1) {
    const found = await Promise.all(asked.map((one) => isThere(client, one)));
    const back = asked.filter((_one, index) => found[index]);
    if (back.length > 0) throw describeBack(back);
    if (look < looks) await clock.sleep(lookEveryMs);
  }
}

/**
 * Chooses the resources to look for. Of a missing project some resources are read, too: where one of them exists, the project
 * does, although a list that lags and a single answer agree on the contrary.
 */
function chooseAsked(unfound: readonly ManagedResource[]): readonly ManagedResource[] {
  const projects = new Set(unfound.flatMap(({ id, kind }) => (isProject(kind) ? [id] : [])));
  const isWithin = ({ kind, projectId }: ManagedResource) =>
    !isProject(kind) && projects.has(projectId);
  const witnesses = [...groupBy(unfound.filter(isWithin), ({ projectId }) => projectId).values()];
  return [
    ...unfound.filter((one) => !isWithin(one)),
    ...witnesses.flatMap((group) => group.slice(-mostWitnesses)),
  ];
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
          ? 'A resource that the plan did not find exists after all'
          : `${back.length} resources that the plan did not find exist after all`,
      detail: `Affected: ${named}. The service did not show them when the plan was made. Nothing was changed.`,
      hint: 'Plan again, and review the new plan.',
    },
  ]);
}
