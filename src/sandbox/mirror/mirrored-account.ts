// A sandbox that begins as the copy of an account: what was read of it becomes rows, its limits become rules, and what
// the service is doing there goes on. It talks to nobody: a copy is made of values alone.
import type { LiveSnapshot } from '../../model/account/live.ts';
import type { OwnerValue } from '../rules/account.ts';
import { insiderToken } from '../rules/insider.ts';
import { hashToken, makeTokenValue, firstLongIdNumber } from '../store/ids.ts';
import { tables } from '../store/rows.ts';
import { copyResources } from './copy-resources.ts';
import { copyWork } from './copy-work.ts';
import type { MirrorContext, MirroredWork } from './mirror-context.ts';
import { mirrorNetworkPrefix, setQuotaTotals } from './mirror-rules.ts';

/** An account as it was read. What was not read of it is not there, but counts where its limits say so. */
export interface MirroredAccount {
  readonly live: LiveSnapshot;
  readonly work: readonly MirroredWork[];
}

/**
 * Fills an empty data file with the copy of an account. No token of the account is that of whoever opened the sandbox:
 * what lists tokens shows the account's own alone.
 */
export function mirrorAccount(
  setting: Omit<MirrorContext, 'networkPrefix'>,
  account: MirroredAccount,
): { seed: number; token: string; owner: OwnerValue } {
  const { store, seed } = setting;
  const context = { ...setting, networkPrefix: mirrorNetworkPrefix(account.live) };
  const token = makeTokenValue();
  store.transaction(() => {
    // Whatever made the ids of the account: none that is made here is one of them.
    store.insert(tables.counters, { name: 'id', value: firstLongIdNumber });
    copyResources(context, account.live);
    copyWork(context, account.work);
    setQuotaTotals(store, account.live.limits);
  });
  return { seed, token, owner: { valueHash: hashToken(token), tokenId: insiderToken.id } };
}
