// Decisions of people about saved plans: one decision of each person a plan. Approval follows from these and from the rule of
// the workspace, each time anew.
import { buildApproverCondition, type ServerMember } from '../people/members.ts';
import {
  serverDatabaseSchemaName,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';
import type { EqualOlderPlan, StoredRun } from './run.ts';
import type { Schemas } from '../contract.ts';

/** Decision of one person about a plan. */
export type ApprovalDecision = Schemas['Approval']['decisions'][number];

/** State of the approval of a plan. `closed`: a newer run took its place, or it was applied, or changes nothing. */
export type ApprovalState = Schemas['Approval']['state'];

/**
 * SQL expression for the number of approvals that a plan needs: the number of its workspace, or that of its policies where it is
 * higher. Both arguments are SQL expressions.
 */
export function buildNeededApprovalsSql(workspace: string, run: string): string {
  return `greatest(${workspace}.approvals_needed, (SELECT max(asked.approvals_needed) FROM ${serverDatabaseSchemaName}.run_reports asked WHERE asked.run = ${run}))`;
}

/**
 * SQL condition that a decision counts as far as reviews are concerned: it comes from no review, or its workspace counts reviews
 * and the reviewer is still the same member.
 */
export function buildCountedReviewCondition(decision: string, workspace: string): string {
  return `(${decision}.review IS NULL OR ${workspace}.approval_host_reviews AND EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.members reviewer
    WHERE reviewer.id::text = ${decision}.member AND reviewer.host_ids @> ARRAY[${decision}.review->>'identity']))`;
}

/** Tells whether the approvals allow a plan to be applied. */
export function isPlanApproved({ state }: Pick<PlanApprovalStatus, 'state'>): boolean {
  return state === 'notNeeded' || state === 'approved';
}

/** Names of the people whose approval of a plan counts. */
export function listApproverNames({ decisions }: Pick<PlanApprovalStatus, 'decisions'>): string[] {
  return decisions
    .filter(({ decision, counts }) => decision === 'yes' && counts)
    .map(({ name }) => name);
}

/** Texts that explain why a decision about a plan does not count. */
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

/** A merge into the branch, with the approvals of its pull request at the git host. */
export interface MergeWithReviews {
  readonly pull: number;
  /** Hash of the newest commit of the pull request. */
  readonly head: string;
  readonly reviews: readonly MergeReview[];
  /** E-mail addresses of whoever wrote its commits; undefined where nobody knows. */
  readonly authors: EqualOlderPlan['authors'];
}

/** Progress of the approval of one plan: the decisions so far, and the number of approvals that it needs. */
export interface PlanApprovalStatus {
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
  async read(planRun: string): Promise<PlanApprovalStatus | undefined> {
    const rows = await this.#database.ask<ApprovalRow>(
      `SELECT ${buildNeededApprovalsSql('w', 'run.id')} AS approvals_needed, w.approvals_needed AS own_needed,
         (SELECT approval_policies FROM ${serverDatabaseSchemaName}.run_reports r WHERE r.run = run.id) AS approval_policies, w.approval_by_author, w.apply_when_approved, run.requested_by,
         run.operation = 'plan' AND run.has_changes AND run.plan_file IS NOT NULL AND w.settled_run = run.id
           AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs WHERE plan_run = run.id AND status IN ('queued', 'running')) AS is_open,
         coalesce((SELECT json_agg(d ORDER BY d.at) FROM (SELECT a.*, ${buildApproverCondition('a.member', 'w.id')} AS is_current,
           (SELECT number FROM ${serverDatabaseSchemaName}.runs WHERE id = a.carried_from) AS carried_number
           FROM ${serverDatabaseSchemaName}.approvals a WHERE a.plan_run = run.id AND ${buildCountedReviewCondition('a', 'w')}) d), '[]') AS decisions
       FROM ${serverDatabaseSchemaName}.runs run JOIN ${serverDatabaseSchemaName}.workspaces w ON w.id = run.workspace WHERE run.id = $1`,
      [planRun],
    );
    return rows.map(readApproval)[0];
  }

  /** Locks a workspace until the transaction ends, against other decisions about its plans and other new runs. */
  async lock(workspaceId: string): Promise<void> {
    await this.#database.ask(
      `SELECT 1 AS one FROM ${serverDatabaseSchemaName}.workspaces WHERE id = $1 FOR NO KEY UPDATE`,
      [workspaceId],
    );
  }

  /** Stores a decision, in place of an earlier one by the same person. */
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
      `INSERT INTO ${serverDatabaseSchemaName}.approvals (plan_run, member, name, decision, comment) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (plan_run, member) DO UPDATE SET name = $3, decision = $4, comment = $5, at = clock_timestamp(),
         carried_from = NULL, fell = NULL, review = NULL`,
      [planRun, member, name, decision, comment],
    );
  }

  /**
   * Stores a review as a yes, unless its giver has decided without a review, or had a yes that lapsed because they may have
   * written a commit.
   * @returns false where nothing is new
   * @param fell reason why the review does not count
   */
  async keepReview(
    planRun: string,
    { id, name }: Pick<ServerMember, 'id' | 'name'>,
    review: DecisionReview,
    fell: ApprovalLapseReason | undefined,
  ): Promise<boolean> {
    const rows = await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.approvals AS known (plan_run, member, name, decision, comment, review, fell)
       VALUES ($1, $2, $3, 'yes', '', $4, $5)
       ON CONFLICT (plan_run, member) DO UPDATE SET name = $3, at = clock_timestamp(), comment = '', carried_from = NULL, review = $4, fell = $5
         WHERE known.decision = 'yes' AND known.fell IN ('opened', 'differs') AND (known.review, known.fell) IS DISTINCT FROM ($4::jsonb, $5::text)
       RETURNING 1`,
      [planRun, id, name, JSON.stringify(review), fell ?? null],
    );
    return rows.length > 0;
  }

  /**
   * Deletes the decisions from reviews of a pull request that no longer hold, except those about plans whose apply has begun.
   * @param holding identities of people whose reviews hold
   */
  async withdraw(
    workspaceId: string,
    pull: number,
    holding: readonly string[],
  ): Promise<readonly WithdrawnDecision[]> {
    const rows = await this.#database.ask<Omit<WithdrawnDecision, 'number'> & { number: string }>(
      `DELETE FROM ${serverDatabaseSchemaName}.approvals known USING ${serverDatabaseSchemaName}.runs plan
       WHERE plan.id = known.plan_run AND plan.workspace = $1 AND (known.review->>'pull')::int = $2
         AND known.review->>'identity' <> ALL ($3::text[])
         AND NOT EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.runs apply WHERE apply.plan_run = plan.id AND apply.started_at IS NOT NULL)
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
         OR EXISTS (SELECT 1 FROM ${serverDatabaseSchemaName}.approvals a JOIN ${serverDatabaseSchemaName}.runs plan ON plan.id = a.plan_run
           WHERE plan.workspace = w.id AND (a.review->>'pull')::int = $1) AS is_any
       FROM ${serverDatabaseSchemaName}.workspaces w
       LEFT JOIN ${serverDatabaseSchemaName}.merged_pulls merged ON merged.workspace = w.id AND merged.pull_number = $1 WHERE w.id = ANY ($2::uuid[])`,
      [pull, workspaceIds],
    );
    return new Map(rows.map(({ id, revision, is_any: isAny }) => [id, { revision, isAny }]));
  }

  /**
   * Stores who has approved the pull request of a merge.
   * @returns false, and stores nothing, where another process has stored reviews meanwhile
   * @param revision revision of the stored reviews before the host was asked
   */
  async noteReviews(
    workspaceId: string,
    { pull, reviews, authors }: Omit<MergeWithReviews, 'head'>,
    revision: number,
  ): Promise<boolean> {
    const rows = await this.#database.ask(
      `UPDATE ${serverDatabaseSchemaName}.merged_pulls SET reviews = $3, authors = $5, reviews_revision = reviews_revision + 1
       WHERE workspace = $1 AND pull_number = $2 AND reviews_revision = $4 RETURNING 1`,
      [workspaceId, pull, JSON.stringify(reviews), revision, authors ? [...authors] : null],
    );
    return rows.length > 0;
  }

  /** Lists the merges that have made a commit of the branch, each with the people who approved it. */
  async listReviewedMerges(
    workspaceId: string,
    commit: string,
  ): Promise<readonly MergeWithReviews[]> {
    const rows = await this.#database.ask<{
      pull_number: number;
      head: string;
      reviews: readonly MergeReview[];
      authors: readonly string[] | null;
    }>(
      `SELECT pull_number, head, reviews, authors FROM ${serverDatabaseSchemaName}.merged_pulls WHERE workspace = $1 AND commit = $2 ORDER BY pull_number`,
      [workspaceId, commit],
    );
    return rows.map(({ pull_number: pull, head, reviews, authors }) => ({
      pull,
      head,
      reviews,
      authors: authors ? new Set(authors) : undefined,
    }));
  }

  /**
   * Copies a decision about an older plan to another one, or records there why it does not count. The copy still names the plan
   * that it was made about.
   */
  async carry(
    { from, to }: { readonly from: string; readonly to: string },
    member: string,
    fell: ApprovalLapseReason | undefined,
  ): Promise<void> {
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.approvals (plan_run, member, name, decision, comment, at, review, carried_from, fell)
       SELECT $2, member, name, decision, comment, at, review, coalesce(carried_from, plan_run), $4
         FROM ${serverDatabaseSchemaName}.approvals WHERE plan_run = $1 AND member = $3`,
      [from, to, member, fell ?? null],
    );
  }

  /** Tells whether an apply of a plan's commit began before that plan was made, so that reviews of its merge count no more. */
  async isCommitSpent({ workspaceId, commit, number }: StoredRun): Promise<boolean> {
    const rows = await this.#database.ask(
      `SELECT 1 FROM ${serverDatabaseSchemaName}.runs apply WHERE workspace = $1 AND commit = $2 AND number < $3 AND operation = 'apply'
         AND ${hasBegun} LIMIT 1`,
      [workspaceId, commit, number],
    );
    return rows.length > 0;
  }

  /**
   * Tells whether, before another run of the workspace, the plan was applied, or an apply of it or a destroy had begun. Decisions
   * about it count no more then.
   */
  async isSpent(planRun: string, before: string): Promise<boolean> {
    const rows = await this.#database.ask(
      `SELECT 1 FROM ${serverDatabaseSchemaName}.runs plan JOIN ${serverDatabaseSchemaName}.runs later ON later.id = $2
       JOIN ${serverDatabaseSchemaName}.runs apply ON apply.workspace = plan.workspace
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
  readonly fell: ApprovalLapseReason | null;
  readonly review: DecisionReview | null;
}

/**
 * Reason, recorded with a copied or counted yes, why it does not count: its giver wrote a commit since, or may have; or the
 * review is by an author of the pull request, or of a pull request that had shown another plan.
 */
export type ApprovalLapseReason = Exclude<
  NonNullable<ApprovalDecision['ignored']>,
  'author' | 'role'
>;

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

function readApproval(row: ApprovalRow): PlanApprovalStatus {
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
