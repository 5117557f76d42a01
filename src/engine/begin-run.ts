import { randomUUID } from 'node:crypto';
import type { Clock } from '../model/runtime.ts';
import { publishedHostwrightVersion } from '../model/version.ts';
import type { StateStore } from '../state/store.ts';
import type { AccountLink } from './account-link.ts';

/**
 * Records that a run begins to change the state, which from here on belongs to the service of the run, and to whom it was trusted.
 * @returns the id of the run
 */
export async function beginRun(
  store: StateStore,
  { service, authorities, contract }: Pick<AccountLink, 'service' | 'authorities' | 'contract'>,
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
