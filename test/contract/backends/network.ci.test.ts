import { openHttpBackend } from '../../../src/state/backends/http/open-http-backend.ts';
import { openStateConnectionPool } from '../../../src/state/backends/postgres/open-pool.ts';
import { openPostgresBackend } from '../../../src/state/backends/postgres/postgres.ts';
import { openS3Backend } from '../../../src/state/backends/s3/open-s3-backend.ts';
import { openHttpStateDouble } from '../../support/backends/http-state-double.ts';
import { makeDatabase, type TestDatabase } from '../../support/backends/make-database.ts';
import { openS3Double } from '../../support/backends/s3-double.ts';
import { openOverSilentNetwork } from '../../support/backends/silent-network.ts';
import { afterAll, beforeAll } from 'vitest';
import { describeNetwork } from './backend-network.ts';

let server: TestDatabase;
beforeAll(async () => {
  server = await makeDatabase();
});
afterAll(() => server.close());

let count = 0;

describeNetwork('the network to PostgreSQL', {
  every: 11,
  openPlace: () => {
    count += 1;
    const name = `network ${count}`;
    return Promise.resolve({
      port: portOf(server.url),
      open: (port, clock) =>
        Promise.resolve(
          openPostgresBackend({
            ...{ schema: 'hostwright', name, database: 'db', clock },
            openPool: () =>
              openStateConnectionPool({
                connectionString: Object.assign(new URL(server.url), { port }).href,
              }),
          }),
        ),
      close: () => Promise.resolve(),
    });
  },
});

const portOf = (address: string) => Number(new URL(address).port);
const none = () => 'none' as const;

describeNetwork('the network to a bucket', {
  every: 7,
  openPlace: async () => {
    const double = await openS3Double();
    const { bucket, region, keys: credentials } = double;
    return {
      port: portOf(double.endpoint),
      open: (port, clock) =>
        Promise.resolve(
          openOverSilentNetwork(none, (exchange) =>
            openS3Backend({
              ...{ endpoint: `http://127.0.0.1:${port}`, bucket, region, credentials },
              ...{ key: 'shop', isPathStyle: true, exchange, clock },
            }),
          ),
        ),
      close: () => double.close(),
    };
  },
});

for (const flavour of ['terraform', 'gitlab'] as const) {
  describeNetwork(`the network to a server of ${flavour}`, {
    every: 7,
    openPlace: async () => {
      const double = await openHttpStateDouble({ flavour });
      const { pathname } = new URL(double.address);
      return {
        port: portOf(double.address),
        open: (port, clock) =>
          Promise.resolve(
            openOverSilentNetwork(none, (exchange) =>
              openHttpBackend({
                ...{ address: `http://127.0.0.1:${port}${pathname}`, exchange, clock },
                warn: () => undefined,
              }),
            ),
          ),
        close: () => double.close(),
      };
    },
  });
}
