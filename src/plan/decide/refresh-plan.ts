import type { Address } from '../../model/address.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { State } from '../../model/state/state.ts';
import { indexAccount } from '../account-index.ts';
import type { FollowedSent } from '../reconcile/follow-sent.ts';
import { listDrift, rememberDrift } from './outside-changes.ts';
import { readExpressions } from '../values/read-order.ts';
import { leaveStateUnarranged } from '../reconcile/rearrange-state.ts';

/**
 * A plan that changes nothing in the account, and records the live values in the state (`--refresh-only`). The record of a
 * resource that may only be hidden stays as it is.
 */
export function buildRefreshPlan(
  { live, state: given, underway, removed }: FollowedSent,
  desired: ReadonlyMap<Address, DesiredResource>,
  unshownIds: ReadonlySet<string>,
): { plan: Plan; known: State } {
  const rearranged = leaveStateUnarranged(given);
  const { state } = rearranged;
  const index = indexAccount(live, state, rearranged.forgotten);
  const { catalog } = live;
  const context = {
    index,
    catalog,
    rearranged,
    configured: desired,
    underway,
    removed,
    ...readExpressions(new Map(), () => undefined),
    decided: new Map(),
    changing: new Set<string>(),
    replaced: new Set<string>(),
    released: new Set<string>(),
    retiring: { isDestroy: false, blocks: new Map(), dropped: [] },
  };
  // A VM that is gone may have left its public IP: only the VM's entry says that this is managed.
  const drift = listDrift(state, context).filter(
    ({ address, id, after }) =>
      after !== null || (index.leftPublicIp(address) === undefined && !unshownIds.has(id)),
  );
  const gone = drift.filter(({ after }) => after === null).map(({ address }) => address);
  const plan: Plan = {
    mode: 'refresh',
    changes: [],
    tasks: [],
    findings: [],
    quotas: [],
    drift,
    gone,
  };
  return { plan, known: rememberDrift(state, drift) };
}
