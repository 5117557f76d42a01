import { rememberName } from '../../kinds/kept-name.ts';
import { broughtIdOf } from '../../kinds/relations/brought.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { isSameInFile } from '../../state/snapshot/redact-state.ts';
import { builtFromOf } from './built-from.ts';
import type { RunContext } from './run-context.ts';

/** Brings the state up to what the plan found: fields that are configured now, resources that are gone. */
export async function refreshState(context: RunContext, plan: Plan): Promise<void> {
  const { store, planned } = context;
  const writes: Promise<void>[] = [];
  for (const address of plan.gone) writes.push(store.record({ kind: 'removed', address }));
  for (const { address, action, before, configured, isProtected, underway } of plan.changes) {
    const managed = store.state.resources.get(address);
    // What is under way is remembered once it has come about.
    if (action !== 'no-op' || underway || !managed || !before) continue;
    const live = planned.liveById.get(managed.id);
    const allocated = broughtIdOf(managed, live);
    const found = {
      ...managed,
      ...(allocated !== undefined && { allocatedPublicIpId: allocated }),
      ...(isProtected !== managed.isProtected && { isProtected: isProtected === true }),
      attributes: before,
      configured,
      ...(live && builtFromOf(context, live, managed)),
    };
    const resource = live ? rememberName(found, live, before.name) : found;
    if (isSameInFile(resource, managed)) continue;
    writes.push(store.record({ kind: 'settled', resource }));
  }
  await Promise.all(writes);
}
