// Approvals are of content: what people said of a plan holds for a newer one that equals it, but for a yes of whoever wrote a
// commit since. Where the newer one differs, approvals begin anew.
import { serverActor } from '../audit/audit-entry.ts';
import { administratorMemberId, type ServerMember } from '../people/members.ts';
import {
  ignoredDecisionReasons,
  listApproverNames,
  type ApprovalDecision,
  type ApprovalLapseReason,
} from '../store/approvals.ts';
import type { EqualOlderPlan, StoredRun } from '../store/run.ts';
import type { ServerStore } from '../store/store.ts';
import type { Workspace } from '../store/workspaces.ts';
import type { RunAdditionDependencies } from './request-run.ts';
import { startPlanApprovedByReviews } from './start-approved.ts';

/** A plan that people had approved, and that a newer, different plan has replaced. */
export interface ReplacedApprovedPlan {
  readonly id: string;
  readonly number: number;
  readonly approvedBy: readonly string[];
  /** Differences of the newer plan, one line each. */
  readonly differences: readonly string[];
}

/** Finds the approved plan before a plan, where the two differ, so that people see what they have to approve anew. */
export async function findReplacedApprovedPlan(
  { approvals, reports, runs }: Pick<ServerStore, 'approvals' | 'reports' | 'runs'>,
  planRun: string,
): Promise<ReplacedApprovedPlan | undefined> {
  const compared = await reports.readComparison(planRun);
  if (!compared || compared.isEqual) return undefined;
  const [before, approval] = await Promise.all([
    runs.find(compared.with),
    approvals.read(compared.with),
  ]);
  const approvedBy = approval ? listApproverNames(approval) : [];
  if (!before || approvedBy.length === 0) return undefined;
  if (await approvals.isSpent(before.id, planRun)) return undefined;
  const { id, number } = before;
  return { id, number, approvedBy, differences: compared.differences };
}

/**
 * Copies the decisions about an older plan to an equal newer one, so that nobody has to approve it again; starts the newer plan
 * where that makes it approved. To be called in the transaction that ends the newer plan's run, so that no decision about the
 * older plan comes in between.
 */
export async function transferPlanApprovals(
  means: RunAdditionDependencies,
  run: StoredRun,
  { from, authors }: EqualOlderPlan,
): Promise<void> {
  const { store } = means;
  const [before, older, workspace] = [
    await store.approvals.read(from),
    await store.runs.find(from),
    await store.workspaces.read(run.workspaceId),
  ];
  if (!before || !older || !workspace || (await store.approvals.isSpent(from, run.id))) return;
  const holding = before.decisions.filter(({ ignored }) => (ignored ?? 'role') === 'role');
  if (holding.length === 0) return;
  for (const one of holding) {
    const fell = await findApprovalLapse(store, workspace, one, authors);
    await store.approvals.carry({ from, to: run.id }, one.member, fell);
  }
  const after = await store.approvals.read(run.id);
  if (!after) return;
  const { decisions } = after;
  await store.audit.append(serverActor, {
    act: 'plan.carry',
    target: `workspace/${run.workspace}/run/${run.number}`,
    detail: {
      id: run.id,
      from,
      decisions: decisions.map(({ name, decision, ignored }) => ({ name, decision, ignored })),
    },
    result: 'done',
  });
  const said = decisions.map(describeDecision).join(', ');
  const text = `It is equal to plan #${older.number} in all that people approve: ${said}.`;
  await store.log.add(run.id, [{ stream: 'server', text }]);
  if (after.state === 'approved') await startPlanApprovedByReviews(means, workspace, run.id, after);
}

function describeDecision({ name, decision, ignored }: ApprovalDecision): string {
  const why = ignored ? ` (does not count: ${ignoredDecisionReasons[ignored]})` : '';
  return `${decision} by ${name}${why}`;
}

/**
 * Finds the reason why a yes to an older plan does not count for a newer one: its giver may have written a commit in between.
 * Undefined where it counts; a no always counts.
 */
export async function findApprovalLapse(
  { members }: Pick<ServerStore, 'members'>,
  { connection }: Pick<Workspace, 'connection'>,
  { member, decision }: Pick<ApprovalDecision, 'member' | 'decision'>,
  authors: EqualOlderPlan['authors'],
): Promise<ApprovalLapseReason | undefined> {
  if (decision === 'no' || authors?.size === 0) return undefined;
  const known = member === administratorMemberId ? undefined : await members.find(member);
  if (!authors) return 'unknownCommit';
  if (known && isAuthor(known, connection, authors)) return 'commit';
  return known?.email === undefined ? 'unknownCommit' : undefined;
}

/** The addresses that hosts make up for people who hide theirs begin with their id: `583231+ada@users.noreply.github.com`. */
const hiddenAddress = /^(\d+)[+-][^@]*@users\.noreply\./;

function isAuthor(
  { email, hostIds }: ServerMember,
  connection: string | undefined,
  authors: ReadonlySet<string>,
): boolean {
  if (email !== undefined && authors.has(email.toLowerCase())) return true;
  return [...authors].some((one) => {
    const [, id] = hiddenAddress.exec(one) ?? [];
    return id !== undefined && hostIds.includes(`${connection}/${id}`);
  });
}
