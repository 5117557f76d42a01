// The tables in memory keep what a real server keeps: the simulation runs on them.
import { openPostgresBackend } from '../../../src/state/backends/postgres/postgres.ts';
import { answerAsPostgres, openTables, schema } from '../../support/backends/postgres-double.ts';
import { describeBackend } from './backend-contract.ts';
import { openSmallDatabase } from '../../support/backends/places-in-small.ts';
import { describeDeletedLock } from './courses/deleted-lock.ts';
import { describeSlowMedium } from './courses/slow-medium.ts';

describeBackend('the tables of PostgreSQL in memory', () => {
  const tables = openTables();
  const clock = { now: Date.now, sleep: () => Promise.resolve() };
  const openPool = () =>
    Promise.resolve({
      query: async (statement: string, values: readonly (string | number | null)[]) => {
        await new Promise((done) => setImmediate(done));
        return { rows: answerAsPostgres(tables, statement, values, Date.now()) };
      },
      end: () => Promise.resolve(),
    });
  return Promise.resolve({
    open: () =>
      Promise.resolve(
        openPostgresBackend({ schema, name: 'shop', database: 'memory', openPool, clock }),
      ),
    close: () => Promise.resolve(),
  });
});

describeDeletedLock('the tables of PostgreSQL in memory', openSmallDatabase);

describeSlowMedium('the tables of PostgreSQL in memory', openSmallDatabase, true);
