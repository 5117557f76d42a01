// Plans what merging a pull request would change.
import type { Actor } from '../audit/audit-entry.ts';
import { queueOnce, type RequestMeans } from '../runs/request-run.ts';
import type { PulledCommit } from '../store/run.ts';
import type { NewestPlan } from '../store/pulls.ts';
import type { Workspace } from '../store/workspaces.ts';
import type { GitHost, Pull } from '../hosts/git-host.ts';
import { HostFault } from '../hosts/host-fault.ts';

/** A pull request with its repository and connection. */
export interface HostedPull {
  readonly host: GitHost;
  /** Path of the repository at its host, as `acme/infra`. */
  readonly repository: string;
  readonly pull: Pull;
  /** Its newest plans, by the ids of workspaces, as they were before it was read: what is planned since may be newer. */
  readonly newest: ReadonlyMap<string, NewestPlan>;
}

/** Request to plan a pull request. */
export interface PullPlanning {
  readonly attempts: number;
  readonly reason: string;
  /** Person or token that asks for the plan; the server itself when absent. */
  readonly by?: Actor;
  /** Origin of the run of a workspace; unless given, the commit, where its newest plan is not of that commit. */
  readonly originOf?: (workspace: Workspace) => string;
}

/** A host may take a while to merge what was just pushed: so often it is asked before the head itself is planned. */
const mostLooks = 4;

/**
 * Plans a pull request for a workspace: what merging it would make, or its head where it cannot be merged.
 * @throws HostFault where the host has not merged it yet, and should be asked again
 */
export async function planPull(
  means: RequestMeans,
  { host, repository, pull, newest }: HostedPull,
  workspaces: readonly Workspace[],
  { attempts, reason, originOf, by }: PullPlanning,
): Promise<void> {
  if (workspaces.length === 0) return;
  const merge = await host.findMergeResult(repository, pull);
  if (merge === 'unknown' && attempts < mostLooks)
    throw new HostFault(`The host has not merged pull request ${pull.number} yet`);
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
    const queued = await queueOnce(means, workspace, run, async () => {
      const last = await pulls.listNewest(number, [id]);
      return last.get(id)?.number === known?.number;
    });
    isOvertaken ||= queued === undefined && !(await runs.hasOrigin(origin));
  }
  if (isOvertaken) throw new HostFault(`Pull request ${number} was planned meanwhile`);
}

/**
 * The origin of the plan that comes after the newest one, so that it is made once by whoever makes it; undefined where that
 * one is of this very commit. A plan that was cancelled when the pull request was closed is made again when it is reopened.
 */
function nameOrigin(
  workspaceId: string,
  newest: NewestPlan | undefined,
  { number, head }: PulledCommit,
  commit: string,
): string | undefined {
  if (newest?.isWanted === true && newest.head === head && newest.commit === commit)
    return undefined;
  return `pull:${workspaceId}:${number}:${head}:${commit}:${newest?.number ?? 0}`;
}
