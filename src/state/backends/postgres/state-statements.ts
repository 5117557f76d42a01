// All statements to the database of states: a worker sends these, and no others, for a process without credentials.
import type { ResultRow } from './database.ts';
import { describeStatements } from './statements.ts';
import { createSchema, describeTables, nameTables } from './tables.ts';

/** An SQL statement with its values. */
export interface Statement {
  readonly statement: string;
  readonly values: readonly (string | number | null)[];
}

/** The rows of a statement, or PostgreSQL's error. */
export type StatementAnswer =
  | { readonly rows: readonly ResultRow[] }
  | { readonly code: string | undefined; readonly message: string };

/** Lists all SQL statements that runs use for the states of a schema. */
export function listStatements(schema: string): readonly string[] {
  const tables = nameTables(schema);
  const all = Object.values(describeStatements(tables));
  return [...all, ...describeTables(tables), createSchema(tables)];
}

/** Tells whether a statement is about one state: its first value is then the name of that state. */
export function takesName(statement: string): boolean {
  return /\$1\b/.test(statement);
}
