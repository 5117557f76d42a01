// Decisions of people about saved plans: one decision of each person a plan. Approval follows from these and from the rule of
// the workspace, each time anew.
import { buildApproverCondition, type ServerMember } from '../people/members.ts';
import { serverSchemaName, type DatabaseRow, type ServerDatabase } from '../database/database.ts';
import type { CarriedPlan, StoredRun } from './run.ts';
import type { Schemas } from '../contract.ts';

/** Decision of one person about a plan. */
export type ApprovalDecision = Schemas['Approval']['decisions'][number];

/** State of the approval of a plan. `closed`: a newer run took its place, or it was applied, or changes nothing. */
export type ApprovalState = Schemas['Approval']['state'];

/** SQL of how many approvals a plan needs: as many as its workspace asks for, or its policies where that is more. Both are SQL, too. */
export function buildNeededApprovals(workspace: string, run: string): string {
  return `greatest(${workspace}.approvals_needed, (SELECT max(asked.approvals_needed) FROM ${serverSchemaName}.run_reports asked WHERE asked.run = ${run}))`;
}

/** SQL that says whether the review behind a decision counts: it is of nobody, or its workspace asks for reviews, and who gave it is still that member. */
export function buildCountedReview(decision: string, workspace: string): string {
  return `(${decision}.review IS NULL OR ${workspace}.approval_host_reviews AND EXISTS (SELECT 1 FROM ${serverSchemaName}.members reviewer
    WHERE reviewer.id::text = ${decision}.member AND reviewer.host_ids @> ARRAY[${decision}.review->>'identity']))`;
}

/** Tells whether the approvals allow a plan to be applied. */
export function isPlanApproved({ state }: Pick<PlanApproval, 'state'>): boolean {
  return state === 'notNeeded' || state === 'approved';
}

/** Names of the people whose approval of a plan counts. */
export function listApproverNames({ decisions }: Pick<PlanApproval, 'decisions'>): string[] {
  return decisions
    .filter(({ decision, counts }) => decision === 'yes' && counts)
    .map(({ name }) => name);
}

/** Words for why a decision about a plan does not count, of whoever made it. */
export const ignoredDecisionReasons = {
  author: 'started the plan',
  role: 'has the role no longer',
  commit: 'wrote one of its commits',
  unknownCommit: 'may have written one of its commits',
  opened: 'opened the pull request',
  differs: 'saw no plan that is equal to this one in the pull request',
} as const satisfies Record<NonNullable<ApprovalDecision['ignored']>, string>;

/** A review at a git host that counts as an approval: who gave it, as `github/583231`, and of which pull request. */
interface DecisionReview {
  readonly identity: string;
  readonly connection: string;
  readonly pull: number;
}

/** Approval of a merged pull request at its host, as it was read last. */
export interface MergeReview extends Pick<DecisionReview, 'identity'> {
  /** Hash of the commit that was approved. */
  readonly commit: string;
  /** Time of the approval at its host. */
  readonly at: string;
  /** Set where the pull request is of the same person. */
  readonly isAuthor: boolean;
}

/** Decision that is forgotten: its plan, and whose it was. */
interface WithdrawnDecision extends Pick<ApprovalDecision, 'member' | 'name'> {
  readonly id: string;
  readonly number: number;
  readonly review: DecisionReview;
}

/** State of what is kept of the reviews of a pull request in a workspace. */
interface KeptReviews {
  /** Number that grows with each list of reviews that is kept. */
  readonly revision: number;
  /** Set where some review is kept, or a decision by one. */
  readonly isAny: boolean;
}

/** Merge with the approvals of its pull request. */
export interface ReviewedMerge {
  readonly pull: number;
  /** Hash of the newest commit of the pull request. */
  readonly head: string;
  readonly reviews: readonly MergeReview[];
  /** E-mail addresses of whoever wrote its commits; undefined where nobody knows. */
  readonly authors: CarriedPlan['authors'];
}

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

