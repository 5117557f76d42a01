// Duties of each process for all others: workers that are gone, versions that are gone, and runs that the engine has not
// heard of.
import { queueForgottenRuns, type RunRequestDependencies } from '../runs/request-run.ts';
import type { WorkerSession } from './worker-session.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Makes the check that each process repeats on behalf of all: it queues runs of workers and of versions that are gone, and runs
 * that the engine has not heard of. `warn` is called with what operators should know.
 */
export function createDueWorkCheck(
  means: Pick<RunRequestDependencies, 'store' | 'engine'>,
  session: Pick<WorkerSession, 'recoverOthers'>,
  warn: (text: string) => void,
): () => Promise<void> {
  const { store, engine } = means;
  // With the last process of a version, whoever could carry out its runs is gone.
  let isVersionLeft = true;
  return async () => {
    const count = await session.recoverOthers(async (id) => {
      isVersionLeft = true;
      return engine.recover(id, await store.turns.listBegun(id));
    });
    if (count > 0) warn(`A worker is gone. Runs that others go on with: ${count}.`);
    if (isVersionLeft) {
      const live = await store.listWorkers();
      const adopted = await engine.adopt(new Set(live.map(({ version }) => version)));
      if (adopted.length > 0)
        warn(
          `No process of an older version is left. Its runs, queued for this one: ${adopted.length}.`,
        );
      isVersionLeft = false;
    }
    await queueForgottenRuns(means);
  };
}

const usualMs = 2_000;

/**
 * Repeats a check at intervals, one call after the other. A fault is reported once, until a check succeeds or fails otherwise.
 * @returns a function that ends the repetition
 */
export function repeatWorkerCheck(
  look: (stopping: AbortSignal) => Promise<void>,
  warn: (text: string) => void,
  everyMs = usualMs,
): () => Promise<void> {
  const ended = new AbortController();
  const watching = (async () => {
    for (let said = ''; !ended.signal.aborted;) {
      try {
        await look(ended.signal);
        said = '';
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        if (text !== said) warn(text);
        said = text;
      }
      await sleep(everyMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    ended.abort();
    await watching;
  };
}
