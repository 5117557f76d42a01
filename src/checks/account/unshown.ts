import { listUnfoundTouchedByPlan, type UnshownResource } from '../../kinds/unfound.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { locateFinding } from '../../model/place-of.ts';
import type { PlanCheck } from '../check.ts';

const minuteMs = 60_000;

/**
 * Refuses a plan that takes as deleted what may only be hidden, and says when it counts as deleted. A refresh leaves it in the
 * state until then.
 */
export const checkUnshownResources: PlanCheck = ({ plan, state, desired, unshown = [] }) => {
  if (unshown.length === 0) return [];
  const isRefresh = plan.mode === 'refresh';
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const acted = listUnfoundTouchedByPlan(
    unshown.map(({ resource }) => resource),
    plan,
    state,
  );
  const ids = new Set(acted.map(({ id }) => id));
  const addresses = new Map([...state.resources.values()].map(({ id, address }) => [id, address]));
  return unshown.flatMap((one) => {
    const { kind, id } = one.resource;
    const address = addresses.get(id) ?? one.resource.address;
    // Nothing is created in the place of a resource that is forgotten or only refreshed.
    if (!isRefresh && (!ids.has(id) || changes.get(address)?.action === 'forget')) return [];
    const wanted = desired.get(address);
    return [
      {
        severity: isRefresh ? 'warning' : 'error',
        code: 'hidden-or-deleted',
        summary: `The service does not show the ${kindRegistry[kind].label}, which was created a short time ago`,
        detail: describeEvidence(one, isRefresh),
        hint: `Plan again then, or plan the rest now: --exclude '${address}'. If you deleted it: hostwright state rm '${address}'.`,
        address,
        ...(wanted && locateFinding(wanted)),
      },
    ];
  });
};

function describeEvidence(
  { resource, createdAt, goneAt, leftMs }: UnshownResource,
  isRefresh: boolean,
): string {
  const minutes = Math.ceil(leftMs / minuteMs);
  const kept = isRefresh ? ' It stays in the state until then.' : '';
  return `The operation records show that ${resource.id} was created at ${formatTime(createdAt)}, and no deletion: a list that lags may hide it. It counts as deleted from ${formatTime(goneAt)} on, in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.${kept}`;
}

function formatTime(at: number): string {
  return new Date(at).toISOString();
}
