// The tables in memory keep what a real server keeps: the simulation runs on them.
import { openPostgresBackend } from '../../../src/state/backends/postgres/postgres.ts';
import { EncryptionKeyring } from '../../../src/state/encryption/keyring.ts';
import { encryptStateBackend } from '../../../src/state/encryption/sealed-files.ts';
import {
  answerAsPostgres,
  copyTables,
  openTables,
  schema,
} from '../../support/backends/postgres-double.ts';
import { describeBackend } from './backend-contract.ts';
import { openSmallDatabase } from '../../support/backends/places-in-small.ts';
import { describeDeletedLock } from './courses/deleted-lock.ts';
import { describeSlowMedium } from './courses/slow-medium.ts';
import { describeSwallowed } from './courses/swallowed.ts';
import { describeSetBack, type SetBackPlace } from './courses/set-back.ts';

const openPlace = (): Promise<SetBackPlace> => {
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
    copy: () => {
      const back = copyTables(tables);
      return Promise.resolve(() => Promise.resolve().then(back));
    },
    close: () => Promise.resolve(),
  });
};

const passphrase = () => Promise.resolve('correct horse battery');
// To make a key takes a third of a second.
const keyring = new EncryptionKeyring({ current: passphrase, previous: () => undefined });

describeBackend('the tables of PostgreSQL in memory', openPlace);
describeSetBack('the tables of PostgreSQL in memory', openPlace);
describeSetBack('encrypted tables of PostgreSQL in memory', async () => {
  const place = await openPlace();
  return { ...place, open: async () => encryptStateBackend(await place.open(), { keyring }) };
});
describeSwallowed('the tables of PostgreSQL in memory', () => {
  const tables = openTables();
  return Promise.resolve({
    open({ clock, connect }) {
      const openPool = () =>
        Promise.resolve({
          async query(
            statement: string,
            values: readonly (string | number | null)[],
            // As the pool waits that is not told.
            answerMs = 60_000,
          ) {
            await connect(answerMs);
            return { rows: answerAsPostgres(tables, statement, values, clock.now()) };
          },
          end: () => Promise.resolve(),
        });
      const where = { schema, name: 'shop', database: 'memory' };
      return Promise.resolve(openPostgresBackend({ ...where, openPool, clock }));
    },
    close: () => Promise.resolve(),
  });
});

describeDeletedLock('the tables of PostgreSQL in memory', openSmallDatabase, { isPutBack: false });

describeSlowMedium('the tables of PostgreSQL in memory', openSmallDatabase, true);
