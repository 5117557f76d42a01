// Work beside the runs: events from git hosts, reports to them, plans that follow an apply, merges and drift to apply. Every
// process does a part of it; work that one began and did not end, another one ends.
import { repairDrift } from '../drift/repair-drift.ts';
import { adviseOnGitHost } from '../hosts/advise.ts';
import type { GitHostEvent } from '../hosts/host-event.ts';
import { findRetryDelay } from '../hosts/retry-delay.ts';
import { applyDueMerges } from '../pulls/decide-merges.ts';
import { deliverPullReport } from '../pulls/deliver-report.ts';
import { deliverSummaryStatus } from '../pulls/deliver-summary.ts';
import { handleGitHostEvent } from '../pulls/handle-event.ts';
import { type RunRequestDependencies, planNewestCommit } from '../runs/request-run.ts';
import type { DueDependentWorkspace } from '../store/dependencies.ts';
import type { Tracing } from '../traces/tracing.ts';
import { drainTaskQueue } from './drain.ts';

/** Dependencies that are needed to do the server's due tasks. */
export interface DueTaskDependencies extends RunRequestDependencies {
  readonly workerId: string;
  readonly warn: (text: string) => void;
  readonly tracing: Tracing;
}

/**
 * Does all due work of the server beside runs, such as reports to pull requests and messages. The signal `stopping` ends it after
 * the task at hand.
 */
export async function doDueTasks(means: DueTaskDependencies, stopping: AbortSignal): Promise<void> {
  const { deliveries, pulls, heads, dependencies } = means.store;
  const { workerId, warn, tracing } = means;
  const drainer = { workerId, warn, tracing, findDelay: findRetryDelay };
  await drainTaskQueue(drainer, stopping, deliveries, {
    what: ({ connection, event }) =>
      `A webhook of the connection ${connection} about ${describeEvent(event)}`,
    span: 'handle webhook',
    advise: adviseOnGitHost,
    work: (event) => handleGitHostEvent(means, event),
  });
  await queueDuePreviews(means);
  await drainTaskQueue(drainer, stopping, pulls, {
    what: ({ number }) => `A report to pull request ${number}`,
    span: 'deliver report',
    advise: adviseOnGitHost,
    work: (report) => deliverPullReport(means, report),
  });
  await drainTaskQueue(drainer, stopping, heads, {
    what: ({ repository, commit }) => `The summary status of ${commit} in ${repository}`,
    span: 'deliver summary',
    advise: adviseOnGitHost,
    work: (head) => deliverSummaryStatus(means, head),
  });
  await drainTaskQueue(drainer, stopping, dependencies, {
    what: () => 'A plan that follows an apply',
    span: 'plan dependent',
    work: (due) => planDependentWorkspace(means, due),
  });
  await applyDueMerges(means);
  await repairDrift(means);
}

/** Describes an event of a git host on one line, since a host may send any text. */
function describeEvent(event: GitHostEvent): string {
  const repository = JSON.stringify(event.repository.slice(0, 200));
  return event.kind === 'push'
    ? `a push to ${repository}`
    : `pull request ${event.number} of ${repository}`;
}

/** Plans a workspace because one whose outputs it uses was applied. @throws what `planNewestCommit` throws */
export async function planDependentWorkspace(
  means: RunRequestDependencies,
  { workspaceId, run }: DueDependentWorkspace,
): Promise<void> {
  const { store } = means;
  const [workspace, applied] = [
    await store.workspaces.read(workspaceId),
    await store.runs.find(run),
  ];
  if (workspace?.paused === true) return;
  // By now, the workspace may have other dependencies.
  if (!workspace || !applied || !workspace.after.includes(applied.workspace)) return;
  const reason = `${applied.operation} of ${applied.workspace}, #${applied.number}`;
  const origin = `after:${applied.id}:${workspace.id}`;
  if (await store.runs.hasOrigin(origin)) return;
  await planNewestCommit(means, workspace, { reason, origin });
}

// Previews: while an apply of a workspace runs, the plan of a pull request waits for its end, and so would whoever reads it.
/** Queues a preview of each plan of a pull request that waits for an apply which runs. */
export async function queueDuePreviews({
  store,
  engine,
}: Pick<RunRequestDependencies, 'store' | 'engine'>): Promise<void> {
  // Should this process end in between, another one queues the previews that are left.
  for (const run of await store.previews.add()) await engine.enqueue(run, 'previews');
}
