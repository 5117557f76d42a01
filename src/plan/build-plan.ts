// The planner: what is wanted, what is live and what we remember become a plan. Pure: the same in, the same out.
// It must never read a clock, ask the service, or decide anything while the plan is applied.
import { compareAddresses, type Address } from '../model/address.ts';
import type { LiveSnapshot } from '../model/live.ts';
import type { Plan, PlanMode } from '../model/plan.ts';
import { emptyGraph, kindNames, type DesiredGraph } from '../model/resource.ts';
import type { State } from '../model/state.ts';
import { indexAccount } from './account-index.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { orderTasks } from './order.ts';
import { measureQuotas } from './quota-use.ts';
import { breakSwaps } from './swaps.ts';

/** Everything that a plan is made of. */
export interface PlanInput {
  readonly mode: PlanMode;
  readonly desired: DesiredGraph;
  readonly live: LiveSnapshot;
  readonly state: State;
}

/**
 * Builds the plan, without findings: the checks add those.
 * @throws InternalError when the changes wait for one another in a circle
 */
export function buildPlan({ mode, desired, live, state }: PlanInput): Plan {
  const wanted = mode === 'destroy' ? emptyGraph : desired;
  const byAddress = new Map(wanted.resources.map((resource) => [resource.address, resource]));
  const index = indexAccount(live, state);
  const decided = new Map<Address, Decision>();
  const gone: Address[] = [];
  for (const address of addressesByKind(byAddress, state)) {
    const decision = decide(address, byAddress.get(address), {
      index,
      catalog: live.catalog,
      decided,
    });
    if (decision) decided.set(address, decision);
    else gone.push(address);
  }
  const decisions = breakSwaps(
    [...decided.values()].sort((a, b) => compareAddresses(a.change.address, b.change.address)),
  );
  const changes = decisions.map((decision) => decision.change);
  return {
    mode,
    changes,
    tasks: orderTasks(decisions, live.catalog, state),
    findings: [],
    quotas: measureQuotas(decisions, live),
    gone: gone.sort(compareAddresses),
  };
}

/** Every address of the configuration and the state, what is needed by others first. */
function addressesByKind(wanted: ReadonlyMap<Address, { kind: string }>, state: State): Address[] {
  const groups = new Map<string, Set<Address>>(kindNames.map((kind) => [kind, new Set()]));
  for (const [address, { kind }] of [...wanted, ...state.resources]) groups.get(kind)?.add(address);
  return [...groups.values()].flatMap((addresses) => [...addresses].sort(compareAddresses));
}
