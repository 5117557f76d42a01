// A sandbox that begins as the copy of an account: what was read of it becomes rows, its limits become rules, and what
// the service is doing there goes on. It talks to nobody: a copy is made of values alone.
import type { LiveSnapshot } from '../../model/account/live.ts';
import type { OwnerTokenValue } from '../rules/account.ts';
import { allScopesToken } from '../rules/insider.ts';
import { hashToken, makeTokenValue, firstNumberOfLongerIds } from '../store/ids.ts';
import { sandboxTables } from '../store/rows.ts';
import { copyAccountResources } from './copy-resources.ts';
import { copyRunningOperations } from './copy-work.ts';
import type { MirrorContext, MirroredOperation } from './mirror-context.ts';
import { mirrorNetworkPrefix, setMirroredQuotaUse } from './mirror-rules.ts';

/**
 * Account as it was read, to be copied into a sandbox. The parts that were not read are missing from the copy, but
 * count in the use of its quotas.
 */
export interface MirroredAccount {
  readonly live: LiveSnapshot;
  readonly work: readonly MirroredOperation[];
}

/**
 * Fills an empty data file with the copy of an account. The token of whoever opened the sandbox is none of the
 * account's tokens, so it is not listed among them.
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
    store.insert(sandboxTables.counters, { name: 'id', value: firstNumberOfLongerIds });
    copyAccountResources(context, account.live);
    copyRunningOperations(context, account.work);
    setMirroredQuotaUse(store, account.live.limits);
  });
  return { seed, token, owner: { valueHash: hashToken(token), tokenId: allScopesToken.id } };
}
