// What it costs to keep the state elsewhere: an apply against the same apply with its state in a directory, the round trips
// to the backend for each resource, and how long a plan takes to begin with a large state. The service is of no latency
// and in another process, so that nothing hides what the state costs. Figures and ratios: they never pass or fail.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openProcessClock } from '../../src/cli/clock.ts';
import type { StateBackend } from '../../src/state/backends/backend.ts';
import type { ManagedResource } from '../../src/model/state/state.ts';
import { replaceState } from '../../src/state/replace-state.ts';
import { acquireLock } from '../../src/state/lock/lock.ts';
import { createEmptyState } from '../../src/state/journal/replay.ts';
import { openStateStore } from '../../src/state/store.ts';
import { startPostgres } from '../support/backends/postgres-server.ts';
import { applyInEarnest, type Account } from '../support/bench/apply-in-earnest.ts';
import { vmsPerProject } from '../support/bench/measure-span.ts';
import { serveFor } from '../support/bench/serve-for.ts';
import { listPlaces, openBackend, type Opened } from '../support/bench/state-places.ts';

const column = (value: string | number) => String(value).padStart(12);
const row = (name: string, ...values: (string | number)[]) =>
  console.log(name.padEnd(24) + values.map(column).join(''));
const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

const resources = 5_000;
const largeState = 10_000;
/** Each is measured so often, in turn, and the fastest counts. */
const rounds = 2;

/** One apply of `resources` by this process: its wall time, and that of opening a large state. */
async function measure(given: readonly string[]) {
  const [kind, at = '', largeAt = '', name = '', baseUrl = '', token = ''] = given;
  const [place, large] = [at, largeAt].map((one) => [kind as Opened['kind'], one] as const);
  const directory = mkdtempSync(join(tmpdir(), 'hostwright-bench-state-'));
  try {
    const backend = await openBackend(place!, name, directory);
    const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
    const projects = Array.from(
      { length: Math.ceil(resources / vmsPerProject) },
      (_, index) => `  p${index}: { vms: { web: { count: ${vmsPerProject - 1}, ${vm} } } }\n`,
    );
    const course = { yaml: `projects:\n${projects.join('')}`, parallelism: 1_000 };
    const { wallMs } = await applyInEarnest({ ...course, account: { baseUrl, token }, backend });
    await backend.close();
    const openMs = await measureOpening(await openBackend(large!, `${name}-large`, directory));
    return { wallMs, openMs };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** How long it takes to read a state of many resources, from the first connection on. */
async function measureOpening(backend: StateBackend): Promise<number> {
  const holder = { pid: process.pid, host: 'bench', user: 'bench' };
  const request = { operation: 'bench', version: '0', process: holder };
  const lock = await acquireLock(backend.lock, request, { clock: openProcessClock() });
  const vms = Array.from({ length: largeState }, (_, index): [string, ManagedResource] => {
    const address = `projects.p.vms.web[${index}]`;
    const attributes = { name: `web-${index}`, image: 'debian-12', power: 'running' };
    return [
      address,
      {
        ...{ address, kind: 'vm', id: `vm-${index}`, projectId: 'p-1', attributes },
        configured: ['name'],
      },
    ];
  });
  const before = createEmptyState('bench');
  const after = { ...before, serial: 1, resources: new Map(vms) };
  await replaceState(backend, { before, after, version: '0' }, lock.fence);
  await lock.release();
  const startedAt = performance.now();
  const store = await openStateStore(backend, { isReadOnly: true });
  await store.close();
  const openMs = performance.now() - startedAt;
  await backend.close();
  return openMs;
}

async function openService(): Promise<{ account: Account; close: () => void }> {
  const served = fork(import.meta.filename, { env: partOf('serve') });
  const account = await new Promise<Account>((done, fail) => {
    served.once('message', (message) => done(message as Account));
    served.once('exit', () => fail(new Error('the sandbox ended')));
  });
  return { account, close: () => served.disconnect() };
}

const partOf = (part: string) => ({ ...process.env, HOSTWRIGHT_BENCH_PART: part });

/** In a process of its own, against a service of its own. */
async function measureApart({ kind, at, largeAt }: Opened, name: string) {
  const { account, close } = await openService();
  const part = `apply ${kind} ${at} ${largeAt} ${name} ${account.baseUrl} ${account.token}`;
  // Not at once: the proxy in between is this very process.
  const text = await new Promise<string>((done, fail) => {
    const child = fork(import.meta.filename, {
      env: partOf(part),
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.once('exit', (code) => (code === 0 ? done(said) : fail(new Error(`exit ${code}`))));
  });
  close();
  return JSON.parse(text) as { readonly wallMs: number; readonly openMs: number };
}

async function report(): Promise<void> {
  const server = await startPostgres();
  const places = listPlaces(server);
  console.log(
    `state: an apply of ${resources} resources, and the opening of a state of ${largeState}`,
  );
  row('', 'apply', 'ratio', 'round trips', 'a resource', 'opening');
  const found = places.map(() => ({ wallMs: Infinity, openMs: Infinity, trips: 0 }));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, place] of places.entries()) {
      const opened = await place.open();
      const { wallMs, openMs } = await measureApart(opened, `bench-${index}-${round}`);
      const best = found[index]!;
      const trips = opened.trips?.() ?? 0;
      if (wallMs < best.wallMs) Object.assign(best, { wallMs, trips });
      await opened.close?.();
      best.openMs = Math.min(best.openMs, openMs);
    }
  }
  for (const [index, { name }] of places.entries()) {
    const { wallMs, openMs, trips } = found[index]!;
    const ratio = (wallMs / found[0]!.wallMs).toFixed(2);
    const each = trips === 0 ? '-' : (trips / resources).toFixed(3);
    row(name, seconds(wallMs), ratio, trips === 0 ? '-' : trips, each, seconds(openMs));
  }
  await server.close();
}

const [part = '', ...rest] = (process.env.HOSTWRIGHT_BENCH_PART ?? '').split(' ');
if (part === 'serve') await serveFor([]);
else if (part === 'apply') process.stdout.write(JSON.stringify(await measure(rest)));
else await report();
