import type { RunOperation, RunStatus } from './run.ts';
import type { DatabaseRow } from '../database/database.ts';

/** Summary of a run: a few of its fields. */
export interface RunSummary {
  readonly id: string;
  readonly number: number;
  readonly operation: RunOperation;
  readonly status: RunStatus;
  readonly commit: string;
  readonly createdAt: Date;
  readonly endedAt: Date | undefined;
}

/** Columns of a query that give the summary of a run. */
export interface RunSummaryRow extends DatabaseRow {
  readonly run_id: string;
  readonly run_number: string;
  readonly run_operation: RunOperation;
  readonly run_status: RunStatus;
  readonly run_commit: string;
  readonly run_created_at: Date;
  readonly run_ended_at: Date | null;
}

/** A run by the columns of a list: `run_id`, `run_number` and so on. */
export function readRunSummary(row: RunSummaryRow): RunSummary {
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
