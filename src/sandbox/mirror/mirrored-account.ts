// A sandbox that begins as the copy of an account: what was read of it becomes rows, its limits become rules, and what
// the service is doing there goes on. It talks to nobody: a copy is made of values alone.
import type { LiveSnapshot } from '../../model/account/live.ts';
import type { OwnerTokenValue } from '../rules/account.ts';
import { allScopesToken } from '../rules/insider.ts';
import { hashToken, makeTokenValue, firstLongIdNumber } from '../store/ids.ts';
import { sandboxTables } from '../store/rows.ts';
import { copyAccountResources } from './copy-resources.ts';
import { copyRunningOperations } from './copy-work.ts';
import type { MirrorContext, MirroredOperation } from './mirror-context.ts';
import { mirrorNetworkPrefix, setMirroredQuotaUse } from './mirror-rules.ts';

/** An account as it was read. What was not read of it is not there, but counts where its limits say so. */
export interface MirroredAccount {
  readonly live: LiveSnapshot;
  readonly work: readonly MirroredOperation[];
}

/**
 * Fills an empty data file with the copy of an account. No token of the account is that of whoever opened the sandbox:
 * what lists tokens shows the account's own alone.
 */
export function mirrorAccount(
  setting: Omit<MirrorContext, 'networkPrefix'>,
  account: MirroredAccount,
): { seed: number; token: string; owner: OwnerTokenValue } {
  const { store, seed } = setting;
  const context = { ...setting, networkPrefix: mirrorNetworkPrefix(account.live) };
  const token = makeTokenValue();
  store.transaction(() => {
    // Whatever made the ids of the account: none that is made here is one of them.
    store.insert(sandboxTables.counters, { name: 'id', value: firstLongIdNumber });
    copyAccountResources(context, account.live);
    copyRunningOperations(context, account.work);
    setMirroredQuotaUse(store, account.live.limits);
  });
  return { seed, token, owner: { valueHash: hashToken(token), tokenId: allScopesToken.id } };
}
