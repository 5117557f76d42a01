import { afterAll, beforeAll } from 'vitest';
import { openPostgresBackend } from '../../../src/state/backends/postgres/postgres.ts';
import { openPool } from '../../../src/state/backends/postgres/open-pool.ts';
import { makeDatabase, type TestDatabase } from '../../support/backends/make-database.ts';
import { describeBackend } from './backend-contract.ts';

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

describeBackend('PostgreSQL', () => {
  count += 1;
  const state = { schema: `tests "${count % 2}"`, name: `shop ${count}` };
  return Promise.resolve({
    open: () =>
      Promise.resolve(
        openPostgresBackend({
          ...state,
          openPool: () => openPool({ connectionString: server.url }),
          database: '127.0.0.1/postgres',
          clock,
        }),
      ),
    close: () => Promise.resolve(),
  });
});
