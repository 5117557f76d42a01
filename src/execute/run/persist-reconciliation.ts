import {
  isCreateLookupOver,
  isCreateUselessWithoutAnswer,
  isCreateStillWatched,
  watchCreateForDuplicate,
  type ManagedResource,
  type PendingCreate,
  type State,
} from '../../model/state/state.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { ResentCreate } from '../context/run-context.ts';
import type { StateStore } from '../../state/store.ts';
import { isResourceSameInFile } from '../../state/snapshot/redact-state.ts';

/** Resources that are recognised as results of creates of earlier runs. */
interface Recognised {
  readonly found: readonly ManagedResource[];
  /** By address: the ids of all that may be the result of a create. */
  readonly sighted: ReadonlyMap<ResourceAddress, readonly string[]>;
}

/**
 * Writes down what was recognised of an earlier run: it is managed whatever becomes of the plan, and may be renamed before
 * the next one looks for it by its name. Then what may be the result of a create that is still open, since a later run's
 * lists may lag and not show it.
 */
export async function recordRecognisedResources(
  store: StateStore,
  { found, sighted }: Recognised,
  now: number,
  serviceNow: number | undefined,
): Promise<void> {
  for (const { address } of found) {
    const pending = store.state.pending.get(address);
    if (!pending || isCreateUselessWithoutAnswer(pending) || pending.acceptedAt !== undefined)
      continue;
    // The answer to the create was lost: a second resource that it made may still show up beside the recognised one.
    const double = watchCreateForDuplicate(pending, { now, serviceNow, isSentOnce: true });
    await store.record({ kind: 'possibleDouble', double });
  }
  if (found.length > 0) await store.record({ kind: 'rearranged', removed: [], resources: found });
  const news = [...sighted].filter(([address, ids]) => {
    const pending = store.state.pending.get(address);
    return pending && ids.some((id) => !pending.sightedIds?.includes(id));
  });
  for (const [address, ids] of news) await store.record({ kind: 'sighted', address, ids });
  if (found.length + news.length > 0) await store.compact();
}

/** Writes down what a plan starts from: what was recognised, adopted, moved or given up since the last run. */
export async function persistReconciliation(store: StateStore, known: State): Promise<void> {
  const had = store.state.resources;
  const sent = [...(store.state.sent?.keys() ?? [])];
  const removed = [...had.keys()].filter((address) => !known.resources.has(address));
  const resources = [...known.resources]
    .filter(([address, resource]) => !isResourceSameInFile(resource, had.get(address)))
    .map(([, resource]) => resource);
  if (removed.length + resources.length > 0) {
    await store.record({ kind: 'rearranged', removed, resources });
  }
  // A command that is no longer under way is over, and its changes are recorded by now.
  for (const id of sent.filter((one) => !known.sent?.has(one))) {
    await store.record({ kind: 'ended', id });
  }
}

/**
 * Removes from the state the creates that were watched for a second resource, once their time is over and a plan has found none.
 */
export async function dropExpiredDuplicateWatches(
  store: StateStore,
  now: number,
  serviceNow: number | undefined,
): Promise<void> {
  for (const double of store.state.possibleDoubles ?? []) {
    if (isCreateStillWatched(double, now, serviceNow)) continue;
    const { address, command } = double;
    await store.record({ kind: 'doubleSettled', address, command });
  }
}

/** A create of an earlier run that nothing shows after the whole time of evidence. */
interface Absent {
  readonly pending: PendingCreate;
  readonly isSupported: boolean;
}

/**
 * Gives up creates of earlier runs that nothing shows, so that they may be sent again. What the first request made may
 * still show up: that is written down before. @returns those, for the end of the run
 */
export async function abandonAbsentCreates(
  store: StateStore,
  absent: readonly Absent[],
  now: number,
  serviceNow: number | undefined,
): Promise<readonly ResentCreate[]> {
  const resent: ResentCreate[] = [];
  for (const { pending, isSupported } of absent) {
    if (!isCreateLookupOver(pending, now)) continue;
    const { address } = pending;
    if (!isCreateUselessWithoutAnswer(pending)) {
      const double = watchCreateForDuplicate(pending, { now, serviceNow });
      await store.record({ kind: 'possibleDouble', double });
      resent.push({ double, isSupported });
    }
    await store.record({ kind: 'abandoned', address, reason: 'it never showed up in the account' });
  }
  return resent;
}
