// The process of a run plans what a stranger wrote: of all states it reaches that of its workspace, and no database.
import { duplexPair } from 'node:stream';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendStateSqlStatements } from '../../src/cli/join-server-run.ts';
import { WorkerConnection } from '../../src/cli/worker-line.ts';
import { buildChildEnvironment } from '../../src/server/runs/child-environment.ts';
import { hearChildProcess } from '../../src/server/runs/attempt.ts';
import {
  openStateSqlExecutor,
  type StateSqlExecutor,
} from '../../src/server/states/serve-statements.ts';
import { openBackendOfPlace } from '../../src/state/backends/open-place.ts';
import {
  listStateSqlStatements,
  type StateSqlStatement,
} from '../../src/state/backends/postgres/state-statements.ts';
import { makeServerDatabase } from '../support/server/server-database.ts';
import { silentRuntime } from '../support/silent-runtime.ts';
import type { TestDatabase } from '../support/backends/make-database.ts';

let postgres: TestDatabase;
let states: StateSqlExecutor;
beforeAll(async () => {
  postgres = await makeServerDatabase();
  states = await openStateSqlExecutor(postgres.url);
});
afterAll(async () => {
  await states.close();
  await postgres.close();
});

/** What the process of a run of a workspace asks its worker with. */
function join(workspace: string) {
  const [own, workers] = duplexPair();
  const stay = () => own;
  void hearChildProcess(workers, {
    answerState: (asked: StateSqlStatement) => states.answer(workspace, asked),
  } as never);
  return sendStateSqlStatements(
    new WorkerConnection(Object.assign(own, { ref: stay, unref: stay }) as never),
  );
}

async function openState(workspace: string, name: string) {
  const env = buildChildEnvironment({
    ...{
      env: { PATH: '/bin' },
      variables: {},
      secrets: [],
      planKey: 'k',
      home: '/h',
      allowProbes: [],
      reserved: [],
      owned: [],
    },
    ...{
      workspace,
      stateName: workspace,
      run: { id: 'r', attempt: 1, commit: 'c', pull: undefined },
    },
  });
  const backend = await openBackendOfPlace(
    { kind: 'postgres', schema: 'hostwright', name },
    {
      ...{ ...silentRuntime, directory: '/', warn: () => undefined, askState: join(workspace) },
      ...{ env, admit: () => Promise.resolve() },
    },
  );
  return { env, backend };
}

test('it reads and locks the state of its workspace, without a word of the database', async () => {
  const { env, backend } = await openState('shop', 'shop');
  expect(JSON.stringify(env)).not.toMatch(/postgres:\/\//);
  const info = { ID: 'i', Operation: 'plan', Info: '', Who: 'me', Version: '0', Created: '' };
  const wanted = { ...info, Path: '', Pid: 1, Host: 'h', Realm: 'r' };
  expect(await backend.lock.take(wanted, () => false)).toMatchObject({ kind: 'taken' });
  expect(await backend.openFiles(undefined as never).list()).toEqual([]);
});

test('it neither reads, locks nor lists that of another', async () => {
  const { backend } = await openState('blog', 'shop');
  await expect(backend.lock.read()).rejects.toMatchObject({ fault: 'denied' });
  await expect(backend.openFiles(undefined as never).list()).rejects.toMatchObject({
    fault: 'denied',
  });
});

test('no statement but those of states is done, and none of them about another', async () => {
  const ask = join('blog');
  for (const statement of listStateSqlStatements('hostwright'))
    for (const name of ['shop', 'blog '])
      if (statement.includes('$1'))
        await expect(ask(statement, [name])).rejects.toMatchObject({ code: '42501' });
  for (const statement of [
    'SELECT * FROM hostwright_server.blobs',
    'SELECT text FROM "hostwright".texts WHERE state = $1',
    `${listStateSqlStatements('hostwright')[0] ?? ''}; DROP TABLE hostwright.states`,
    '',
  ])
    await expect(ask(statement, ['blog'])).rejects.toMatchObject({ code: '42501' });
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query('SELECT name, lock_id FROM hostwright.states');
  await client.end();
  expect(rows).toEqual([{ name: 'shop', lock_id: 'i' }]);
});
