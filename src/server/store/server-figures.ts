// Figures of the whole server, read from the database, so that every process of the server gives the same.
import {
  serverDatabaseSchemaName,
  type DatabaseRow,
  type ServerDatabase,
} from '../database/database.ts';

/** Number of runs of one operation with one result. */
export interface RunTotal {
  readonly operation: string;
  readonly status: string;
  readonly count: number;
  readonly waited: DurationHistogram;
  readonly took: DurationHistogram;
}

/** Distribution of durations, for a metric. */
export interface DurationHistogram {
  /** Sum of all durations, in seconds. */
  readonly sumS: number;
  /** Counts, for each bound of `durationBoundsSeconds` and for longer durations. */
  readonly counts: readonly number[];
}

/** A number of things with one label, for a metric. */
export interface LabelledCount {
  readonly kind: string;
  readonly count: number;
}

/** Counts and durations of the whole server, for its metrics. */
export interface ServerFigures {
  readonly totals: readonly RunTotal[];
  /** Number of workspaces by status. */
  readonly workspaces: readonly LabelledCount[];
  /** Number of runs that wait or are under way, by operation and status. */
  readonly open: readonly (LabelledCount & { readonly operation: string })[];
  /** For how many seconds the oldest queued run has waited; 0 where none waits. */
  readonly oldestQueuedS: number;
  /** Counts of pending work, by its sort: webhooks, reports to git hosts, plans that follow, messages. */
  readonly pending: readonly LabelledCount[];
}

/** Runs that have ended, by operation and status: numbers of many digits come as texts. */
interface TotalsRow extends DatabaseRow {
  readonly operation: string;
  readonly status: string;
  readonly count: string;
  readonly waited_s: number;
  readonly waited_counts: readonly string[];
  readonly took_s: number;
  readonly took_counts: readonly string[];
}

/** Reads all figures with a fixed number of queries. */
export async function readServerFigures(database: ServerDatabase): Promise<ServerFigures> {
  const [totals, workspaces, open, [oldest], pending] = await Promise.all([
    database.ask<TotalsRow>(
      `SELECT * FROM ${serverDatabaseSchemaName}.run_totals ORDER BY operation, status`,
    ),
    database.ask<{ kind: string; count: string }>(
      `SELECT status AS kind, count(*) AS count FROM ${serverDatabaseSchemaName}.workspaces GROUP BY status ORDER BY status`,
    ),
    database.ask<{ kind: string; operation: string; count: string }>(
      `SELECT status AS kind, operation, count(*) AS count FROM ${serverDatabaseSchemaName}.runs
       WHERE status IN ('queued', 'running') GROUP BY status, operation ORDER BY status, operation`,
    ),
    database.ask<{ waited: number | null }>(
      `SELECT extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS waited FROM ${serverDatabaseSchemaName}.runs WHERE status = 'queued'`,
    ),
    database.ask<{ kind: string; count: string }>(
      `SELECT 'webhooks' AS kind, count(*) AS count FROM ${serverDatabaseSchemaName}.deliveries WHERE ended_at IS NULL
       UNION ALL SELECT 'reports', count(*) FROM ${serverDatabaseSchemaName}.pull_reports WHERE delivered < revision
       UNION ALL SELECT 'dependents', count(*) FROM ${serverDatabaseSchemaName}.due_dependents
       UNION ALL SELECT 'messages', count(*) FROM ${serverDatabaseSchemaName}.messages WHERE sent_at IS NULL AND dead_at IS NULL
       UNION ALL SELECT 'undeliverable_messages', count(*) FROM ${serverDatabaseSchemaName}.messages WHERE dead_at IS NOT NULL`,
    ),
  ]);
  return {
    totals: totals.map((row) => ({
      operation: row.operation,
      status: row.status,
      count: Number(row.count),
      waited: { sumS: row.waited_s, counts: row.waited_counts.map(Number) },
      took: { sumS: row.took_s, counts: row.took_counts.map(Number) },
    })),
    workspaces: workspaces.map(({ kind, count }) => ({ kind, count: Number(count) })),
    open: open.map(({ kind, operation, count }) => ({ kind, operation, count: Number(count) })),
    oldestQueuedS: Math.max(0, oldest?.waited ?? 0),
    pending: pending.map(({ kind, count }) => ({ kind, count: Number(count) })),
  };
}
