// Decisions of people about saved plans: one decision of each person a plan. Approval follows from these and from the rule of
// the workspace, each time anew.
import { buildApproverCondition } from '../people/members.ts';
import { serverSchemaName, type DatabaseRow, type ServerDatabase } from '../database/database.ts';
import type { Schemas } from '../contract.ts';

/** Decision of one person about a plan. */
export type ApprovalDecision = Schemas['Approval']['decisions'][number];

/** State of the approval of a plan. `closed`: a newer run took its place, or it was applied, or changes nothing. */
export type ApprovalState = Schemas['Approval']['state'];

/** SQL of how many approvals a plan needs: as many as its workspace asks for, or its policies where that is more. Both are SQL, too. */
export function buildNeededApprovals(workspace: string, run: string): string {
  return `greatest(${workspace}.approvals_needed, (SELECT max(asked.approvals_needed) FROM ${serverSchemaName}.run_reports asked WHERE asked.run = ${run}))`;
}

/** Tells whether the approvals allow a plan to be applied. */
export function isPlanApproved({ state }: Pick<PlanApproval, 'state'>): boolean {
  return state === 'notNeeded' || state === 'approved';
}

/** Names of those whose yes to a plan counts. */
export function listApproverNames({ decisions }: Pick<PlanApproval, 'decisions'>): string[] {
  return decisions
    .filter(({ decision, counts }) => decision === 'yes' && counts)
    .map(({ name }) => name);
}

/** Words for why a decision about a plan does not count, of whoever made it. */
export const ignoredDecisionReasons = {
  author: 'started the plan',
  role: 'has the role no longer',
  commit: 'wrote a commit since',
  unknownCommit: 'may have written a commit since',
} as const satisfies Record<NonNullable<ApprovalDecision['ignored']>, string>;

/** The approval of one plan, with its decisions. */
export interface PlanApproval {
  readonly state: ApprovalState;
  readonly needed: number;
  /** Policies that ask for as many, where the workspace itself asks for fewer. */
  readonly policies: string[];
  /** Number of approvals by people whose decisions count. */
  readonly given: number;
  readonly byAuthor: boolean;
  readonly applyWhenApproved: boolean;
  /** Member who started the plan; undefined for the server. */
  readonly author: string | undefined;
  readonly decisions: readonly ApprovalDecision[];
}

/** Approvals of plans in the server's database. */
export class ApprovalStore {
  readonly #database: ServerDatabase;

  constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** Reads the approval of a plan; undefined where there is no such run. */
  async read(planRun: string): Promise<PlanApproval | undefined> {
    const rows = await this.#database.ask<ApprovalRow>(
      `SELECT ${buildNeededApprovals('w', 'run.id')} AS approvals_needed, w.approvals_needed AS own_needed,
         (SELECT approval_policies FROM ${serverSchemaName}.run_reports r WHERE r.run = run.id) AS approval_policies, w.approval_by_author, w.apply_when_approved, run.requested_by,
         run.operation = 'plan' AND run.has_changes AND run.plan_file IS NOT NULL AND w.settled_run = run.id
           AND NOT EXISTS (SELECT 1 FROM ${serverSchemaName}.runs WHERE plan_run = run.id AND status IN ('queued', 'running')) AS is_open,
         coalesce((SELECT json_agg(d ORDER BY d.at) FROM (SELECT a.*, ${buildApproverCondition('a.member', 'w.id')} AS is_current,
           (SELECT number FROM ${serverSchemaName}.runs WHERE id = a.carried_from) AS carried_number
           FROM ${serverSchemaName}.approvals a WHERE a.plan_run = run.id) d), '[]') AS decisions
       FROM ${serverSchemaName}.runs run JOIN ${serverSchemaName}.workspaces w ON w.id = run.workspace WHERE run.id = $1`,
      [planRun],
    );
    return rows.map(readApproval)[0];
  }

  /** Has others who decide about plans of a workspace, or queue runs of it, wait for the end of this transaction. */
  async lock(workspaceId: string): Promise<void> {
    await this.#database.ask(
      `SELECT 1 AS one FROM ${serverSchemaName}.workspaces WHERE id = $1 FOR NO KEY UPDATE`,
      [workspaceId],
    );
  }

  /** Keeps a decision, in the place of an earlier one of the same person. */
  async keep(
    planRun: string,
    {
      member,
      name,
      decision,
      comment,
    }: Pick<ApprovalDecision, 'member' | 'name' | 'decision' | 'comment'>,
  ): Promise<void> {
    await this.#database.ask(
      `INSERT INTO ${serverSchemaName}.approvals (plan_run, member, name, decision, comment) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (plan_run, member) DO UPDATE SET name = $3, decision = $4, comment = $5, at = clock_timestamp(),
         carried_from = NULL, fell = NULL`,
      [planRun, member, name, decision, comment],
    );
  }

  /** Lets a decision about an older plan hold for another one, or shows there why it does not. It keeps the plan that it was made about. */
  async carry(
    { from, to }: { readonly from: string; readonly to: string },
    member: string,
    fell: FallenApproval | undefined,
  ): Promise<void> {
    await this.#database.ask(
      `INSERT INTO ${serverSchemaName}.approvals (plan_run, member, name, decision, comment, at, carried_from, fell)
       SELECT $2, member, name, decision, comment, at, coalesce(carried_from, plan_run), $4
         FROM ${serverSchemaName}.approvals WHERE plan_run = $1 AND member = $3`,
      [from, to, member, fell ?? null],
    );
  }

  /** True where a plan was applied, or an apply of it or a destroy began, before another run of its workspace. Then decisions about it are spent. */
  async isSpent(planRun: string, before: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `SELECT 1 FROM ${serverSchemaName}.runs plan JOIN ${serverSchemaName}.runs later ON later.id = $2
       JOIN ${serverSchemaName}.runs apply ON apply.workspace = plan.workspace
         AND apply.number > plan.number AND apply.number < later.number
       WHERE plan.id = $1 AND apply.operation IN ('apply', 'destroy')
         AND (apply.status NOT IN ('cancelled', 'superseded') OR apply.started_at IS NOT NULL) LIMIT 1`,
      [planRun, before],
    );
    return rows.length > 0;
  }
}

