import type { Later } from '../engine/durable-engine.ts';
import type { Store } from '../store/store.ts';
import { explainPause } from './run-postponed.ts';

/** When a run whose turn has not come is to be called for again; undefined where it may begin. */
export async function awaitTurn(store: Store, runId: string): Promise<Later | undefined> {
  const wait = await store.turns.findWait(runId);
  if (!wait) return undefined;
  if (wait.for === 'release') await store.turns.putBack(runId);
  const run = wait.for === 'pause' ? await store.runs.find(runId) : undefined;
  if (run && (await store.turns.postpone(run, wait.ms)))
    await store.log.add(runId, [{ stream: 'server', text: explainPause('service', wait.ms) }]);
  return { afterMs: wait.ms };
}
