// An apply that is cancelled at any moment of its work, or whose worker was killed, in a real PostgreSQL and with a program
// that only waits and prints.
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import { SlowCheckoutLimiter } from '../../../src/server/sources/host-places.ts';
import { carryOutRun, type RunDependencies } from '../../../src/server/runs/carry-out-run.ts';
import type { ChildProgramCall, StartChildProgram } from '../../../src/server/runs/run-child.ts';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/database/database.ts';
import { assembleServerStore, type ServerStore } from '../../../src/server/store/store.ts';
import { disabledTracing } from '../../../src/server/traces/tracing.ts';
import {
  openWorkerSession,
  type WorkerSession,
} from '../../../src/server/workers/worker-session.ts';
import { identifyProcess } from '../../../src/state/lock/lock-holder.ts';
import type { TestDatabase } from '../../support/backends/make-database.ts';
import { makeServerDatabase } from '../../support/server/server-database.ts';
import { silentRuntime } from '../../support/silent-runtime.ts';

const run = { commit: 'a'.repeat(40), reason: 'a test' };
const given = { repository: 'file:///r', branch: 'main', directory: '.', poll: false };
const savedPlan = {
  ...{ resource_changes: [], resource_drift: [] },
  hostwright: {
    actions: {},
    summary: {},
    quotas: [],
    findings: [],
    fingerprints: { configuration: 'as it was' },
  },
};

/** What the program prints, by its command. */
const printed: Readonly<Record<string, object>> = {
  show: savedPlan,
  output: { zone: { value: 'lan-2', sensitive: false } },
};

let postgres: TestDatabase;
let database: ServerDatabase;
let store: ServerStore;
let session: WorkerSession;
let folder: string;

