import { randomUUID } from 'node:crypto';
import type { Clock } from '../model/runtime.ts';
import { publishedHostwrightVersion } from '../model/version.ts';
import type { StateStore } from '../state/store.ts';
import type { AccountConnection } from './account-link.ts';

/**
 * Records in the state that a run begins, with its service, the certificate authorities that were trusted for it, and its
 * spelling of the contract. From then on the state belongs to that service.
 * @returns the id of the run
 */
export async function beginRun(
  store: StateStore,
  {
    service,
    authorities,
    contract,
  }: Pick<AccountConnection, 'service' | 'authorities' | 'contract'>,
  clock: Clock,
): Promise<string> {
  const runId = randomUUID();
  const trusted = { ...(authorities && { authorities }), ...(contract && { contract }) };
  await store.record({
    kind: 'begin',
    runId,
    version: publishedHostwrightVersion,
    service,
    ...trusted,
    at: clock.now(),
  });
  return runId;
}
