// All statements to the database of states: a worker sends these, and no other, for a process without credentials.
import type { Row } from './database.ts';
import { describeStatements } from './statements.ts';
import { createSchema, describeTables, nameTables } from './tables.ts';

/** A statement with its values. */
export interface Statement {
  readonly statement: string;
  readonly values: readonly (string | number | null)[];
}

/** Its rows, or why there are none, as PostgreSQL says it. */
export type StatementAnswer =
  | { readonly rows: readonly Row[] }
  | { readonly code: string | undefined; readonly message: string };

/** All statements for the states of a schema. */
export function listStatements(schema: string): readonly string[] {
  const tables = nameTables(schema);
  const all = Object.values(describeStatements(tables));
  return [...all, ...describeTables(tables), createSchema(tables)];
}

/** Tests for a statement about one state: its first value is the name of that state. */
export function takesName(statement: string): boolean {
  return /\$1\b/.test(statement);
}
