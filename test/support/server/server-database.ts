import { Client } from 'pg';
import { openDbosEngine } from '../../../src/server/engine/open-dbos-engine.ts';
import { openServerDatabase } from '../../../src/server/database/database.ts';
import { migrateServerTables } from '../../../src/server/database/migrations/migrate.ts';
import { makeDatabase, type TestDatabase } from '../backends/make-database.ts';

/** A database with the tables of the server and of its engine, and nothing in them. */
export const makeServerDatabase = (): Promise<TestDatabase> =>
  makeDatabase({ name: 'server', prepare });

async function prepare(url: string): Promise<void> {
  const database = await openServerDatabase(url);
  await migrateServerTables(database);
  await database.close();
  const engine = await openDbosEngine({
    ...{ databaseUrl: url, workerId: 'none', version: 'none', carriesOut: false },
    ...{ carryOut: () => Promise.resolve(undefined), scheduled: {}, warn: () => undefined },
  });
  await engine.close(0);
  const client = new Client({ connectionString: url });
  await client.connect();
  // The engine remembers its versions and queues.
  const { rows } = await client.query<{ tables: string }>(
    `SELECT string_agg('hostwright_engine.' || tablename, ', ') AS tables FROM pg_tables
     WHERE schemaname = 'hostwright_engine' AND tablename <> 'dbos_migrations'`,
  );
  await client.query(`TRUNCATE ${rows[0]?.tables ?? ''}`);
  await client.end();
}
