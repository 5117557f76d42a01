// Duties of each process for all others: workers that are gone, versions that are gone, and runs that the engine has not
// heard of.
import { queueForgottenRuns, type RunRequestDependencies } from '../runs/request-run.ts';
import type { WorkerSession } from './worker-session.ts';

/** A look that does what is due of that. `warn` hears what operators should know. */
export function openDueWorkWatch(
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
