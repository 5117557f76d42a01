// Approvals are of content: what people said of a plan holds for a newer one that equals it, but for a yes of whoever wrote a
// commit since. Where the newer one differs, approvals begin anew.
import { serverActor } from '../audit/audit-entry.ts';
import { administratorMember, type ServerMember } from '../people/members.ts';
import {
  ignoredDecisionReasons,
  listApproverNames,
  type ApprovalDecision,
  type FallenApproval,
} from '../store/approvals.ts';
import type { CarriedPlan, StoredRun } from '../store/run.ts';
import type { ServerStore } from '../store/store.ts';
import type { Workspace } from '../store/workspaces.ts';
import type { RunAdditionDependencies } from './request-run.ts';
import { startCountedPlan } from './start-approved.ts';

/** The plan before, which people had approved, and from which a newer one differs. */
export interface ReplacedApprovedPlan {
  readonly id: string;
  readonly number: number;
  readonly approvedBy: readonly string[];
  /** Differences of the newer plan, one line each. */
  readonly differences: readonly string[];
}

/** Finds the plan before a plan, where people had said yes to it and the two are not equal. */
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
 * Lets the decisions about an older plan hold for an equal one that has just ended, in the transaction that has ended it: so no
 * decision about the older one comes in between. What the last yes that was missing starts is started.
 */
export async function carryApprovals(
  means: RunAdditionDependencies,
  run: StoredRun,
  { from, authors }: CarriedPlan,
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
    const fell = await findApprovalFall(store, workspace, one, authors);
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
  if (after.state === 'approved') await startCountedPlan(means, workspace, run.id, after);
}

function describeDecision({ name, decision, ignored }: ApprovalDecision): string {
  const why = ignored ? ` (does not count: ${ignoredDecisionReasons[ignored]})` : '';
  return `${decision} by ${name}${why}`;
}

/** Why a decision does not hold after some commits; undefined where it does. A no holds whoever wrote a commit. */
export async function findApprovalFall(
  { members }: Pick<ServerStore, 'members'>,
  { connection }: Pick<Workspace, 'connection'>,
  { member, decision }: Pick<ApprovalDecision, 'member' | 'decision'>,
  authors: CarriedPlan['authors'],
): Promise<FallenApproval | undefined> {
  if (decision === 'no' || authors?.size === 0) return undefined;
  const known = member === administratorMember ? undefined : await members.find(member);
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
