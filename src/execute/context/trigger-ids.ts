import type { Change } from '../../model/plan/plan.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import type { RunContext } from './run-context.ts';

/**
 * The ids of what triggers a change, so that one with another id still triggers in a run to come. What this run has yet to
 * replace is left out: it stands in what it triggers, or refers to it, and the next run records the id that it then has.
 */
export function readTriggerIds(
  { store, planned }: RunContext,
  { triggers = [] }: Change,
): Pick<ManagedResource, 'triggerIds'> {
  const ids = triggers.flatMap((address) => {
    const id = store.state.resources.get(address)?.id;
    const isToBeReplaced =
      planned.changes.get(address)?.action === 'replace' &&
      planned.addresses.get(id ?? '') === address;
    return id === undefined || isToBeReplaced ? [] : [[address, id] as const];
  });
  return ids.length > 0 ? { triggerIds: Object.fromEntries(ids) } : {};
}
