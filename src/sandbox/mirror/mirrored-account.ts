// A sandbox that begins as the copy of an account: what was read of it becomes rows, its limits become rules, and what
// the service is doing there goes on. It talks to nobody: a copy is made of values alone.
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import type { OwnerValue } from '../rules/account.ts';
import { insider } from '../rules/insider.ts';
import { hashToken, makeTokenValue, otherIds } from '../store/ids.ts';
import { tables } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { copyResources } from './copy-resources.ts';
import { copyWork } from './copy-work.ts';
import { setTotals } from './mirror-rules.ts';

/** Something that the service is doing in the account. Times are milliseconds since the Unix epoch. */
export interface MirroredWork {
  /** The type of its operation, in the service's word; null where it does not say. */
  readonly type: string | null;
  readonly since: number;
  readonly endsAt: number;
  /** What it is done to, as it will be once it is over; what is being deleted will be gone. */
  readonly becomes: LiveResource;
}

/** An account as it was read. What was not read of it is not there, but counts where its limits say so. */
export interface MirroredAccount {
  readonly live: LiveSnapshot;
  readonly work: readonly MirroredWork[];
}

/** What a copy is made in. */
export interface MirrorContext {
  readonly store: Store;
  readonly seed: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Fills an empty data file with the copy of an account. No token of the account is that of whoever opened the sandbox:
 * what lists tokens shows the account's own alone.
 */
export function mirrorAccount(
  context: MirrorContext,
  account: MirroredAccount,
): { seed: number; token: string; owner: OwnerValue } {
  const { store, seed } = context;
  const token = makeTokenValue();
  store.transaction(() => {
    // Whatever made the ids of the account: none that is made here is one of them.
    store.insert(tables.counters, { name: 'id', value: otherIds });
    copyResources(context, account.live);
    copyWork(context, account.work);
    setTotals(store, account.live.limits);
  });
  return { seed, token, owner: { valueHash: hashToken(token), tokenId: insider.id } };
}
