// Plan of a merge group: the commit that a merge queue would put on the branch, which nobody needs to merge any more.
import type { HostEvent } from '../hosts/host-event.ts';
import type { GitHost } from '../hosts/git-host.ts';
import { queueOnce, type RequestMeans } from '../runs/request-run.ts';
import type { Workspace } from '../store/workspaces.ts';
import { keepTouched } from './list-touched.ts';

/** A merge group, as its webhook tells of it. */
export type MergeGroup = Extract<HostEvent, { kind: 'group' }>;

/** Plans a merge group in the workspaces that it touches, and keeps which these are. @throws HostFault */
export async function planGroup(
  means: RequestMeans,
  host: Pick<GitHost, 'listFilesBetween'>,
  connection: string,
  { repository, branch, before, commit, number }: MergeGroup,
  workspaces: readonly Workspace[],
): Promise<void> {
  const targets = workspaces.filter((one) => one.branch === branch);
  const list = () => host.listFilesBetween(repository, before, commit);
  const touched = await keepTouched(targets, list);
  const head = { connection, repository, commit };
  await means.store.heads.note(
    head,
    touched.map(({ id }) => id),
  );
  for (const workspace of touched) {
    if (workspace.paused) continue;
    const origin = `group:${workspace.id}:${commit}`;
    const reason = `merge group of pull request #${number}`;
    const pull = { number, head: commit };
    await queueOnce(means, workspace, { operation: 'plan', commit, reason, pull, origin });
  }
}
