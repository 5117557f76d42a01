// Plans what merging a pull request would change.
import type { AuditActor } from '../audit/audit-entry.ts';
import { queueRunOnce, type RunRequestDependencies } from '../runs/request-run.ts';
import type { PullRequestCommit } from '../store/run.ts';
import type { NewestPullPlan } from '../store/pulls.ts';
import type { Workspace } from '../store/workspaces.ts';
import type { GitHost, PullRequest } from '../hosts/git-host.ts';
import { GitHostFault } from '../hosts/host-fault.ts';

/** A pull request with its repository and connection. */
export interface HostedPullRequest {
  readonly host: GitHost;
  /** Path of the repository at its host, as `acme/infra`. */
  readonly repository: string;
  readonly pull: PullRequest;
  /**
   * The newest plans of the pull request by workspace id, read before the pull request itself: a plan made since may be
   * newer.
   */
  readonly newest: ReadonlyMap<string, NewestPullPlan>;
}

/** Request to plan a pull request. */
export interface PullPlanRequest {
  readonly attempts: number;
  readonly reason: string;
  /** Person or token that asks for the plan; the server itself when absent. */
  readonly by?: AuditActor;
  /**
   * Makes the origin of a workspace's run, by which the run is made only once; unless given, the origin follows from the commit,
   * and a commit that is planned already gets no new plan.
   */
  readonly originOf?: (workspace: Workspace) => string;
}

/** A host may take a while to merge what was just pushed: so often it is asked before the head itself is planned. */
const mostLooks = 4;

/**
 * Plans a pull request in each workspace: the result of merging it or, where it cannot be merged, its newest commit.
 * @throws GitHostFault where the host has not computed the merge yet, and should be asked again
 */
export async function planPullRequest(
  means: RunRequestDependencies,
  { host, repository, pull, newest }: HostedPullRequest,
  workspaces: readonly Workspace[],
  { attempts, reason, originOf, by }: PullPlanRequest,
): Promise<void> {
  if (workspaces.length === 0) return;
  const merge = await host.findMergeResult(repository, pull);
  if (merge === 'unknown' && attempts < mostLooks)
    throw new GitHostFault(`The host has not merged pull request ${pull.number} yet`);
  const { number, head } = pull;
  const commit = merge === undefined || merge === 'unknown' ? head : merge;
  const { pulls, runs } = means.store;
  let isOvertaken = false;
  for (const workspace of workspaces) {
    const { id } = workspace;
    const known = newest.get(id);
    const origin = originOf?.(workspace) ?? nameOrigin(id, known, pull, commit);
    if (origin === undefined) continue;
    const run = { operation: 'plan', commit, reason, by, pull: { number, head }, origin } as const;
    const queued = await queueRunOnce(means, workspace, run, async () => {
      const last = await pulls.listNewest(number, [id]);
      return last.get(id)?.number === known?.number;
    });
    isOvertaken ||= queued === undefined && !(await runs.hasOrigin(origin));
  }
  if (isOvertaken) throw new GitHostFault(`Pull request ${number} was planned meanwhile`);
}

/**
 * The origin of the plan that comes after the newest one, so that it is made once by whoever makes it; undefined where that
 * one is of this very commit. A plan that was cancelled when the pull request was closed is made again when it is reopened.
 */
function nameOrigin(
  workspaceId: string,
  newest: NewestPullPlan | undefined,
  { number, head }: PullRequestCommit,
  commit: string,
): string | undefined {
  if (newest?.isWanted === true && newest.head === head && newest.commit === commit)
    return undefined;
  return `pull:${workspaceId}:${number}:${head}:${commit}:${newest?.number ?? 0}`;
}
