// Carries out the consequences of an event at a git host. That may happen twice, when a process was killed in between: runs
// have an origin, and comments are found again.
import type { GitHost } from '../hosts/git-host.ts';
import type { GitHostEvent } from '../hosts/host-event.ts';
import { cancelRun, type RunRequestDependencies, queueRunOnce } from '../runs/request-run.ts';
import type { ClaimedGitHostEvent } from '../store/deliveries.ts';
import type { Workspace } from '../store/workspaces.ts';
import { listTouchedWorkspaces, filterTouchedWorkspaces } from './list-touched.ts';
import { obeyCommentCommand } from './obey-comment.ts';
import { recordMergeAndCountReviews } from './note-merge.ts';
import { planPullRequest } from './plan-pull.ts';
import { planPushedCommit } from './plan-push.ts';
import { listWorkspacesOfRepository } from './receive-webhook.ts';

/**
 * Acts on an event of a git host, such as a push or a new pull request: plans the workspaces concerned, or does what a comment
 * asks for.
 * @throws GitHostFault, BackendError, RepositoryError
 */
export async function handleGitHostEvent(
  means: RunRequestDependencies & { readonly warn: (text: string) => void },
  claimed: ClaimedGitHostEvent,
): Promise<void> {
  const { event, attempts } = claimed;
  const connection = await means.store.connections.find(claimed.connection);
  if (!connection) return;
  const workspaces = await listWorkspacesOfRepository(means.store, connection, event.repository);
  if (workspaces.length === 0) return;
  const host = await means.hosts.open(connection);
  if (event.kind === 'push') {
    await planPushedCommit(means, host, event, { workspaces, attempts });
    return;
  }
  if (event.kind === 'group') {
    await planGroup(means, host, connection.name, event, workspaces);
    return;
  }
  const { repository, number } = event;
  const ids = workspaces.map(({ id }) => id);
  const newest = await means.store.pulls.listNewest(number, ids);
  const pull = await host.readPull(repository, number);
  const targets = workspaces.filter(({ branch }) => branch === pull.base);
  const hosted = { host, repository, pull, newest };
  if (pull.state === 'merged') await recordMergeAndCountReviews(means, hosted, targets);
  // The reviews are read once it is merged, and again whenever one changes after that.
  if (event.kind === 'review') return;
  if (event.kind === 'comment') {
    await obeyCommentCommand(means, hosted, targets, { ...claimed, event });
    return;
  }
  if (pull.state !== 'open') {
    // Waiting plans of a closed pull request are cancelled, as nobody would read them.
    await cancelQueued(means, number, ids);
    return;
  }
  const all = await listTouchedWorkspaces(hosted, targets);
  const touchedIds = all.map(({ id }) => id);
  const head = { connection: connection.name, repository, commit: pull.head };
  await means.store.heads.note(head, touchedIds);
  const dropped = ids.filter((id) => !touchedIds.includes(id));
  await means.store.pulls.drop(number, pull.head, dropped);
  await means.store.pulls.takeBack(number, touchedIds);
  await cancelQueued(means, number, dropped);
  const touched = all.filter(({ paused }) => !paused);
  if (pull.isFork)
    for (const { id } of touched) await means.store.pulls.askForFork(id, number, pull.head);
  else
    await planPullRequest(means, hosted, touched, { attempts, reason: `pull request #${number}` });
}

async function cancelQueued(
  means: RunRequestDependencies,
  number: number,
  workspaceIds: readonly string[],
): Promise<void> {
  for (const id of workspaceIds)
    for (const run of await means.store.runs.listQueuedOfPull(id, number))
      await cancelRun(means, run);
}

// Plan of a merge group: the commit that a merge queue would put on the branch, which nobody needs to merge any more.

/** A merge group, as its webhook tells of it. */
type MergeGroup = Extract<GitHostEvent, { kind: 'group' }>;

/** Plans a merge group in the workspaces that it touches, and keeps which these are. @throws GitHostFault */
async function planGroup(
  means: RunRequestDependencies,
  host: Pick<GitHost, 'listFilesBetween'>,
  connection: string,
  { repository, branch, before, commit, number }: MergeGroup,
  workspaces: readonly Workspace[],
): Promise<void> {
  const targets = workspaces.filter((one) => one.branch === branch);
  const list = () => host.listFilesBetween(repository, before, commit);
  const touched = await filterTouchedWorkspaces(targets, list);
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
    await queueRunOnce(means, workspace, { operation: 'plan', commit, reason, pull, origin });
  }
}
