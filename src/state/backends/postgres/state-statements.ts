// All statements to the database of states: a worker sends these, and no others, for a process without credentials.
import type { DatabaseResultRow } from './database.ts';
import { buildStateTableStatements } from './statements.ts';
import {
  buildCreateSchemaStatement,
  buildCreateTableStatements,
  nameStateTables,
} from './tables.ts';

/** An SQL statement with its values. */
export interface StateSqlStatement {
  readonly statement: string;
  readonly values: readonly (string | number | null)[];
}

/** Result of a state's SQL statement: its rows, or PostgreSQL's error. */
export type StateSqlResult =
  | { readonly rows: readonly DatabaseResultRow[] }
  | { readonly code: string | undefined; readonly message: string };

/** Lists all SQL statements that runs use for the states of a schema. */
export function listStateSqlStatements(schema: string): readonly string[] {
  const tables = nameStateTables(schema);
  const all = Object.values(buildStateTableStatements(tables));
  return [...all, ...buildCreateTableStatements(tables), buildCreateSchemaStatement(tables)];
}

/** Tells whether a statement is about one state: its first value is then the name of that state. */
export function isStatementAboutState(statement: string): boolean {
  return /\$1\b/.test(statement);
}
