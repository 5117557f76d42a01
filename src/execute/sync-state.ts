import { isDeepStrictEqual } from 'node:util';
import { isOver, type PendingCreate, type State } from '../model/state.ts';
import type { StateStore } from '../state/store.ts';

/** Writes down what a plan starts from: what was recognised, adopted, moved or given up since the last run. */
export async function syncState(store: StateStore, known: State): Promise<void> {
  const writes: Promise<void>[] = [];
  for (const address of [...store.state.resources.keys()]) {
    if (!known.resources.has(address)) writes.push(store.record({ kind: 'removed', address }));
  }
  for (const [address, resource] of known.resources) {
    const had = store.state.resources.get(address);
    if (!isDeepStrictEqual(had, resource)) writes.push(store.record({ kind: 'bound', resource }));
  }
  await Promise.all(writes);
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
