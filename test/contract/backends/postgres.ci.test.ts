import { afterAll, beforeAll } from 'vitest';
import { openPostgresBackend } from '../../../src/state/backends/postgres/postgres.ts';
import { openStateConnectionPool } from '../../../src/state/backends/postgres/open-pool.ts';
import { makeDatabase, type TestDatabase } from '../../support/backends/make-database.ts';
import { Client } from 'pg';
import { describeBackend } from './backend-contract.ts';
import { describeSetBack, type SetBackPlace } from './courses/set-back.ts';

let server: TestDatabase;
beforeAll(async () => {
  server = await makeDatabase();
});
afterAll(() => server.close());

const clock = {
  now: () => Date.now(),
  sleep: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
};

let count = 0;

/** Carries out a statement as somebody beside Hostwright. */
async function ask(statement: string, values: readonly string[] = []) {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<Record<string, string | null>>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Takes a copy of a state; what it resolves with puts that back in place of what is there. */
async function copyState({ schema, name }: { readonly schema: string; readonly name: string }) {
  const at = `"${schema.replaceAll('"', '""')}"`;
  const [found] = await ask(`SELECT to_regclass($1) AS made`, [`${at}.texts`]);
  const isMade = found?.['made'] !== null;
  const copyOf = (table: string, key: string) =>
    isMade ? ask(`SELECT * FROM ${at}.${table} WHERE ${key} = $1`, [name]) : [];
  const states = JSON.stringify(await copyOf('states', 'name'));
  const texts = JSON.stringify(await copyOf('texts', 'state'));
  return async () => {
    const fill = (table: string) =>
      `INSERT INTO ${at}.${table} SELECT * FROM json_populate_recordset(NULL::${at}.${table}, $1)`;
    await ask(`DELETE FROM ${at}.texts WHERE state = $1`, [name]);
    await ask(`DELETE FROM ${at}.states WHERE name = $1`, [name]);
    await ask(fill('states'), [states]);
    await ask(fill('texts'), [texts]);
  };
}

const openPlace = (): Promise<SetBackPlace> => {
  count += 1;
  const state = { schema: `tests "${count % 2}"`, name: `shop ${count}` };
  return Promise.resolve({
    open: () =>
      Promise.resolve(
        openPostgresBackend({
          ...state,
          openPool: () => openStateConnectionPool({ connectionString: server.url }),
          database: '127.0.0.1/postgres',
          clock,
        }),
      ),
    copy: () => copyState(state),
    close: () => Promise.resolve(),
  });
};

describeBackend('PostgreSQL', openPlace);
describeSetBack('PostgreSQL', openPlace);
