import { randomUUID } from 'node:crypto';
import type { Runtime } from '../../model/runtime.ts';
import type { Session } from './session.ts';
import { version } from './version.ts';

/**
 * Records that a run begins to change the state, which from here on belongs to the service of the run, and to whom it was trusted.
 * @returns the id of the run
 */
export async function beginRun(
  { clock }: Pick<Runtime, 'clock'>,
  { store, connection }: Pick<Session, 'store' | 'connection'>,
): Promise<string> {
  const runId = randomUUID();
  const { service, authorities } = connection;
  const trusted = authorities && { authorities };
  await store.record({ kind: 'begin', runId, version, service, ...trusted, at: clock.now() });
  return runId;
}
