import { findUnmet } from '../checks/configured-checks.ts';
import type { OpenChecks } from '../execute/context/run-context.ts';
import { ReferenceAddressIndex, listReads } from '../expressions/deferred/deferred-reads.ts';
import { ProjectedScope } from '../expressions/deferred/projected-scope.ts';
import { isAtOrBelow, type Address } from '../model/address.ts';
import { projectFromState } from '../plan/deferred/project-state.ts';
import type { PlanWithSources } from './make-plan.ts';

/**
 * The checks of the configuration as they count during an apply. Those of the modules `ahead` are about what is yet to change
 * there.
 */
export function openChecks(
  { plan, order, live, known }: Pick<PlanWithSources, 'plan' | 'order' | 'live' | 'known'>,
  ahead: readonly Address[],
): OpenChecks {
  const { resources, emptyGroups, checks = [] } = order.desired;
  const counting = checks.filter(
    ({ prefix }) => !ahead.some((instance) => isAtOrBelow(prefix.slice(0, -1), instance)),
  );
  const book = new ReferenceAddressIndex(resources.map(({ address }) => address));
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const desired = new Map(resources.map((one) => [one.address, one]));
  return {
    reads: new Set(
      counting.flatMap(({ assert }) => listReads(assert, book).map(({ address }) => address)),
    ),
    findUnmet: (state) => {
      const list = () => projectFromState(resources, state, undefined, changes, live.catalog);
      const scope = new ProjectedScope(list, emptyGroups, order.steps);
      return findUnmet(counting, scope, { plan, live, state: known, desired });
    },
  };
}