interface DecisionRow {
  readonly member: string;
  readonly name: string;
  readonly decision: 'yes' | 'no';
  readonly comment: string;
  readonly at: string;
  readonly is_current: boolean;
  readonly carried_from: string | null;
  readonly carried_number: number | null;
  readonly fell: FallenApproval | null;
}

/** Why a yes does not hold for a newer plan that is equal: a commit of its giver since, or one of nobody knows whom. */
export type FallenApproval = Extract<ApprovalDecision['ignored'], 'commit' | 'unknownCommit'>;

/** `author` is whoever started the plan, where their yes is not enough. */
function readDecision(row: DecisionRow, author: string | undefined): ApprovalDecision {
  const { member, name, decision, comment, at, is_current: isCurrent } = row;
  const isOwnYes = decision === 'yes' && member === author;
  // The role may come back, so that it is asked for last: what does not hold for the next plan must not hide behind it.
  const ignored = row.fell ?? (isOwnYes ? 'author' : isCurrent ? undefined : 'role');
  const { carried_from: id, carried_number: number } = row;
  return {
    member,
    name,
    decision,
    comment,
    at: new Date(at).toISOString(),
    counts: ignored === undefined,
    ...(ignored && { ignored }),
    ...(id !== null && number !== null && { carriedFrom: { id, number } }),
  };
}

interface ApprovalRow extends DatabaseRow {
  readonly approvals_needed: number;
  readonly own_needed: number;
  readonly approval_policies: readonly string[] | null;
  readonly approval_by_author: boolean;
  readonly apply_when_approved: boolean;
  readonly requested_by: string | null;
  readonly decisions: readonly DecisionRow[];
  readonly is_open: boolean | null;
}

function readApproval(row: ApprovalRow): PlanApproval {
  const needed = row.approvals_needed;
  const byAuthor = row.approval_by_author;
  const author = row.requested_by ?? undefined;
  const decisions = row.decisions.map((one) => readDecision(one, byAuthor ? undefined : author));
  const given = decisions.filter(({ decision, counts }) => decision === 'yes' && counts).length;
  const isRejected = decisions.some(({ decision, counts }) => decision === 'no' && counts);
  const open = isRejected ? 'rejected' : given >= needed ? 'approved' : 'waiting';
  const isOpen = row.is_open === true;
  // Anybody who may approve can say no to a plan, also where nobody has to say yes.
  const isNeeded = needed > 0 || (isOpen && isRejected);
  const state = !isNeeded ? 'notNeeded' : isOpen ? open : 'closed';
  const applyWhenApproved = row.apply_when_approved;
  const policies = needed > row.own_needed ? [...(row.approval_policies ?? [])] : [];
  return { state, needed, policies, given, byAuthor, applyWhenApproved, author, decisions };
}
