import type { Change } from '../../model/plan/plan.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import type { RunContext } from './run-context.ts';

/** The ids of what triggers a change: those that `had` recorded, so that one made anew since still triggers. */
export function triggerIdsOf(
  { store }: RunContext,
  { triggers = [] }: Change,
  had: ManagedResource | undefined,
): Pick<ManagedResource, 'triggerIds'> {
  const ids = triggers.flatMap((address) => {
    const id = had?.triggerIds?.[address] ?? store.state.resources.get(address)?.id;
    return id === undefined ? [] : [[address, id] as const];
  });
  return ids.length > 0 ? { triggerIds: Object.fromEntries(ids) } : {};
}
