import { DiagnosticError } from '../../../model/errors.ts';
import { serverDatabaseSchemaName, type ServerDatabase } from '../database.ts';
import { serverTableMigrations } from './migrations.ts';
import { advisoryLockKeys } from '../lock-keys.ts';

/**
 * Migrates the server's tables to this version, in one transaction.
 * @throws DiagnosticError where a newer version has migrated them
 */
export async function migrateServerTables(
  database: ServerDatabase,
  steps: readonly string[] = serverTableMigrations,
): Promise<void> {
  await database.transact(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLockKeys.migrations]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${serverDatabaseSchemaName}`);
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${serverDatabaseSchemaName}.migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`,
    );
    const { rows } = await client.query<{ version: number | null }>(
      `SELECT max(version) AS version FROM ${serverDatabaseSchemaName}.migrations`,
    );
    const found = rows[0]?.version ?? 0;
    if (found > steps.length) throw explainNewer(database.place, found, steps.length);
    for (const [index, step] of steps.entries()) {
      if (index < found) continue;
      await client.query(step);
      await client.query(
        `INSERT INTO ${serverDatabaseSchemaName}.migrations (version) VALUES ($1)`,
        [index + 1],
      );
    }
  });
}

/**
 * Checks that this version can use the tables of the database, without a change.
 * @throws DiagnosticError where a newer version has migrated them; BackendError where there are none
 */
export async function requireKnownTableVersion(database: ServerDatabase): Promise<void> {
  const [row] = await database.ask<{ version: number | null }>(
    `SELECT max(version) AS version FROM ${serverDatabaseSchemaName}.migrations`,
  );
  const found = row?.version ?? 0;
  if (found > serverTableMigrations.length)
    throw explainNewer(database.place, found, serverTableMigrations.length);
}

function explainNewer(place: string, found: number, known: number): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'server-database-newer',
      summary: 'The database belongs to a newer version of Hostwright',
      detail: `The tables at ${place} have version ${found}, and this program knows version ${known}.`,
      hint: 'Install the newer version of Hostwright on this machine.',
    },
  ]);
}
