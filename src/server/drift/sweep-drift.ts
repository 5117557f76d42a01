// The drift sweep: which workspaces are compared with their accounts now. It asks no git host for anything, since a check is
// at the commit that was applied last.
import type { RunRequestDependencies } from '../runs/request-run.ts';

/**
 * So many runs a worker may have before it: what it carries out until the next sweep. Checks have places of their own, and
 * the processor is one for all.
 */
const runsPerWorker = 12;

/**
 * Queues drift checks of due workspaces, the longest overdue first, as long as the workers have free capacity. The others stay
 * due.
 * @returns the number of queued checks
 */
export async function queueDueDriftChecks(
  { store, engine }: Pick<RunRequestDependencies, 'store' | 'engine'>,
  perWorker = runsPerWorker,
): Promise<void> {
  const added = await store.drift.takeDue(perWorker);
  // Only now: a worker that takes a run finds it. What is not queued by a server that ends here, others queue.
  for (const run of added) await engine.enqueue(run, 'low');
}
