// What is due at the git hosts: events that came in, reports that go out, merges to apply. Every process does its part of
// it; what one began and did not end, another does.
import { repairDrift } from '../drift/repair-drift.ts';
import type { RequestMeans } from '../runs/request-run.ts';
import { planFollower } from '../dependencies/plan-follower.ts';
import { decideMerges } from './pulls/decide-merges.ts';
import { deliverReport } from './pulls/deliver-report.ts';
import { handleEvent } from './pulls/handle-event.ts';
import { findRetryDelay } from './pulls/retry-delay.ts';

/** What the work needs. */
export interface HostsWork extends RequestMeans {
  readonly workerId: string;
  readonly warn: (text: string) => void;
}

interface Claimed {
  readonly attempts: number;
}

/** A table of things to do. */
interface Tasks<T extends Claimed> {
  claim(worker: string): Promise<T | undefined>;
  end(task: T): Promise<void>;
  retry(task: T, delayMs: number): Promise<void>;
}

/** Does all that is due. `stopping` ends it after the task at hand. */
export async function workHosts(means: HostsWork, stopping: AbortSignal): Promise<void> {
  const { deliveries, pulls, dependencies } = means.store;
  await drain(means, stopping, deliveries, 'A webhook', (event) => handleEvent(means, event));
  await drain(means, stopping, pulls, 'A report', (report) => deliverReport(means, report));
  await drain(means, stopping, dependencies, 'A plan that follows an apply', (due) =>
    planFollower(means, due),
  );
  await decideMerges(means);
  await repairDrift(means);
}

async function drain<T extends Claimed>(
  { workerId, warn }: HostsWork,
  stopping: AbortSignal,
  tasks: Tasks<T>,
  what: string,
  work: (task: T) => Promise<void>,
): Promise<void> {
  while (!stopping.aborted) {
    const task = await tasks.claim(workerId);
    if (!task) return;
    try {
      await work(task);
      await tasks.end(task);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const delayMs = findRetryDelay(error, task.attempts);
      if (delayMs === undefined) {
        warn(`${what} came to nothing, and is given up: ${reason}.`);
        await tasks.end(task);
        continue;
      }
      // The first few are usual: a host is busy for a moment.
      if (task.attempts === 4) warn(`${what} has come to nothing so far: ${reason}.`);
      await tasks.retry(task, delayMs);
    }
  }
}
