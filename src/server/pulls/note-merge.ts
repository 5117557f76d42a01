// A merged pull request: that it is merged is kept for each workspace of its branch, and who has approved it at its host, where
// the workspace counts that.
import { countReviews, isReviewedWorkspace, withdrawReviews } from '../runs/count-reviews.ts';
import { sendRunToEngine, type RunRequestDependencies } from '../runs/request-run.ts';
import type { MergeReview } from '../store/approvals.ts';
import type { Workspace } from '../store/workspaces.ts';
import type { HostedPullRequest } from './plan-pull.ts';

/** Keeps that a pull request is merged, and counts its reviews as they are now. @throws GitHostFault */
export async function noteMergedPull(
  means: RunRequestDependencies,
  { host, repository, pull }: Omit<HostedPullRequest, 'newest'>,
  targets: readonly Workspace[],
): Promise<void> {
  const { store } = means;
  const { number, head, mergeCommit: commit, author } = pull;
  if (commit === undefined) return;
  const given = targets.some(isReviewedWorkspace)
    ? await host.listApprovals(repository, number)
    : [];
  for (const workspace of targets) {
    const { id, applyOnMerge: isApplied } = workspace;
    // One transaction: nobody decides about the merge before its reviews are counted.
    const added = await store.transact(async () => {
      await store.approvals.lock(id);
      await store.pulls.noteMerge(id, number, { commit, head, isApplied });
      if (!isReviewedWorkspace(workspace)) return undefined;
      const reviews = given.map((one): MergeReview => ({
        identity: `${workspace.connection}/${one.person.id}`,
        commit: one.commit,
        isAuthor: one.person.id === author,
      }));
      await store.approvals.noteReviews(id, number, reviews);
      await withdrawReviews(store, id, { pull: number, head, reviews });
      return countReviews(means, id, commit);
    });
    if (added) await sendRunToEngine(means, id, added);
  }
}
