// The overview of all workspaces: a page of them, and how many there are of each status. Two questions, however many
// workspaces there are; what is asked for is kept with each workspace.
import { buildCountedReviewCondition, buildNeededApprovalsSql } from './approvals.ts';
import { createTable } from '../../model/tables.ts';
import {
  serverDatabaseSchemaName,
  type ServerDatabase,
  type DatabaseRow,
} from '../database/database.ts';
import {
  driftSummaryColumns,
  readDriftSummary,
  type PresentDriftSummary,
  type DriftSummaryRow,
} from './drift.ts';
import {
  administratorMemberId,
  buildApproverCondition,
  buildViewableCondition,
} from '../people/members.ts';
import {
  readWorkspaceRow,
  type Workspace,
  type WorkspaceRow,
  type WorkspaceStatus,
} from './workspaces.ts';
import type { Schemas } from '../contract.ts';
import type { RunOperation, RunStatus } from './run.ts';

/** Summary of a run: a few of its fields. */
interface RunSummary {
  readonly id: string;
  readonly number: number;
  readonly operation: RunOperation;
  readonly status: RunStatus;
  readonly commit: string;
  readonly createdAt: Date;
  readonly endedAt: Date | undefined;
}

/** Columns of a query that give the summary of a run. */
interface RunSummaryRow extends DatabaseRow {
  readonly run_id: string;
  readonly run_number: string;
  readonly run_operation: RunOperation;
  readonly run_status: RunStatus;
  readonly run_commit: string;
  readonly run_created_at: Date;
  readonly run_ended_at: Date | null;
}

/** A run by the columns of a list: `run_id`, `run_number` and so on. */
function readRunSummary(row: RunSummaryRow): RunSummary {
  return {
    id: row.run_id,
    number: Number(row.run_number),
    operation: row.run_operation,
    status: row.run_status,
    commit: row.run_commit,
    createdAt: row.run_created_at,
    endedAt: row.run_ended_at ?? undefined,
  };
}

/** Statuses of a workspace; the first ones call for somebody's attention. */
export const workspaceStatuses = [
  'failed',
  'drifted',
  'waiting',
  'running',
  'neverPlanned',
  'inSync',
  'destroyed',
] as const satisfies readonly WorkspaceStatus[];

/** The numbers of changes of a plan by their effect, and of findings about `undecided` policies. */
export type PlanEffectCounts = Readonly<Record<string, number>>;

/** Search, filter and page number of the paged list of workspaces. */
export interface OverviewQuery {
  readonly status: WorkspaceStatus | undefined;
  /** A part of a name, a repository or a directory; all where it is empty. */
  readonly search: string;
  /** Number of the page, from 1. */
  readonly page: number;
  /** The member who may view some workspaces only; undefined for whoever may view all. */
  readonly viewer: string | undefined;
  /** Id of the caller, as in the audit log. */
  readonly caller: string;
  /** True where the caller may approve plans of all workspaces. */
  readonly mayApproveAll: boolean;
}

/** A workspace of the overview with its last run. */
export interface OverviewWorkspaceRow extends Workspace {
  readonly lastRun: RunSummary | undefined;
  readonly counts: PlanEffectCounts | undefined;
  /** Approval of a plan that waits for approvals or has them; undefined without one. */
  readonly approval: ApprovalSummary | undefined;
  readonly drift: PresentDriftSummary | undefined;
}

/** State of a plan's approval, in short. */
export type ApprovalSummary = NonNullable<Schemas['Workspace']['approval']>;

/** One page of the paged list of workspaces, with the totals. */
export interface WorkspaceOverview {
  readonly counts: Readonly<Record<WorkspaceStatus, number>>;
  readonly rows: readonly OverviewWorkspaceRow[];
}

/** Number of workspaces on one page of the paged list. */
export const overviewPageSize = 50;

