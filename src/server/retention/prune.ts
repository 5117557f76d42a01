import type { DurableRunEngine } from '../engine/durable-engine.ts';
import type { ServerStore } from '../store/store.ts';
import type { RetentionSettings } from './read-retention-settings.ts';

/** Dependencies that are needed to delete old data. */
export interface PruneDependencies extends RetentionSettings {
  readonly store: Pick<ServerStore, 'retention'>;
  readonly engine: Pick<DurableRunEngine, 'forget'>;
  /** Tells the time, in milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Most batches of each kind in one pruning; the next pruning deletes the rest. */
const maxBatches = 100;
/** Time that an ended run is kept in the engine, in milliseconds: processes that still look for it there have an hour. */
const engineMs = 60 * 60_000;
const engineBatch = 1_000;

/**
 * Deletes old data of the server: drift checks, details of runs, encrypted texts without an owner, and the run engine's records
 * of ended runs.
 */
export async function deleteOldServerData({
  store,
  engine,
  now,
  ...kept
}: PruneDependencies): Promise<void> {
  const { retention } = store;
  await repeat(() => retention.deleteDriftChecks(kept.driftHours));
  await repeat(() => retention.deleteDetails(kept.logDays));
  await repeat(() => retention.deleteLostTexts());
  const endedBefore = new Date(now() - engineMs);
  await repeat(async () => (await engine.forget(endedBefore, engineBatch)) === engineBatch);
}

/** Repeats a batch for as long as it says that more is left. */
async function repeat(batch: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < maxBatches; count += 1) if (!(await batch())) return;
}
