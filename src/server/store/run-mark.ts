import type { Operation, RunStatus } from './run.ts';
import type { Row } from '../database/database.ts';

/** A run in a few words. */
export interface RunMark {
  readonly id: string;
  readonly number: number;
  readonly operation: Operation;
  readonly status: RunStatus;
  readonly commit: string;
  readonly createdAt: Date;
  readonly endedAt: Date | undefined;
}

/** A run by the columns of a list: `run_id`, `run_number` and so on. */
export function readRunMark(row: Row): RunMark {
  return {
    id: row.run_id as string,
    number: Number(row.run_number),
    operation: row.run_operation as Operation,
    status: row.run_status as RunStatus,
    commit: row.run_commit as string,
    createdAt: row.run_created_at as Date,
    endedAt: (row.run_ended_at as Date | null) ?? undefined,
  };
}
