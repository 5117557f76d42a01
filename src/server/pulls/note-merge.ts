// A merged pull request: that it is merged is kept for each workspace of its branch, and who has approved it at its host, where
// the workspace counts that.
import {
  countMergeReviews,
  isReviewCountingWorkspace,
  withdrawReviewApprovals,
} from '../runs/count-reviews.ts';
import { sendRunToEngine, type RunRequestDependencies } from '../runs/request-run.ts';
import { GitHostFault } from '../hosts/host-fault.ts';
import type { MergeReview } from '../store/approvals.ts';
import type { Workspace } from '../store/workspaces.ts';
import type { HostedPullRequest } from './plan-pull.ts';

/**
 * Records that a pull request was merged, in each workspace of its branch, and counts its reviews as approvals of the merge's
 * plan.
 * @throws GitHostFault, also where another process has stored its reviews meanwhile, so that the work is to be repeated
 */
export async function recordMergeAndCountReviews(
  means: RunRequestDependencies & { readonly warn: (text: string) => void },
  { host, repository, pull }: Omit<HostedPullRequest, 'newest'>,
  targets: readonly Workspace[],
): Promise<void> {
  const { store } = means;
  const { number, head, mergeCommit: commit, author } = pull;
  if (commit === undefined) return;
  const place = `pull request #${number} of ${repository}`;
  // Read before the host is asked: events are not in order, and an older list must not take the place of a newer one.
  const kept = await store.approvals.readKeptReviews(
    number,
    targets.map(({ id }) => id),
  );
  // A review that was counted once may be taken back while the workspace counts none.
  const isRead = (one: Workspace) =>
    isReviewCountingWorkspace(one) || kept.get(one.id)?.isAny === true;
  const given = targets.some(isRead)
    ? await readIfAllowed(
        () => host.listApprovals(repository, number),
        (why) => means.warn(`The reviews of ${place} stay as they were: ${why}.`),
      )
    : undefined;
  const authors =
    given && given.length > 0
      ? await readIfAllowed(
          () => host.listPullAuthors(repository, number),
          (why) => means.warn(`The authors of ${place} are not known: ${why}.`),
        )
      : undefined;
  for (const workspace of targets) {
    const { id, applyOnMerge: isApplied, connection } = workspace;
    // One transaction: nobody decides about the merge before its reviews are counted.
    const added = await store.transact(async () => {
      await store.approvals.lock(id);
      await store.pulls.noteMerge(id, number, { commit, head, isApplied });
      if (given && connection !== undefined && isRead(workspace)) {
        const reviews = given.map((one): MergeReview => ({
          identity: `${connection}/${one.person.id}`,
          commit: one.commit,
          at: one.at,
          isAuthor: one.person.id === author,
        }));
        const merge = { pull: number, head, reviews, authors };
        if (!(await store.approvals.noteReviews(id, merge, kept.get(id)?.revision ?? 0)))
          throw new GitHostFault(`The reviews of pull request ${number} were read meanwhile`);
        await withdrawReviewApprovals(store, workspace, merge);
      }
      return countMergeReviews(means, id, commit);
    });
    if (added) await sendRunToEngine(means, id, added);
  }
}

/** Reads a list at a host. One that is refused, or too long, keeps no merge from being noted: `warn` gets the reason. */
async function readIfAllowed<T>(
  read: () => Promise<T | undefined>,
  warn: (why: string) => void,
): Promise<T | undefined> {
  try {
    const found = await read();
    if (found === undefined) warn('there are too many');
    return found;
  } catch (error) {
    if (!(error instanceof GitHostFault) || !isRefusal(error)) throw error;
    warn(error.message);
    return undefined;
  }
}

/** GitHub says 403 of too many requests, too, and when to ask again. */
function isRefusal({ status, retryAfterMs }: GitHostFault): boolean {
  return (status === 403 || status === 404) && retryAfterMs === 0;
}