/** True in SQL for an `apply` that has begun, or is going to. */
const hasBegun = `(apply.status NOT IN ('cancelled', 'superseded') OR apply.started_at IS NOT NULL)`;

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
           FROM ${serverSchemaName}.approvals a WHERE a.plan_run = run.id AND ${buildCountedReview('a', 'w')}) d), '[]') AS decisions
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
         carried_from = NULL, fell = NULL, review = NULL`,
      [planRun, member, name, decision, comment],
    );
  }

  /**
   * Keeps a review as a yes, unless its giver has decided by themselves, or has a yes that fell since they wrote a commit, or may
   * have. @returns false where nothing is new
   * @param fell why it does not count
   */
  async keepReview(
    planRun: string,
    { id, name }: Pick<ServerMember, 'id' | 'name'>,
    review: DecisionReview,
    fell: FallenApproval | undefined,
  ): Promise<boolean> {
    const rows = await this.#database.ask(
      `INSERT INTO ${serverSchemaName}.approvals AS known (plan_run, member, name, decision, comment, review, fell)
       VALUES ($1, $2, $3, 'yes', '', $4, $5)
       ON CONFLICT (plan_run, member) DO UPDATE SET name = $3, at = clock_timestamp(), comment = '', carried_from = NULL, review = $4, fell = $5
         WHERE known.decision = 'yes' AND known.fell IN ('opened', 'differs') AND (known.review, known.fell) IS DISTINCT FROM ($4::jsonb, $5::text)
       RETURNING 1`,
      [planRun, id, name, JSON.stringify(review), fell ?? null],
    );
    return rows.length > 0;
  }

  /**
   * Forgets each decision by a review of a pull request that holds no more, but for those about plans whose apply has begun.
   * @param holding identities whose reviews hold
   */
  async withdraw(
    workspaceId: string,
    pull: number,
    holding: readonly string[],
  ): Promise<readonly WithdrawnDecision[]> {
    const rows = await this.#database.ask<Omit<WithdrawnDecision, 'number'> & { number: string }>(
      `DELETE FROM ${serverSchemaName}.approvals known USING ${serverSchemaName}.runs plan
       WHERE plan.id = known.plan_run AND plan.workspace = $1 AND (known.review->>'pull')::int = $2
         AND known.review->>'identity' <> ALL ($3::text[])
         AND NOT EXISTS (SELECT 1 FROM ${serverSchemaName}.runs apply WHERE apply.plan_run = plan.id AND apply.started_at IS NOT NULL)
       RETURNING plan.id, plan.number, member, name, review`,
      [workspaceId, pull, holding],
    );
    return rows.map((row) => ({ ...row, number: Number(row.number) }));
  }

  /** The kept reviews of a pull request, by the ids of some workspaces. */
  async readKeptReviews(
    pull: number,
    workspaceIds: readonly string[],
  ): Promise<ReadonlyMap<string, KeptReviews>> {
    const rows = await this.#database.ask<{ id: string; revision: number; is_any: boolean }>(
      `SELECT w.id, coalesce(merged.reviews_revision, 0) AS revision, coalesce(merged.reviews <> '[]', false)
         OR EXISTS (SELECT 1 FROM ${serverSchemaName}.approvals a JOIN ${serverSchemaName}.runs plan ON plan.id = a.plan_run
           WHERE plan.workspace = w.id AND (a.review->>'pull')::int = $1) AS is_any
       FROM ${serverSchemaName}.workspaces w
       LEFT JOIN ${serverSchemaName}.merged_pulls merged ON merged.workspace = w.id AND merged.pull_number = $1 WHERE w.id = ANY ($2::uuid[])`,
      [pull, workspaceIds],
    );
    return new Map(rows.map(({ id, revision, is_any: isAny }) => [id, { revision, isAny }]));
  }

  /**
   * Keeps who has approved the pull request of a merge. @returns false, and keeps nothing, where other reviews were kept meanwhile
   * @param revision of what was kept before the host was asked
   */
  async noteReviews(
    workspaceId: string,
    { pull, reviews, authors }: Omit<ReviewedMerge, 'head'>,
    revision: number,
  ): Promise<boolean> {
    const rows = await this.#database.ask(
      `UPDATE ${serverSchemaName}.merged_pulls SET reviews = $3, authors = $5, reviews_revision = reviews_revision + 1
       WHERE workspace = $1 AND pull_number = $2 AND reviews_revision = $4 RETURNING 1`,
      [workspaceId, pull, JSON.stringify(reviews), revision, authors ? [...authors] : null],
    );
    return rows.length > 0;
  }

  /** The merges that have made a commit of the branch, with who has approved them. */
  async listReviewedMerges(workspaceId: string, commit: string): Promise<readonly ReviewedMerge[]> {
    const rows = await this.#database.ask<{
      pull_number: number;
      head: string;
      reviews: readonly MergeReview[];
      authors: readonly string[] | null;
    }>(
      `SELECT pull_number, head, reviews, authors FROM ${serverSchemaName}.merged_pulls WHERE workspace = $1 AND commit = $2 ORDER BY pull_number`,
      [workspaceId, commit],
    );
    return rows.map(({ pull_number: pull, head, reviews, authors }) => ({
      pull,
      head,
      reviews,
      authors: authors ? new Set(authors) : undefined,
    }));
  }

  /** Lets a decision about an older plan hold for another one, or shows there why it does not. It keeps the plan that it was made about. */
  async carry(
    { from, to }: { readonly from: string; readonly to: string },
    member: string,
    fell: FallenApproval | undefined,
  ): Promise<void> {
    await this.#database.ask(
      `INSERT INTO ${serverSchemaName}.approvals (plan_run, member, name, decision, comment, at, review, carried_from, fell)
       SELECT $2, member, name, decision, comment, at, review, coalesce(carried_from, plan_run), $4
         FROM ${serverSchemaName}.approvals WHERE plan_run = $1 AND member = $3`,
      [from, to, member, fell ?? null],
    );
  }

  /** True where an apply of the commit of a plan has begun before that plan. Then reviews of its merge are spent. */
  async isCommitSpent({ workspaceId, commit, number }: StoredRun): Promise<boolean> {
    const rows = await this.#database.ask(
      `SELECT 1 FROM ${serverSchemaName}.runs apply WHERE workspace = $1 AND commit = $2 AND number < $3 AND operation = 'apply'
         AND ${hasBegun} LIMIT 1`,
      [workspaceId, commit, number],
    );
    return rows.length > 0;
  }

  /** True where a plan was applied, or an apply of it or a destroy began, before another run of its workspace. Then decisions about it are spent. */
  async isSpent(planRun: string, before: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `SELECT 1 FROM ${serverSchemaName}.runs plan JOIN ${serverSchemaName}.runs later ON later.id = $2
       JOIN ${serverSchemaName}.runs apply ON apply.workspace = plan.workspace
         AND apply.number > plan.number AND apply.number < later.number
       WHERE plan.id = $1 AND apply.operation IN ('apply', 'destroy')
         AND ${hasBegun} LIMIT 1`,
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
  readonly review: DecisionReview | null;
}

/**
 * Why a yes does not count, as decided when it came: it is of an older plan, and of whoever wrote a commit since, or may have done
 * so; or it is a review of whoever opened the pull request, or wrote one of its commits, or of one that had shown another plan.
 */
export type FallenApproval = Exclude<NonNullable<ApprovalDecision['ignored']>, 'author' | 'role'>;

/** `author` is whoever started the plan, where their yes is not enough. */
function readDecision(row: DecisionRow, author: string | undefined): ApprovalDecision {
  const { member, name, decision, comment, at, is_current: isCurrent } = row;
  const isOwnYes = decision === 'yes' && member === author;
  // The role may come back, so that it is asked for last: what does not hold for the next plan must not hide behind it.
  const ignored = row.fell ?? (isOwnYes ? 'author' : isCurrent ? undefined : 'role');
  const { carried_from: id, carried_number: number, review } = row;
  return {
    member,
    name,
    decision,
    comment,
    at: new Date(at).toISOString(),
    counts: ignored === undefined,
    ...(ignored && { ignored }),
    ...(id !== null && number !== null && { carriedFrom: { id, number } }),
    ...(review && { review: { connection: review.connection, pull: review.pull } }),
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
