// `server --check`: every problem of a start at once, with a real PostgreSQL.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '../support/backends/postgres-server.ts';
import { runInProcess } from './run-in-process.ts';

const key = 'a key of a server that only tests know';
const path = process.env.PATH ?? '';
let postgres: PostgresServer;

beforeAll(async () => {
  // Three are for superusers alone: room for a worker, and none for a server.
  postgres = await startPostgres(['max_connections=47']);
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`CREATE ROLE poor LOGIN PASSWORD 'secret'`);
  await client.end();
});
afterAll(() => postgres.close());

async function check(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{
  readonly code: number | null;
  readonly codes: readonly string[];
  readonly text: string;
}> {
  const { code, stdout, stderr } = await runInProcess([...args, '--check'], { env });
  const text = stdout + stderr;
  return {
    code,
    text,
    codes: [...text.matchAll(/\b(?:server-[a-z-]+|cannot-listen)\b/g)].map(([one]) => one),
  };
}

it('reports every problem at once', async () => {
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
  const { port } = taken.address() as AddressInfo;
  const { code, text } = await check(['server', '--port', String(port)], {
    PATH: '/nowhere',
    HOSTWRIGHT_SERVER_OIDC_ISSUER: 'https://id.example.com',
    HOSTWRIGHT_SERVER_MAIL_FROM: 'a@example.com',
    HOSTWRIGHT_SERVER_KEEP_LOG_DAYS: 'long',
  });
  taken.close();
  expect(code).toBe(1);
  for (const one of [
    ...['server-database-missing', 'server-key-missing', 'server-git-missing', 'cannot-listen'],
    ...['server-oidc-settings', 'server-mail-settings', 'server-retention-settings'],
  ])
    expect(text).toContain(one);
});

it('looks into the database, and changes nothing there', async () => {
  const env = {
    PATH: path,
    HOSTWRIGHT_SERVER_KEY: key,
    HOSTWRIGHT_SERVER_DATABASE: postgres.url,
  };
  const worker = await check(['worker'], env);
  expect([worker.code, worker.text]).toEqual([0, expect.stringContaining('worker can start')]);
  const server = await check(['server', '--port', '0'], env);
  expect([server.code, server.codes]).toEqual([1, ['server-connections']]);
  expect((await check(['server', '--port', '0', '--no-runs'], env)).code).toBe(0);

  const poor = Object.assign(new URL(postgres.url), { username: 'poor' }).href;
  const states = { ...env, HOSTWRIGHT_SERVER_STATE_DATABASE: poor };
  const denied = await check(['worker'], states);
  expect([denied.code, denied.text]).toEqual([1, expect.stringContaining('schema hostwright at')]);

  // A first start has made the tables, and its key is the one of the database.
  await runInProcess(['server', '--sign-in-link'], { env });
  expect((await check(['worker'], env)).code).toBe(0);
  const other = await check(['worker'], { ...env, HOSTWRIGHT_SERVER_KEY: `${key}, another one` });
  expect(other.codes).toContain('server-key-wrong');
  const gone = await check(['worker'], {
    ...env,
    HOSTWRIGHT_SERVER_DATABASE: postgres.url.replace('/postgres', '/nothing'),
  });
  expect(gone.codes).toContain('server-database-unusable');
});
