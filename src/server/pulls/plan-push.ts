// Plans a push: the workspaces that it touches are planned, and the others count its commit as seen.
import { groupBy } from '../../model/group-by.ts';
import {
  findNewestCommit,
  planNewCommit,
  type RunRequestDependencies,
} from '../runs/request-run.ts';
import type { Workspace } from '../store/workspaces.ts';
import type { GitHost } from '../hosts/git-host.ts';
import { GitHostFault } from '../hosts/host-fault.ts';
import type { GitHostEvent } from '../hosts/host-event.ts';
import { filterTouchedWorkspaces } from './list-touched.ts';

type Push = Extract<GitHostEvent, { kind: 'push' }>;

/** The part of a git host that lists the files between two commits, to find the workspaces that a push touches. */
export interface CommitComparingHost {
  listFilesBetween: GitHost['listFilesBetween'];
}

/** The newest commit of a branch of a workspace. */
interface BranchHead {
  /** Path of the repository at its host, as `acme/infra`. */
  readonly repository: string;
  readonly newest: string;
  /** Number of this attempt to handle the push, from 1. */
  readonly attempts: number;
}

/** Most times that a host is asked for a commit which its webhook has named and its git does not have yet. */
const mostLooks = 3;
/** Most times that a host is asked for the files of a push without an answer: after that, all workspaces are planned. */
const mostComparisons = 5;

/**
 * Plans the newest commit of a branch after a push. It may be newer than the commit of the push.
 * @throws GitHostFault where the work should be repeated
 */
export async function planPushedCommit(
  means: RunRequestDependencies,
  host: CommitComparingHost,
  { repository, branch, commit }: Push,
  {
    workspaces: all,
    attempts,
  }: { readonly workspaces: readonly Workspace[]; readonly attempts: number },
): Promise<void> {
  const workspaces = all.filter((one) => one.branch === branch && !one.paused);
  const [first] = workspaces;
  if (!first) return;
  const newest = await findNewestCommit(means, first);
  const unseen = workspaces.filter(({ seenCommit }) => seenCommit !== newest);
  if (unseen.length === 0 && newest !== commit && attempts < mostLooks)
    throw new GitHostFault(`The repository does not have the commit ${commit} yet`);
  const at = { repository, newest, attempts };
  // Whoever came first may have read an older commit than this one.
  if (!(await planUnseenCommit(means, host, at, unseen)))
    throw new GitHostFault('Another push came first');
}

/**
 * Plans the newest commit of a branch in those workspaces that it touches, and marks it as seen in the others. A workspace that
 * has seen another commit meanwhile is left alone, and the result is false.
 * @throws GitHostFault
 */
export async function planUnseenCommit(
  means: RunRequestDependencies,
  host: CommitComparingHost,
  { repository, newest: after, attempts }: BranchHead,
  unseen: readonly Workspace[],
): Promise<boolean> {
  let isWhole = true;
  for (const [before, group] of groupBy(unseen, ({ seenCommit }) => seenCommit)) {
    const list = () => listFiles(host, { repository, before, after, attempts });
    const touched = new Set(await filterTouchedWorkspaces(group, list));
    const others = group.filter((one) => !touched.has(one));
    const noted = await means.store.workspaces.noteSeen(others, after);
    const queued = await Promise.all([...touched].map((one) => planNewCommit(means, one, after)));
    isWhole &&= noted === others.length && !queued.includes(undefined);
  }
  return isWhole;
}

/** The files between two commits; undefined where nobody knows. @throws GitHostFault */
async function listFiles(
  host: CommitComparingHost,
  {
    repository,
    before,
    after,
    attempts,
  }: {
    readonly repository: string;
    readonly before: string | undefined;
    readonly after: string;
    readonly attempts: number;
  },
): Promise<readonly string[] | undefined> {
  if (before === undefined) return undefined;
  try {
    return await host.listFilesBetween(repository, before, after);
  } catch (error) {
    if (error instanceof GitHostFault && attempts >= mostComparisons) return undefined;
    throw error;
  }
}
