// Previews: while an apply of a workspace runs, the plan of a pull request waits for its end, and so would whoever reads it.
import type { RunRequestDependencies } from '../runs/request-run.ts';

/** Queues a preview of each plan of a pull request that waits for an apply which runs. */
export async function queueDuePreviews({
  store,
  engine,
}: Pick<RunRequestDependencies, 'store' | 'engine'>): Promise<void> {
  // Should this process end in between, another one queues the previews that are left.
  for (const run of await store.previews.add()) await engine.enqueue(run, 'previews');
}
