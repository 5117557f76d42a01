// The tables of the states of one schema. `states` has a row for each state: its lock, its epoch and the number of its last
// write, which never go back. `texts` has the texts of the states, in parts: a growing text has a part for each batch.
import type { PostgresDatabase } from './database.ts';
import { isMissingTableError } from './database-errors.ts';

/** Names of the state's tables, quoted for SQL. */
export interface StateTableNames {
  readonly schema: string;
  readonly states: string;
  readonly texts: string;
}

/** Makes the names of the tables in a schema. */
export function nameStateTables(schema: string): StateTableNames {
  const quoted = quote(schema);
  return { schema: quoted, states: `${quoted}.states`, texts: `${quoted}.texts` };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Runs `work`; where the state's tables are missing, creates them and runs `work` once more. */
export async function doWithStateTablesCreated<T>(
  database: PostgresDatabase,
  tables: StateTableNames,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isMissingTableError(error)) throw error;
    await makeTables(database, tables);
    return await work();
  }
}

async function makeTables(database: PostgresDatabase, tables: StateTableNames): Promise<void> {
  const make = async () => {
    for (const statement of buildCreateTableStatements(tables)) await database.ask(statement, []);
  };
  try {
    await make();
  } catch (error) {
    // A schema that exists may belong to a role that may not create another.
    if (!isMissingTableError(error)) throw error;
    await database.ask(buildCreateSchemaStatement(tables), []);
    await make();
  }
}

/** Writes the SQL statement that creates the schema. */
export function buildCreateSchemaStatement({ schema }: StateTableNames): string {
  return `CREATE SCHEMA IF NOT EXISTS ${schema}`;
}

/** Lists the SQL statements that create the tables, in their order. */
export function buildCreateTableStatements({ states, texts }: StateTableNames): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${states} (
      name text PRIMARY KEY,
      epoch bigint NOT NULL DEFAULT 0,
      lock_id text,
      lock_info text,
      beat bigint NOT NULL DEFAULT 0,
      writes bigint NOT NULL DEFAULT 0,
      beat_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`,
    `CREATE TABLE IF NOT EXISTS ${texts} (
      state text NOT NULL REFERENCES ${states} (name),
      name text NOT NULL,
      part bigint NOT NULL,
      text text NOT NULL,
      PRIMARY KEY (state, name, part)
    )`,
  ];
}
