// What is due at the git hosts: events that came in, reports that go out, merges to apply. Every process does its part of
// it; what one began and did not end, another does.
import { repairDrift } from '../drift/repair-drift.ts';
import type { RequestMeans } from '../runs/request-run.ts';
import { planFollower } from '../dependencies/plan-follower.ts';
import { decideMerges } from './pulls/decide-merges.ts';
import { deliverReport } from './pulls/deliver-report.ts';
import { handleEvent } from './pulls/handle-event.ts';
import { findRetryDelay } from './pulls/retry-delay.ts';
import { drain } from '../workers/drain.ts';

/** What the work needs. */
export interface HostsWork extends RequestMeans {
  readonly workerId: string;
  readonly warn: (text: string) => void;
}

/** Does all that is due. `stopping` ends it after the task at hand. */
export async function workHosts(means: HostsWork, stopping: AbortSignal): Promise<void> {
  const { deliveries, pulls, dependencies } = means.store;
  const { workerId, warn } = means;
  const drainer = { workerId, warn, findDelay: findRetryDelay };
  await drain(drainer, stopping, deliveries, {
    what: 'A webhook',
    work: (event) => handleEvent(means, event),
  });
  await drain(drainer, stopping, pulls, {
    what: 'A report',
    work: (report) => deliverReport(means, report),
  });
  await drain(drainer, stopping, dependencies, {
    what: 'A plan that follows an apply',
    work: (due) => planFollower(means, due),
  });
  await decideMerges(means);
  await repairDrift(means);
}