/** Reads one page of the paged list of workspaces: those that need attention come first, then by name. */
export async function readWorkspaceOverview(
  database: ServerDatabase,
  { status, search, page, viewer, caller, mayApproveAll }: OverviewQuery,
): Promise<WorkspaceOverview> {
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const matches = `($1 = '%%' OR w.name ILIKE $1 OR w.repository ILIKE $1 OR w.directory ILIKE $1) AND ${buildViewableCondition('$2', 'w.id')}`;
  const [counted, rows] = await Promise.all([
    database.ask<{ status: WorkspaceStatus; count: string }>(
      `SELECT status, count(*) AS count FROM ${serverDatabaseSchemaName}.workspaces w WHERE ${matches} GROUP BY status`,
      [pattern, viewer ?? null],
    ),
    database.ask<OverviewTableRow>(
      `SELECT w.*, ${runColumns}, report.summary AS summary, ${approvalColumns}, ${driftSummaryColumns}
       FROM (SELECT *, array_position($4::text[], status) AS rank FROM ${serverDatabaseSchemaName}.workspaces w
             WHERE ${matches} AND ($3::text IS NULL OR status = $3)
             ORDER BY array_position($4::text[], status), name LIMIT ${overviewPageSize} OFFSET $5) w
       LEFT JOIN ${serverDatabaseSchemaName}.runs run ON run.id = w.last_run
       LEFT JOIN ${serverDatabaseSchemaName}.run_reports report ON report.run = w.settled_run
       LEFT JOIN ${serverDatabaseSchemaName}.runs settled ON settled.id = w.settled_run
       LEFT JOIN ${serverDatabaseSchemaName}.drift_episodes drift ON drift.workspace = w.id AND drift.ended_at IS NULL
       ORDER BY w.rank, w.name`,
      [
        pattern,
        viewer ?? null,
        status ?? null,
        workspaceStatuses,
        (page - 1) * overviewPageSize,
        caller,
        mayApproveAll,
      ],
    ),
  ]);
  const found = new Map(counted.map(({ status: one, count }) => [one, Number(count)]));
  const counts = createTable(workspaceStatuses, (one) => found.get(one) ?? 0);
  return { counts, rows: rows.map(readRow) };
}

const runColumns = ['id', 'number', 'operation', 'status', 'commit', 'created_at', 'ended_at']
  .map((name) => `run.${name} AS run_${name}`)
  .join(', ');

/** Decisions about the plan of each workspace on the page. `$6` is the caller, `$7` tells whether they may approve all. */
const decided = (condition: string) =>
  `FROM ${serverDatabaseSchemaName}.approvals a WHERE a.plan_run = w.settled_run AND ${condition} AND ${buildCountedReviewCondition('a', 'w')} AND ${buildApproverCondition('a.member', 'w.id')}`;
const isAuthor = (member: string) =>
  `NOT w.approval_by_author AND settled.requested_by IS NOT DISTINCT FROM ${member}`;
const approvalColumns = `
  ${buildNeededApprovalsSql('w', 'w.settled_run')} AS plan_approvals_needed,
  (SELECT count(*) ${decided(`a.decision = 'yes' AND a.fell IS NULL AND NOT (${isAuthor('a.member')})`)}) AS approvals_given,
  EXISTS (SELECT 1 ${decided(`a.decision = 'no'`)}) AS is_rejected,
  NOT EXISTS (SELECT 1 ${decided('a.member = $6 AND a.fell IS NULL')}) AND NOT (${isAuthor('$6')}) AND ($7 OR EXISTS (
    SELECT 1 FROM ${serverDatabaseSchemaName}.rights g WHERE g.member = nullif($6, '${administratorMemberId}')::uuid AND g.workspace = w.id AND g.role = 'approve')) AS may_decide`;

/** A workspace with its last run, its drift and what is said of its plan. */
type OverviewTableRow = WorkspaceRow &
  DriftSummaryRow & {
    readonly summary: PlanEffectCounts | null;
    readonly plan_approvals_needed: number;
    readonly approvals_given: string;
    readonly is_rejected: boolean;
    readonly may_decide: boolean;
  } & (RunSummaryRow | { readonly run_id: null });

function readApproval(row: OverviewTableRow): ApprovalSummary | undefined {
  const needed = row.plan_approvals_needed;
  if (needed === 0 || row.status !== 'waiting') return undefined;
  const given = Number(row.approvals_given);
  const isRejected = row.is_rejected;
  const isYours = !isRejected && given < needed && row.may_decide;
  return { needed, given, isRejected, isYours };
}

function readRow(row: OverviewTableRow): OverviewWorkspaceRow {
  return {
    ...readWorkspaceRow(row),
    lastRun: row.run_id === null ? undefined : readRunSummary(row),
    counts: row.summary ?? undefined,
    approval: readApproval(row),
    drift: readDriftSummary(row),
  };
}
