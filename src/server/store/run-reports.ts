import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { ApprovedPart } from '../../model/plan/approval.ts';
import type { EncryptedBlobStore } from './blobs.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database/database.ts';
import type { PlanEffectCounts } from './overview.ts';

/** Stored results of a plan: its page, its comparison with the plan before, and its figures. */
export interface StoredPlanReport {
  /** The plan as an HTML page. */
  readonly page: string;
  readonly counts: PlanEffectCounts;
  readonly quotas: readonly PlannedQuotaUse[];
  /** Differences to the plan before; undefined where there was none. */
  readonly comparison: PlanComparison | undefined;
  /** Approvals that policies ask for; none when absent. */
  readonly approvals?: PolicyApprovals;
  /** The parts that a person approves, with their digests; undefined where nobody does, or another version made it. */
  readonly approved?: readonly ApprovedPart<string>[] | undefined;
  /** Expected time of an apply of the plan, in milliseconds; undefined where another version made it. */
  readonly expectedMs?: number | undefined;
}

/** Approvals that policies ask for, whatever the rule of the workspace. */
export interface PolicyApprovals {
  readonly needed: number;
  /** Names of the policies that ask for as many. */
  readonly policies: readonly string[];
}

/** Differences between a plan and another one. */
export interface PlanComparison {
  /** Id of the run with the other plan. */
  readonly with: string;
  /** Differences of the two plans, one line each. */
  readonly differences: readonly string[];
  /** True where the two are equal in all that a person approves. */
  readonly isEqual: boolean;
}

/** A quota of the account with its use before and after a plan. */
export interface PlannedQuotaUse {
  readonly name: string;
  readonly limit: number;
  readonly used: number;
  /** Use of the quota once the plan is applied. */
  readonly after: number;
}

/** Stored results of plans. Their pages quote configurations, so they are encrypted. */
export class PlanReportStore {
  readonly #database: ServerDatabase;
  readonly #blobs: EncryptedBlobStore;

  constructor(database: ServerDatabase, blobs: EncryptedBlobStore) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** Stores the results of a run's plan, in place of those of an earlier attempt. */
  async keep(runId: string, report: StoredPlanReport): Promise<void> {
    const { page, counts, quotas, comparison, approved, approvals, expectedMs = null } = report;
    const keepJson = (value: unknown) => this.#blobs.add(Buffer.from(JSON.stringify(value)));
    const pageBlob = await this.#blobs.add(await promisify(gzip)(page));
    const differences = comparison && (await keepJson(comparison.differences));
    const approvedBlob = approved && (await keepJson(approved));
    await this.#database.ask(
      `INSERT INTO ${serverDatabaseSchemaName}.run_reports (run, page, summary, quotas, compared_with, differences, approved, is_equal, approvals_needed,
         approval_policies, expected_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (run) DO UPDATE SET page = $2, summary = $3,
         quotas = $4, compared_with = $5, differences = $6, approved = $7, is_equal = $8, approvals_needed = $9, approval_policies = $10, expected_ms = $11`,
      [
        ...[runId, pageBlob, JSON.stringify(counts), JSON.stringify(quotas)],
        ...[comparison?.with ?? null, differences ?? null, approvedBlob ?? null],
        ...[comparison?.isEqual ?? false, approvals?.needed ?? 0, approvals?.policies ?? []],
        expectedMs,
      ],
    );
  }

  /** The page of a run; undefined where it has none, or none any more. */
  async readPage(runId: string): Promise<string | undefined> {
    const [row] = await this.#database.ask<{ page: string | null }>(
      `SELECT page FROM ${serverDatabaseSchemaName}.run_reports WHERE run = $1`,
      [runId],
    );
    if (row?.page == null) return undefined;
    return (await promisify(gunzip)(await this.#blobs.read(row.page))).toString('utf8');
  }

  /** Reads the differences of a run's plan to the one before; undefined where there was none. */
  async readComparison(runId: string): Promise<PlanComparison | undefined> {
    const [row] = await this.#database.ask<{
      compared_with: string;
      differences: string | null;
      is_equal: boolean;
    }>(
      `SELECT compared_with, differences, is_equal FROM ${serverDatabaseSchemaName}.run_reports WHERE run = $1`,
      [runId],
    );
    if (row?.differences == null) return undefined;
    const text = (await this.#blobs.read(row.differences)).toString('utf8');
    const differences = JSON.parse(text) as string[];
    return { with: row.compared_with, differences, isEqual: row.is_equal };
  }

  /** The parts of the plan of a run that a person approves, with their digests; undefined where they were not kept. */
  async readApproved(runId: string): Promise<StoredPlanReport['approved']> {
    const [row] = await this.#database.ask<{ approved: string | null }>(
      `SELECT approved FROM ${serverDatabaseSchemaName}.run_reports WHERE run = $1`,
      [runId],
    );
    if (row?.approved == null) return undefined;
    const text = (await this.#blobs.read(row.approved)).toString('utf8');
    return JSON.parse(text) as ApprovedPart<string>[];
  }

  /** Expected time of an apply of the plan of a run, in milliseconds; undefined where nobody knows. */
  async readExpectedMs(runId: string): Promise<number | undefined> {
    const [row] = await this.#database.ask<{ expected_ms: number | null }>(
      `SELECT expected_ms FROM ${serverDatabaseSchemaName}.run_reports WHERE run = $1`,
      [runId],
    );
    return row?.expected_ms ?? undefined;
  }

  /** The counts and quotas of a plan; undefined where there is no report. */
  async readFigures(
    runId: string,
  ): Promise<Pick<StoredPlanReport, 'counts' | 'quotas'> | undefined> {
    const [row] = await this.#database.ask<{
      summary: PlanEffectCounts;
      quotas: readonly PlannedQuotaUse[];
    }>(`SELECT summary, quotas FROM ${serverDatabaseSchemaName}.run_reports WHERE run = $1`, [
      runId,
    ]);
    return row && { counts: row.summary, quotas: row.quotas };
  }
}
