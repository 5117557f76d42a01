import { isOver, type ManagedResource, type PendingCreate, type State } from '../model/state.ts';
import type { StateStore } from '../state/store.ts';
import { isSameInFile } from '../state/withhold.ts';

/**
 * Writes down what was recognised of an earlier run: it is ours whatever becomes of the plan, and may be renamed before
 * the next one looks for it by its name.
 */
export async function keepFound(
  store: StateStore,
  found: readonly ManagedResource[],
): Promise<void> {
  if (found.length === 0) return;
  await store.record({ kind: 'rearranged', removed: [], resources: found });
  await store.compact();
}

/** Writes down what a plan starts from: what was recognised, adopted, moved or given up since the last run. */
export async function syncState(store: StateStore, known: State): Promise<void> {
  const had = store.state.resources;
  const removed = [...had.keys()].filter((address) => !known.resources.has(address));
  const resources = [...known.resources]
    .filter(([address, resource]) => !isSameInFile(resource, had.get(address)))
    .map(([, resource]) => resource);
  if (removed.length + resources.length === 0) return;
  await store.record({ kind: 'rearranged', removed, resources });
}

/** Gives up the search for creates of earlier runs that have not shown, as far as they cannot show any more. */
export async function abandonMissing(
  store: StateStore,
  missing: readonly PendingCreate[],
  now: number,
): Promise<void> {
  for (const pending of missing) {
    if (!isOver(pending, now)) continue;
    const reason = 'it never showed up in the account';
    await store.record({ kind: 'abandoned', address: pending.address, reason });
  }
}
