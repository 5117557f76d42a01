import type { ServiceClient } from '../api/client.ts';
import { isBusy } from '../kinds/outcome.ts';
import { kinds } from '../kinds/registry.ts';
import type { LiveSnapshot } from '../model/account/live.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { LiveOperation } from '../model/account/operation.ts';

/** The newest operations of the projects in which something is locked that the plan changes; asks nothing where none is. */
export async function readLocks(
  client: ServiceClient,
  plan: Plan,
  live: LiveSnapshot,
): Promise<readonly LiveOperation[]> {
  const changing = new Set(
    plan.changes.filter(({ action }) => action !== 'no-op').map(({ id }) => id),
  );
  const projects = new Set(
    live.resources
      .filter((one) => kinds[one.kind].traits.lock && changing.has(one.id) && isBusy(one))
      .map(({ projectId }) => projectId),
  );
  const lists = await Promise.all([...projects].map((project) => client.listOperations(project)));
  return lists.flat();
}
