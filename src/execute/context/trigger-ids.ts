import type { Change } from '../../model/plan/plan.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import type { RunContext } from './run-context.ts';

/** The ids of what triggers a change. What triggers it goes before it, so that one with another id still triggers. */
export function triggerIdsOf(
  { store }: RunContext,
  { triggers = [] }: Change,
): Pick<ManagedResource, 'triggerIds'> {
  const ids = triggers.flatMap((address) => {
    const id = store.state.resources.get(address)?.id;
    return id === undefined ? [] : [[address, id] as const];
  });
  return ids.length > 0 ? { triggerIds: Object.fromEntries(ids) } : {};
}