beforeAll(async () => {
  postgres = await makeServerDatabase();
  database = await openServerDatabase(postgres.url);
  store = assembleServerStore(database, openServerKeyring(['a key of 32 letters or more ...']));
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
const openProgram =
  (
    work: (
      command: string,
      env: ChildProgramCall['env'],
      args: readonly string[],
    ) => Promise<unknown>,
  ): StartChildProgram =>
  ({ args, env, onLine, onStart }: ChildProgramCall) => {
    const [command = ''] = args;
    const ending = new AbortController();
    const carryOut = async (): Promise<number> => {
      await onStart(process.pid);
      const code = await work(command, env, args);
      const text = printed[command];
      if (text) onLine('output', JSON.stringify(text));
      return typeof code === 'number' ? code : 0;
    };
    const end = () => ending.abort();
    const interrupted = once(ending.signal, 'abort').then(() => undefined);
    return { ...{ interrupt: end, kill: end }, ended: Promise.race([carryOut(), interrupted]) };
  };

const warnings: string[] = [];
const openMeans = (startProgram: StartChildProgram): RunDependencies => ({
  store,
  startProgram,
  listAuthors: () => Promise.resolve(undefined),
  openCheckout: () =>
    Promise.resolve({
      directory: folder,
      scratch: folder,
      reads: [],
      submodules: [],
      close: () => Promise.resolve(),
    }),
  runtime: {
    ...silentRuntime,
    env: { XDG_STATE_HOME: folder },
    clock: { ...silentRuntime.clock, now: () => Date.now() },
  },
  states: { answer: () => Promise.resolve({ rows: [] }), close: () => Promise.resolve() },
  workerId: session.id,
  lost: session.lost,
  log: { info: () => undefined, warn: (text) => void warnings.push(text) },
  tracing: disabledTracing,
  places: new SlowCheckoutLimiter(),
  maxMs: 60_000,
});

/** A saved plan, and the apply of it. */
async function addApply(name: string) {
  const workspace = await store.workspaces.add({ ...given, name, variables: {} });
  const workspaceId = workspace?.id ?? '';
  const plan = await store.runs.add({ ...run, workspaceId, operation: 'plan' });
  const planFile = await store.blobs.add(Buffer.from('a plan'));
  const begun = await store.runs.claim(plan?.id ?? '', session.id);
  if (begun) await store.runs.end(begun, { status: 'succeeded', hasChanges: true, planFile });
  const planRun = plan?.id ?? '';
  const apply = await store.runs.add({ ...run, workspaceId, operation: 'apply', planRun });
  return apply?.id ?? '';
}

const readLog = async (id: string) => (await store.log.read(id, 0)).map(({ text }) => text);

/** Carries out the apply of a plan, and cancels it once the program does this; a worker has seen that before it goes on. */
async function applyAndCancel(name: string, during: string) {
  const after = `after-${name}`;
  const id = await addApply(name);
  await store.workspaces.add({ ...given, name: after, after: [name], variables: {} });
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
    log: await readLog(id),
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

it('an apply whose plan is not the newest any more when it begins, applies nothing', async () => {
  const id = await addApply('overtaken');
  const { workspaceId = '' } = (await store.runs.find(id)) ?? {};
  const newer = await store.runs.add({ ...run, workspaceId, operation: 'plan' });
  const begun = await store.runs.claim(newer?.id ?? '', session.id);
  if (begun) await store.runs.end(begun, { status: 'succeeded', hasChanges: false });
  const commands: string[] = [];
  const work = (command: string) => Promise.resolve(void commands.push(command));
  await carryOutRun(openMeans(openProgram(work)), id);
  expect([(await store.runs.find(id))?.status, commands]).toEqual(['failed', []]);
  expect((await readLog(id)).join()).toContain('A newer run took the place of plan #');
});

it('an apply whose state the database did not take says in both logs where that lies', async () => {
  const id = await addApply('full');
  const work = async (
    command: string,
    { HOSTWRIGHT_SERVER_RESCUE: rescue = '' }: ChildProgramCall['env'],
  ) => {
    if (command !== 'apply') return 0;
    await mkdir(rescue, { recursive: true });
    await writeFile(join(rescue, 'state.json'), '{}');
    return 1;
  };
  const start: StartChildProgram = (call) => {
    if (call.args[0] === 'apply')
      call.onLine('error', 'Hint: Interrupt again to stop at once; the next run continues.');
    return openProgram(work)(call);
  };
  await carryOutRun(openMeans(start), id);
  const { workspaceId } = (await store.runs.find(id)) ?? {};
  const path = join(folder, 'hostwright', 'rescue', `full-${workspaceId}`, 'state.json');
  const told = expect.stringContaining(
    `It is in ${path} on ${silentRuntime.process.host}`,
  ) as string;
  expect([await readLog(id), warnings]).toEqual([
    // Nobody sits at a terminal.
    ['Hint: Cancel the run again to stop it at once; the next run continues.', told],
    [told],
  ]);
});

describe('an apply whose worker was killed in the middle', () => {
  /** Another worker goes on with it; the plan that it makes of what is left is of this configuration. */
  async function goOn(name: string, configuration: string, refused = 0) {
    const id = await addApply(name);
    const first = await store.runs.claim(id, session.id);
    // No machine has so many processes.
    const child = identifyProcess(2 ** 22 + 1, silentRuntime.process.host);
    if (first) await store.runs.noteChild(first, child);
    const begun: string[] = [];
    const work = async (command: string, env: ChildProgramCall['env'], args: readonly string[]) => {
      begun.push(command);
      const isPatient = args.join(' ').includes('--lock-timeout 10m');
      expect(isPatient).toBe(command === 'plan' || command === 'apply');
      // It ends before its first step.
      const tried = begun.filter((one) => one === 'apply').length;
      if (command === 'apply' && tried <= refused) return 1;
      const { HOSTWRIGHT_SERVER_REPORT: report } = env;
      if (command !== 'plan' || report === undefined) return 0;
      const hostwright = { ...savedPlan.hostwright, fingerprints: { configuration } };
      const plan = { ...savedPlan, hostwright };
      await writeFile(report, JSON.stringify({ plan, page: '', comment: '' }));
      return 0;
    };
    await carryOutRun(openMeans(openProgram(work)), id);
    const runs = await store.runs.list(name, 1);
    return { status: (await store.runs.find(id))?.status, begun, log: await readLog(id), runs };
  }

  it('is carried out to its end where the configuration is the same, and waits for a laptop', async () => {
    const { status, begun } = await goOn('same', 'as it was');
    expect([status, begun.includes('apply')]).toEqual(['succeeded', true]);
  });

  it('plans once more where what was under way made its plan stale, and ends where that goes on', async () => {
    const { status, begun } = await goOn('stale', 'as it was', 2);
    expect([status, begun.filter((one) => one === 'plan').length]).toEqual(['succeeded', 3]);
    const endless = await goOn('endless', 'as it was', 100);
    expect([endless.status, endless.begun.filter((one) => one === 'plan').length]).toEqual([
      'failed',
      5,
    ]);
  });

  it('waits as a new plan where a variable has made another configuration of it', async () => {
    const { status, begun, log, runs } = await goOn('other', 'another one');
    expect([status, begun.includes('apply')]).toEqual(['failed', false]);
    expect(log.join(' ')).toContain('a variable or an output has changed since');
    expect(runs).toMatchObject([{ operation: 'plan', status: 'queued' }]);
    expect(runs[0]?.reason).toMatch(/^what apply #\d+ has left$/);
  });
});
