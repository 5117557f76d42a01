// A worker's end of what the process of a run asks of its state: that process knows no database. It may send the statements
// of states about the one of its workspace, and nothing else.
import { findWriteRetryMs, type BackendError } from '../../state/backends/backend-error.ts';
import { explainDatabaseError } from '../../state/backends/postgres/database-errors.ts';
import { defaultLockLeaseMs } from '../../state/lock/lock-medium.ts';
import { makeConnectionPool } from '../../state/backends/postgres/open-pool.ts';
import {
  listStateSqlStatements,
  isStatementAboutState,
  type StateSqlStatement,
  type StateSqlResult,
} from '../../state/backends/postgres/state-statements.ts';
import type { DatabaseResultRow } from '../../state/backends/postgres/database.ts';
import { stateDatabaseSchemaName } from './open-states.ts';

/** An SQL statement that a run's process asks its worker to execute, with the id for the answer. */
export interface StateSqlRequest extends StateSqlStatement {
  readonly id: number;
}

/** Executes SQL statements on workspace states for the processes of runs, which have no access to the database. */
export interface StateSqlExecutor {
  /**
   * Executes a statement on the state of this name, and returns its rows or PostgreSQL's error. Any statement that is not one of
   * the state backend's own, or is about another state, is refused.
   */
  answer(state: string, asked: StateSqlStatement): Promise<StateSqlResult>;
  close(): Promise<void>;
}

/** Runs that are carried out at once, with a connection for what each writes and one for its signs of life. */
const maxConnections = 24;

/** Opens the executor of state statements; no statement is sent yet. `onFault` is called for each that fails. */
export async function openStateSqlExecutor(
  url: string,
  onFault: (error: BackendError) => void = () => undefined,
): Promise<StateSqlExecutor> {
  const pool = await makeConnectionPool({
    connectionString: url,
    max: maxConnections,
    // The process of a run asks again: one that swallows everything is given up in time for it.
    query_timeout: findWriteRetryMs(defaultLockLeaseMs) / 3,
    application_name: 'hostwright-runs',
  });
  const known = new Set(listStateSqlStatements(stateDatabaseSchemaName));
  return {
    async answer(state, { statement, values }) {
      const isOwn = !isStatementAboutState(statement) || values[0] === state;
      if (!known.has(statement) || !isOwn) return refused;
      try {
        const { rows } = await pool.query<DatabaseResultRow>(statement, [...values]);
        return { rows };
      } catch (error) {
        onFault(explainDatabaseError(error, 'The database of the states'));
        return describe(error);
      }
    },
    close: () => pool.end(),
  };
}

/** Answer to a statement about another state: PostgreSQL's error for a lack of permission. */
const refused = { code: '42501', message: 'this is not the state of the workspace' };

function describe(error: unknown): StateSqlResult {
  // Node joins the errors for the several addresses of one host name.
  const tried: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const first = tried[0] ?? error;
  if (!(first instanceof Error)) return { code: undefined, message: String(first) };
  const code = 'code' in first && typeof first.code === 'string' ? first.code : undefined;
  return { code, message: first.message };
}

/** Reads a statement from a message of a run's process; undefined for a malformed message. */
export function readStateSqlRequest(said: unknown): StateSqlRequest | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const { id, statement, values }: Partial<Record<keyof StateSqlRequest, unknown>> = said;
  if (typeof id !== 'number' || typeof statement !== 'string' || !Array.isArray(values))
    return undefined;
  return { id, statement, values: values as StateSqlStatement['values'] };
}
