// Reviews of a git host as approvals, where the workspace says so: a person who has approved the newest commit of a pull request
// there has said yes to the plan of its merge, if that is the plan that the pull request has shown. A review that is dismissed
// takes the yes back.
import { serverActor } from '../audit/audit-entry.ts';
import { isRoleGranted } from '../people/roles.ts';
import type {
  FallenApproval,
  MergeReview,
  PlanApproval,
  ReviewedMerge,
} from '../store/approvals.ts';
import type { StoredRun } from '../store/run.ts';
import type { AddedRun } from '../store/runs.ts';
import type { ServerStore } from '../store/store.ts';
import type { Workspace } from '../store/workspaces.ts';
import { findApprovalFall } from './carry-approvals.ts';
import { listUnapprovedDifferences } from './compare-changes.ts';
import type { RunAdditionDependencies } from './request-run.ts';
import { startCountedPlan } from './start-approved.ts';

/** Workspace that counts the reviews of its git host. */
interface ReviewedWorkspace extends Workspace {
  readonly connection: string;
}

/** True for a workspace that counts the reviews of its git host. */
export function isReviewedWorkspace(workspace: Workspace): workspace is ReviewedWorkspace {
  return workspace.approvals.hostReviews && workspace.connection !== undefined;
}

/**
 * Counts the reviews of the merges that have made a commit, once it is planned, in a transaction that holds the lock of the
 * workspace. @returns the apply that the last yes starts
 */
export async function countReviews(
  means: RunAdditionDependencies,
  workspaceId: string,
  commit: string,
): Promise<AddedRun | undefined> {
  const { approvals, runs, workspaces } = means.store;
  const workspace = await workspaces.read(workspaceId);
  if (!workspace || !isReviewedWorkspace(workspace)) return undefined;
  const plan = await runs.findOfCommit(workspaceId, commit);
  const before = plan && (await approvals.read(plan.id));
  if (!plan || !before || !isOpen(before)) return undefined;
  if (await approvals.isCommitSpent(plan)) return undefined;
  for (const merge of await approvals.listReviewedMerges(workspaceId, commit))
    await countMerge(means.store, workspace, plan, merge);
  const after = await approvals.read(plan.id);
  if (after?.state !== 'approved' || before.state === 'approved') return undefined;
  return startCountedPlan(means, workspace, plan.id, after);
}

function isOpen({ state }: Pick<PlanApproval, 'state'>): boolean {
  return state !== 'closed' && state !== 'notNeeded';
}

/** Keeps the yes of each member who has approved the newest commit of a pull request. */
async function countMerge(
  store: ServerStore,
  place: ReviewedWorkspace,
  plan: StoredRun,
  { pull, head, reviews, authors }: ReviewedMerge,
): Promise<void> {
  const { name: workspace, approvals, connection } = place;
  const given = reviews.filter(({ commit }) => commit === head);
  if (given.length === 0) return;
  for (const { identity, isAuthor, at } of given) {
    const member = await store.members.findByHostId(identity);
    const rights = member && (await store.members.findWorkspace(member.id, workspace));
    if (!member || !isRoleGranted(rights?.roles ?? [], 'approve')) continue;
    const said = { member: member.id, decision: 'yes' } as const;
    const ownFall = isAuthor ? 'opened' : await findApprovalFall(store, place, said, authors);
    const isShown = await hasShown(store, plan, { pull, head, at });
    const fell: FallenApproval | undefined =
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
  { pull, head, at }: Pick<ReviewedMerge, 'pull' | 'head'> & Pick<MergeReview, 'at'>,
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
 * Takes back each yes to a plan of a workspace whose review of a pull request does not hold any more, in a transaction that holds
 * the lock of the workspace. A plan that is closed for now may be open again, or lend its decisions to a later one, so that it
 * counts for nothing which plan that is. An apply that is queued is spent: it is cancelled by hand.
 */
export async function withdrawReviews(
  { approvals, audit }: ServerStore,
  { id: workspaceId, name: workspace }: Pick<Workspace, 'id' | 'name'>,
  { pull, head, reviews }: Omit<ReviewedMerge, 'authors'>,
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
