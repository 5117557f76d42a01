import { rememberEntries } from '../../kinds/asked-entries.ts';
import { withoutRebuildBackup, withoutWayBack } from '../../kinds/carry-out.ts';
import { broughtIdOf } from '../../kinds/relations/brought.ts';
import { leavesAsItIs, type Plan } from '../../model/plan/plan.ts';
import type { Attributes } from '../../model/value.ts';
import { withShown } from '../../model/state/shown.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { isSameInFile } from '../../state/snapshot/redact-state.ts';
import { builtFromOf } from '../context/built-from.ts';
import { triggerIdsOf } from '../context/trigger-ids.ts';
import type { RunContext } from '../context/run-context.ts';

/** Brings the state up to what the plan found: fields that are configured now, resources that are gone. */
export async function refreshState(context: RunContext, plan: Plan): Promise<void> {
  const { store, planned } = context;
  const writes: Promise<void>[] = [];
  for (const address of plan.gone) writes.push(store.record({ kind: 'removed', address }));
  for (const change of plan.changes) {
    const { address, action, before, configured, isProtected, underway } = change;
    const { ignored = [], asRecorded = [], shown = {} } = change;
    const managed = store.state.resources.get(address);
    // A change under way is recorded at its end.
    if (!leavesAsItIs({ action }) || underway || !managed || !before) continue;
    if (change.retirement) continue;
    const live = planned.liveById.get(managed.id);
    const recorded = asRecorded.filter((name) => managed.untold?.includes(name));
    const untold = [...recorded, ...(change.untold ?? [])];
    // An ignored field keeps the values that were asked for and shown.
    const isIgnored = (name: string) => ignored.includes(name);
    const stillShown = [...Object.keys(shown), ...ignored, ...asRecorded];
    const allocated = broughtIdOf(managed, live);
    const found: { -readonly [K in keyof ManagedResource]: ManagedResource[K] } = {
      ...withoutRebuildBackup(managed.isNotReady ? managed : withoutWayBack(managed)),
      ...(allocated !== undefined && { allocatedPublicIpId: allocated }),
      ...(isProtected !== managed.isProtected && { isProtected: isProtected === true }),
      attributes: { ...before, ...pick(managed.attributes, ignored) },
      configured,
      untold,
      ...(live && rememberEntries(live, managed, isIgnored)),
      ...(live && builtFromOf(context, live, managed)),
      ...triggerIdsOf(context, change),
    };
    if (!change.triggers) delete found.triggerIds;
    // It has come back, and stays.
    delete found.retired;
    if (change.retireMs === undefined) delete found.retireMs;
    else found.retireMs = change.retireMs;
    if (untold.length === 0) delete found.untold;
    const resource = withShown(found, pick(managed.shown ?? {}, stillShown));
    if (isSameInFile(resource, managed)) continue;
    writes.push(store.record({ kind: 'settled', resource }));
  }
  await Promise.all(writes);
}

const pick = (values: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
