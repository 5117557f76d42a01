// Reviews of a git host as approvals, where the workspace says so: a person who has approved the newest commit of a pull request
// there has said yes to the plan of its merge, if that is the plan that the pull request has shown. A review that is dismissed
// takes the yes back.
import { serverActor } from '../audit/audit-entry.ts';
import { isRoleGranted } from '../people/roles.ts';
import type {
  ApprovalLapseReason,
  MergeReview,
  PlanApprovalStatus,
  MergeWithReviews,
} from '../store/approvals.ts';
import type { StoredRun } from '../store/run.ts';
import type { AddedRun } from '../store/runs.ts';
import type { ServerStore } from '../store/store.ts';
import type { Workspace } from '../store/workspaces.ts';
import { findApprovalLapse } from './carry-approvals.ts';
import { listUnapprovedDifferences } from './compare-changes.ts';
import type { RunAdditionDependencies } from './request-run.ts';
import { startPlanApprovedByReviews } from './start-approved.ts';

/** Workspace that counts the reviews of its git host. */
interface ReviewedWorkspace extends Workspace {
  readonly connection: string;
}

/** Tells whether a workspace counts reviews at its git host as approvals of plans. */
export function isReviewCountingWorkspace(workspace: Workspace): workspace is ReviewedWorkspace {
  return workspace.approvals.hostReviews && workspace.connection !== undefined;
}

/**
 * Counts reviews at the git host as approvals of a planned commit: those of the pull requests whose merge has made it. To be
 * called in a transaction that holds the lock of the workspace.
 * @returns the apply that the last missing approval starts
 */
export async function countMergeReviews(
  means: RunAdditionDependencies,
  workspaceId: string,
  commit: string,
): Promise<AddedRun | undefined> {
  const { approvals, runs, workspaces } = means.store;
  const workspace = await workspaces.read(workspaceId);
  if (!workspace || !isReviewCountingWorkspace(workspace)) return undefined;
  const plan = await runs.findOfCommit(workspaceId, commit);
  const before = plan && (await approvals.read(plan.id));
  if (!plan || !before || !isOpen(before)) return undefined;
  if (await approvals.isCommitSpent(plan)) return undefined;
  for (const merge of await approvals.listReviewedMerges(workspaceId, commit))
    await countMerge(means.store, workspace, plan, merge);
  const after = await approvals.read(plan.id);
  if (after?.state !== 'approved' || before.state === 'approved') return undefined;
  return startPlanApprovedByReviews(means, workspace, plan.id, after);
}

function isOpen({ state }: Pick<PlanApprovalStatus, 'state'>): boolean {
  return state !== 'closed' && state !== 'notNeeded';
}

/** Keeps the yes of each member who has approved the newest commit of a pull request. */
async function countMerge(
  store: ServerStore,
  place: ReviewedWorkspace,
  plan: StoredRun,
  { pull, head, reviews, authors }: MergeWithReviews,
): Promise<void> {
  const { name: workspace, approvals, connection } = place;
  const given = reviews.filter(({ commit }) => commit === head);
  if (given.length === 0) return;
  for (const { identity, isAuthor, at } of given) {
    const member = await store.members.findByHostId(identity);
    const rights = member && (await store.members.findWorkspace(member.id, workspace));
    if (!member || !isRoleGranted(rights?.roles ?? [], 'approve')) continue;
    const said = { member: member.id, decision: 'yes' } as const;
    const ownFall = isAuthor ? 'opened' : await findApprovalLapse(store, place, said, authors);
    const isShown = await hasShown(store, plan, { pull, head, at });
    const fell: ApprovalLapseReason | undefined =
      (approvals.byAuthor ? undefined : ownFall) ?? (isShown ? undefined : 'differs');
    const review = { identity, connection, pull };
    if (!(await store.approvals.keepReview(plan.id, member, review, fell))) continue;
    const after = await store.approvals.read(plan.id);
    const { id, kind, name } = member;
    await store.audit.append(
      { id, kind, name, address: '' },
      {
        act: 'plan.approve',
        target: `workspace/${workspace}/run/${plan.number}`,
        detail: {
          id: plan.id,
          review,
          commit: head,
          given: after?.given,
          needed: after?.needed,
          ...(fell && { ignored: fell }),
        },
        result: 'done',
      },
    );
  }
}

/**
 * True where a pull request has shown a plan of its newest commit by the time of a review, and that one equals the plan of its
 * merge in all that a person approves.
 */
async function hasShown(
  { pulls, reports }: ServerStore,
  { id, workspaceId }: StoredRun,
  { pull, head, at }: Pick<MergeWithReviews, 'pull' | 'head'> & Pick<MergeReview, 'at'>,
): Promise<boolean> {
  const shown = await pulls.findPlan(workspaceId, pull, head, at);
  const [seen, planned] = [
    shown === undefined ? undefined : await reports.readApproved(shown),
    await reports.readApproved(id),
  ];
  if (!seen || !planned) return false;
  return listUnapprovedDifferences(seen, planned, 'plan of the pull request').length === 0;
}

/**
 * Removes approvals of a workspace's plans that came from reviews of a pull request and whose review no longer holds. To be
 * called in a transaction that holds the lock of the workspace. Closed plans are included, as they may open again or pass on
 * their decisions. A queued apply goes on, and has to be cancelled by hand.
 */
export async function withdrawReviewApprovals(
  { approvals, audit }: ServerStore,
  { id: workspaceId, name: workspace }: Pick<Workspace, 'id' | 'name'>,
  { pull, head, reviews }: Omit<MergeWithReviews, 'authors'>,
): Promise<void> {
  const holding = reviews.filter(({ commit }) => commit === head).map(({ identity }) => identity);
  for (const { number, ...detail } of await approvals.withdraw(workspaceId, pull, holding))
    await audit.append(serverActor, {
      act: 'plan.withdraw',
      target: `workspace/${workspace}/run/${number}`,
      detail,
      result: 'done',
    });
}
