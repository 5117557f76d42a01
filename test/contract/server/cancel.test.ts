// A run that is cancelled at any moment of its work, in a real PostgreSQL and with a program that only waits.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openKeyring } from '../../../src/server/access/keyring.ts';
import { carryOutRun, type RunMeans } from '../../../src/server/runs/carry-out-run.ts';
import type { ChildCall, StartProgram } from '../../../src/server/runs/run-child.ts';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/store/database.ts';
import { migrate } from '../../../src/server/store/migrations/migrate.ts';
import { openStore, type Store } from '../../../src/server/store/store.ts';
import { noTracing } from '../../../src/server/traces/tracing.ts';
import {
  openWorkerSession,
  type WorkerSession,
} from '../../../src/server/workers/worker-session.ts';
import { startPostgres, type PostgresServer } from '../../support/backends/postgres-server.ts';
import { silentRuntime } from '../../support/silent-runtime.ts';

const run = { commit: 'a'.repeat(40), reason: 'a test' };
const given = { repository: 'file:///r', branch: 'main', directory: '.', poll: false };
const savedPlan = {
  ...{ resource_changes: [], resource_drift: [] },
  hostwright: { actions: {}, summary: {}, quotas: [] },
};

/** What the program prints, by its command. */
const printed: Readonly<Record<string, object>> = {
  show: savedPlan,
  output: { zone: { value: 'lan-2', sensitive: false } },
};

let postgres: PostgresServer;
let database: ServerDatabase;
let store: Store;
let session: WorkerSession;
let folder: string;

beforeAll(async () => {
  postgres = await startPostgres();
  database = await openServerDatabase(postgres.url);
  await migrate(database);
  store = openStore(database, openKeyring(['a key of 32 letters or more ...']));
  session = await openWorkerSession(database, { host: 'here', version: '1' });
  folder = await mkdtemp(join(tmpdir(), 'hostwright-cancel-'));
});

afterAll(async () => {
  session.close();
  await database.close();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => vi.restoreAllMocks());

/** A program that prints, and ends once `work` is done; an interrupt ends it before, as one without a handler. */
function openProgram(work: (command: string) => Promise<void>): StartProgram {
  return ({ args, onLine, onStart }: ChildCall) => {
    const [command = ''] = args;
    const ending = new AbortController();
    const carryOut = async (): Promise<number> => {
      await onStart(process.pid);
      await work(command);
      const text = printed[command];
      if (text) onLine('output', JSON.stringify(text));
      return 0;
    };
    const end = () => ending.abort();
    const interrupted = once(ending.signal, 'abort').then(() => undefined);
    return {
      ...{ interrupt: end, kill: end },
      ended: Promise.race([carryOut(), interrupted]),
    };
  };
}

const openMeans = (startProgram: StartProgram): RunMeans => ({
  store,
  startProgram,
  openCheckout: () =>
    Promise.resolve({ directory: folder, scratch: folder, close: () => Promise.resolve() }),
  runtime: { ...silentRuntime, clock: { ...silentRuntime.clock, now: () => Date.now() } },
  stateDatabaseUrl: postgres.url,
  workerId: session.id,
  lost: session.lost,
  log: { info: () => undefined, warn: () => undefined },
  tracing: noTracing,
});

/** Carries out the apply of a plan, and cancels it once the program does this; a worker has seen that before it goes on. */
async function applyAndCancel(name: string, during: string) {
  const workspace = await store.workspaces.add({ ...given, name, variables: {} });
  const workspaceId = workspace?.id ?? '';
  const after = `after-${name}`;
  await store.workspaces.add({ ...given, name: after, after: [name], variables: {} });
  const plan = await store.runs.add({ ...run, workspaceId, operation: 'plan' });
  const planFile = await store.blobs.add(Buffer.from('a plan'));
  const begun = await store.runs.claim(plan?.id ?? '', session.id);
  if (begun) await store.runs.end(begun, { status: 'succeeded', hasChanges: true, planFile });
  const planRun = plan?.id ?? '';
  const apply = await store.runs.add({ ...run, workspaceId, operation: 'apply', planRun });
  const id = apply?.id ?? '';
  const looks = vi.spyOn(store.runs, 'find');
  const work = async (command: string) => {
    // What changes the account ends after an interrupt alone, in the middle.
    if (command === 'apply' && during !== 'output') await new Promise(() => undefined);
    if (command !== during) return;
    await store.runs.cancel(id);
    const before = looks.mock.calls.length;
    await expect
      .poll(() => looks.mock.calls.length, { timeout: 20_000 })
      .toBeGreaterThan(before + 1);
  };
  await carryOutRun(openMeans(openProgram(work)), id);
  const ended = await store.runs.find(id);
  const dependent = await store.workspaces.find(after);
  return {
    status: ended?.status,
    log: (await store.log.read(id, 0)).map(({ text }) => text),
    outputs: await store.dependencies.readUpstream(dependent?.id ?? ''),
  };
}

describe('an apply that is cancelled', () => {
  it('while its plan is read is cancelled, and has not failed', async () => {
    const { status, log, outputs } = await applyAndCancel('early', 'show');
    expect({ status, log, outputs }).toEqual({ status: 'cancelled', log: [], outputs: [] });
  });

  it('once everything is applied passes its outputs on all the same', async () => {
    const { status, log, outputs } = await applyAndCancel('late', 'output');
    expect({ status, log }).toEqual({ status: 'succeeded', log: [] });
    expect(outputs).toEqual([{ workspace: 'late', outputs: { zone: 'lan-2' } }]);
  });
});
