import { afterAll, beforeAll } from 'vitest';
import { openStateConnectionPool } from '../../../src/state/backends/postgres/open-pool.ts';
import { openPostgresBackend } from '../../../src/state/backends/postgres/postgres.ts';
import { startPostgres, type PostgresServer } from '../../support/backends/postgres-server.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';
import { openProxy } from '../../support/backends/unreliable-proxy.ts';
import { describeKills } from './backend-kills.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

let count = 0;

describeKills('PostgreSQL', 12, () => {
  count += 1;
  const name = `killed ${count}`;
  return Promise.resolve({
    async open(plan) {
      const proxy = await openProxy(server.port, plan);
      const connectionString = `postgres://hostwright:secret@127.0.0.1:${proxy.port}/postgres`;
      const backend = openPostgresBackend({
        ...{ schema: 'hostwright', name, clock: openQuickClock(), database: 'db' },
        openPool: () => openStateConnectionPool({ connectionString }),
      });
      const close = () => backend.close().then(() => proxy.close());
      return { ...backend, close };
    },
    close: () => Promise.resolve(),
  });
});
