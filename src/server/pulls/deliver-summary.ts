// Summary status of a head: one status for all workspaces that it touches, so that a repository can require it.
import type { CommitStatus } from '../hosts/git-host.ts';
import type { RunRequestDependencies } from '../runs/request-run.ts';
import type { DueSummaryStatus, HeadPlan } from '../store/heads.ts';
import { publicUrlSetting, readSummaryStatusName } from '../store/settings.ts';

/** Writes the commit status that sums up all workspaces which a pull request touches. @throws GitHostFault */
export async function deliverSummaryStatus(
  { store, hosts }: Pick<RunRequestDependencies, 'store' | 'hosts'>,
  head: DueSummaryStatus,
): Promise<void> {
  const connection = await store.connections.find(head.connection);
  if (!connection) return;
  const host = await hosts.open(connection);
  const plans = await store.heads.listPlans(head);
  const origin = await store.settings.read(publicUrlSetting);
  const [only, ...others] = plans;
  const path = only?.run !== undefined && others.length === 0 ? `/runs/${only.run}` : '/';
  await host.setStatus(head.repository, head.commit, {
    ...sumUpHeadStatus(plans),
    context: await readSummaryStatusName(store.settings),
    url: origin === undefined ? undefined : `${origin}${path}`,
  });
}

/** State and text of the commit status that sums up several workspaces: a failed one outweighs those under way. */
export function sumUpHeadStatus(
  plans: readonly HeadPlan[],
): Pick<CommitStatus, 'state' | 'description'> {
  if (plans.length === 0) return { state: 'success', description: 'no workspace is touched' };
  const name = (some: readonly HeadPlan[]) => some.map(({ workspace }) => workspace).join(', ');
  const failed = plans.filter(({ status }) => isEndedBadly(status));
  if (failed.length > 0) return { state: 'failure', description: `Not planned: ${name(failed)}` };
  const paused = plans.filter(({ isPaused, run }) => isPaused && run === undefined);
  if (paused.length > 0) return { state: 'pending', description: `Paused: ${name(paused)}` };
  const open = plans.filter(({ status }) => status !== 'succeeded');
  if (open.length > 0) return { state: 'pending', description: `Plans wait: ${name(open)}` };
  return { state: 'success', description: `Planned: ${name(plans)}` };
}

function isEndedBadly(status: HeadPlan['status']): boolean {
  return status === 'failed' || status === 'cancelled' || status === 'superseded';
}
