// What follows from something that happened at a host. It may be done twice, when a process was killed in between: runs have
// an origin, and what is written is found again.
import { cancelRun, findNewest, planNewCommit, type RequestMeans } from '../../runs/request-run.ts';
import type { ClaimedEvent } from '../../store/deliveries.ts';
import type { Workspace } from '../../store/workspaces.ts';
import { HostFault } from '../host-fault.ts';
import type { HostEvent } from '../webhooks/host-event.ts';
import { listWorkspacesAt } from '../webhooks/receive-webhook.ts';
import { obeyComment } from './obey-comment.ts';
import { listTouched, planPull } from './plan-pull.ts';

/** So often a host is asked again whose git does not have yet what its webhook spoke of. */
const mostLooks = 3;

/** Does what follows. @throws HostFault, BackendError, RepositoryError */
export async function handleEvent(
  means: RequestMeans & { readonly warn: (text: string) => void },
  claimed: ClaimedEvent,
): Promise<void> {
  const { event, attempts } = claimed;
  const connection = await means.store.connections.find(claimed.connection);
  if (!connection) return;
  const workspaces = await listWorkspacesAt(means.store, connection, event.repository);
  if (workspaces.length === 0) return;
  if (event.kind === 'push') {
    await planPush(means, event, workspaces, attempts);
    return;
  }
  const host = await means.hosts.open(connection);
  const { repository, number } = event;
  const pull = await host.readPull(repository, number);
  const targets = workspaces.filter(({ branch }) => branch === pull.base);
  const hosted = { host, repository, pull };
  if (event.kind === 'comment') {
    await obeyComment(means, hosted, targets, { ...claimed, event });
    return;
  }
  if (pull.state === 'merged') {
    for (const { id, applyOnMerge } of targets)
      if (applyOnMerge && pull.mergeCommit !== undefined)
        await means.store.pulls.noteMerge(id, number, {
          ...{ commit: pull.mergeCommit, head: pull.head },
        });
  }
  if (pull.state !== 'open') {
    // Nobody reads what would be planned of it.
    for (const { id } of targets)
      for (const run of await means.store.runs.listQueuedOfPull(id, number))
        await cancelRun(means, run);
    return;
  }
  const touched = await listTouched(hosted, targets);
  if (pull.isFork)
    for (const { id } of touched) await means.store.pulls.askForFork(id, number, pull.head);
  else await planPull(means, hosted, touched, { attempts, reason: `pull request #${number}` });
}

/** Plans the newest commit of a branch, which may be newer than the one that the event is about. */
async function planPush(
  means: RequestMeans,
  { branch, commit }: Extract<HostEvent, { kind: 'push' }>,
  all: readonly Workspace[],
  attempts: number,
): Promise<void> {
  const workspaces = all.filter((one) => one.branch === branch);
  const [first] = workspaces;
  if (!first) return;
  const newest = await findNewest(means, first);
  const unseen = workspaces.filter(({ seenCommit }) => seenCommit !== newest);
  if (unseen.length === 0 && newest !== commit && attempts < mostLooks)
    throw new HostFault(`The repository does not have the commit ${commit} yet`);
  const queued = await Promise.all(unseen.map((one) => planNewCommit(means, one, newest)));
  // Whoever came first may have read an older commit than this one.
  if (queued.includes(undefined)) throw new HostFault('Another push came first');
}
