// What an apply costs. Time: the makespan over its lower bound (the longest path, or all work over the parallelism,
// whichever is larger), with the sandbox's own durations on a virtual clock, and the requests that it takes. Processor
// time: per resource, over HTTP against a sandbox of another process in which nothing takes time; beside it Terraform's
// apply of as many trivial resources. Figures and ratios: they never pass or fail.
import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/api/client.ts';
import { openClock } from '../../src/cli/clock.ts';
import { carryOut } from '../../src/commands/lifecycle/apply.ts';
import { makePlan } from '../../src/commands/planning/make-plan.ts';
import { kinds } from '../../src/kinds/registry.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { Durations } from '../../src/model/state/state.ts';
import { openSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { serveSandbox } from '../../src/sandbox/server/serve.ts';
import { openMemoryState } from '../../src/state/memory-store.ts';
import { openState } from '../../src/state/store.ts';
import { configure, describeFailures, World } from '../scenario/world.ts';
import { measureTerraform } from '../support/terraform.ts';

const sizes = [50, 200, 1_000] as const;
/** How many changes run at once: few, and the default. */
const parallelisms = [50, 1_000] as const;
const vmsPerProject = 50;
/** As the world of the scenarios calls its service. */
const serviceName = 'sandbox';
/** The sandbox as it comes, one five times as slow, and one five times as quick. */
const services: readonly Partial<SandboxOptions>[] = [
  { seed: 3 },
  { seed: 11, speed: 0.2, variant: 'loose' },
  { seed: 2_027, speed: 5 },
];
const plenty = { cpu: 1e9, ram: 1e9, disk: 1e9, projects: 1e6, networks: 1e6, publicIps: 1e6 };

/** So many VMs with what belongs to them, in several projects. */
function writeConfiguration(vms: number): string {
  const projects = Math.max(2, Math.ceil(vms / vmsPerProject));
  const each = Math.ceil(vms / projects);
  const parts = Array.from({ length: projects }, (_, index) => writeProject(index, each));
  return `projects:\n${parts.join('')}`;
}

function writeProject(index: number, vms: number): string {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9nGQ0r4bW1Yw3cFJxvQkLh1nQ3oYc0m6rK1s5yD2a';
  const forward = (port: number, edge: number) =>
    `{ protocol: tcp, publicPort: ${port}, vm: 'web[${edge}]', vmPort: ${port} }`;
  const edges = Array.from({ length: Math.ceil(vms / 10) }, (_, edge) => {
    const forwards = `http: ${forward(80, edge)}, https: ${forward(443, edge)}`;
    return `      edge${edge}: { forwards: { ${forwards} } }\n`;
  });
  const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
  return `  p${index}:
    sshKeys: { alice: { publicKey: ${key}B alice }, bob: { publicKey: ${key}C bob } }
    networks: { backend: }
    publicIps:
${edges.join('')}    vms:
      web: { count: ${vms}, ${vm}, sshKeys: [alice], networks: [backend] }
`;
}

interface Span {
  readonly resources: number;
  /** No schedule of this work is shorter. */
  readonly boundMs: number;
  /** What the same order takes when every end is noticed at once and no request takes time. */
  readonly greedyMs: number;
  readonly makespanMs: number;
  readonly requests: number;
  readonly learned: Durations;
}

/** One apply of an empty account on a virtual clock; `known` is what an earlier run learned of durations. */
async function measureSpan(
  vms: number,
  parallelism: number,
  service: Partial<SandboxOptions>,
  known?: Durations,
): Promise<Span> {
  const desired = await configure(writeConfiguration(vms));
  const world = await World.open({ quotas: plenty, ...service });
  if (known) {
    const { state } = await openMemoryState();
    // What was learned of one service says nothing of another.
    const learned = { ...state, service: serviceName, durations: known };
    world.store = await openMemoryState({ state: learned });
  }
  const start = world.time.now();
  const end = await world.apply(desired, { parallelism });
  const failures = describeFailures(end);
  if (end.kind !== 'ended' || failures.length > 0) throw new Error(failures.join('\n'));
  const makespanMs = world.time.now() - start;
  const { requests } = world;
  const tasks = await readWork(world, end.planned.plan);
  return {
    resources: desired.resources.length,
    boundMs: findBound(tasks, parallelism),
    greedyMs: scheduleGreedily(tasks, parallelism),
    makespanMs,
    requests,
    learned: world.store.state.durations ?? {},
  };
}

/** A task with the time that the service took for it. */
interface Work {
  readonly id: string;
  readonly ownMs: number;
  readonly dependsOn: readonly string[];
}

async function readWork(world: World, plan: Plan): Promise<Work[]> {
  const client = world.connect();
  const spent = new Map<string | null, number>();
  for (const { id } of await world.time.run(client.listProjects())) {
    const operations = await world.time.run(client.listOperations(id, { newest: 1e6 }));
    for (const { resourceId, createdAt, completedAt } of operations) {
      const ms = (completedAt ?? 0) - (createdAt ?? 0);
      spent.set(resourceId, (spent.get(resourceId) ?? 0) + ms);
    }
  }
  const { state } = await world.store.reopen();
  return plan.tasks.map(({ id, address, dependsOn }) => ({
    id,
    ownMs: spent.get(state.resources.get(address)?.id ?? null) ?? 0,
    dependsOn: dependsOn.map(({ on }) => on),
  }));
}

/** No schedule is shorter: the longest path through the tasks, or all work over what may run at once. */
function findBound(tasks: readonly Work[], parallelism: number): number {
  const ends = new Map<string, number>();
  let total = 0;
  for (const { id, ownMs, dependsOn } of tasks) {
    total += ownMs;
    ends.set(id, ownMs + Math.max(0, ...dependsOn.map((wait) => ends.get(wait) ?? 0)));
  }
  return Math.max(total / parallelism, ...ends.values());
}

/** Whoever is ready takes the next free place, as one must who does not know beforehand how long each will take. */
function scheduleGreedily(tasks: readonly Work[], parallelism: number): number {
  const waiting = new Map(tasks.map((task) => [task.id, new Set(task.dependsOn)]));
  const ready = tasks.filter(({ dependsOn }) => dependsOn.length === 0);
  let running: { id: string; at: number }[] = [];
  let now = 0;
  while (ready.length > 0 || running.length > 0) {
    for (const { id, ownMs } of ready.splice(0, parallelism - running.length)) {
      running.push({ id, at: now + ownMs });
    }
    now = Math.min(...running.map(({ at }) => at));
    const ended = new Set(running.filter(({ at }) => at <= now).map(({ id }) => id));
    running = running.filter(({ id }) => !ended.has(id));
    for (const task of tasks) {
      const waits = waiting.get(task.id);
      if (!waits || waits.size === 0) continue;
      for (const id of ended) waits.delete(id);
      if (waits.size === 0) ready.push(task);
    }
  }
  return now;
}

const column = (value: string | number) => String(value).padStart(11);
const row = (...values: (string | number)[]) => console.log(values.map(column).join(''));
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

const spanColumns = [
  ...['VMs', 'at once', 'speed', 'resources', 'run', 'bound', 'makespan'],
  ...['ratio', 'greedy', 'requests', 'each'],
];

async function reportSpans(): Promise<void> {
  console.log('apply: makespan over its lower bound, and requests, on a virtual clock');
  console.log(
    'greedy: the same without any delay of ours; "first" without, "again" with learned durations',
  );
  row(...spanColumns);
  for (const vms of sizes) {
    for (const parallelism of parallelisms) {
      for (const service of services) await reportSpan(vms, parallelism, service);
    }
  }
}

/** Two rows: with nothing known of the service, and with what the first apply learned. */
async function reportSpan(
  vms: number,
  parallelism: number,
  service: Partial<SandboxOptions>,
): Promise<void> {
  let learned: Durations | undefined;
  for (const run of ['first', 'again']) {
    const span = await measureSpan(vms, parallelism, service, learned);
    learned = span.learned;
    const { boundMs, makespanMs, greedyMs, requests, resources } = span;
    row(
      ...[vms, parallelism, service.speed ?? 1, resources, run],
      ...[seconds(boundMs), seconds(makespanMs)],
      ...[(makespanMs / boundMs).toFixed(3), (greedyMs / boundMs).toFixed(3)],
      ...[requests, (requests / resources).toFixed(2)],
    );
  }
}

/** Resources of the runs whose processor time is measured. */
const costSizes = [200, 1_000, 5_000] as const;

/** What one apply took the process that ran it. */
interface Cost {
  readonly resources: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** Serves a sandbox in which nothing takes time, until the process that asked for it goes away. */
async function serveQuickly(): Promise<void> {
  const sandbox = await openSandbox({
    dataFile: ':memory:',
    now: () => Date.now(),
    speed: 1e9,
    quotas: plenty,
  });
  const { baseUrl } = await serveSandbox(sandbox);
  process.on('disconnect', () => process.exit());
  process.send?.({ baseUrl, token: sandbox.token });
}

/** One apply with its state on the disk, by this process; `vms` stand alone, so that each is one resource. */
async function measureCost(count: number, baseUrl: string, token: string): Promise<Cost> {
  const directory = mkdtempSync(join(tmpdir(), 'hostwright-bench-'));
  try {
    const projects = Math.ceil(count / vmsPerProject);
    const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
    const parts = Array.from(
      { length: projects },
      (_, index) => `  p${index}: { vms: { web: { count: ${vmsPerProject - 1}, ${vm} } } }\n`,
    );
    const desired = await configure(`projects:\n${parts.join('')}`);
    const clock = openClock();
    const random = Math.random;
    const client = createClient({
      kinds,
      baseUrl,
      token,
      clock,
      random,
      maxConcurrency: 16,
      fetch,
    });
    const connection = { client, service: baseUrl, close: () => undefined };
    const planOptions = {
      adoptsAll: false,
      isForced: false,
      replace: [],
      selection: { targets: [], excludes: [] },
    };
    const before = process.cpuUsage();
    const startedAt = performance.now();
    const store = await openState(directory);
    const planned = await makePlan({
      mode: 'apply',
      desired,
      state: store.state,
      connection,
      clock,
      planOptions,
    });
    const { changes } = await carryOut(
      {
        clock,
        random,
        interrupted: new AbortController().signal,
        holdInterrupts: () => () => undefined,
      },
      { store, connection, claimSink: () => Promise.reject(new Error('no tokens here')) },
      planned,
      { parallelism: 50, capacityWaitMs: 0, planOptions, saved: undefined },
      { showDiagnostics: () => undefined, showEvent: () => undefined },
    );
    await store.close();
    const { user, system } = process.cpuUsage(before);
    if (changes.some(({ result }) => result.kind !== 'applied')) throw new Error('not applied');
    return {
      resources: desired.resources.length,
      wallMs: performance.now() - startedAt,
      cpuMs: (user + system) / 1_000,
      peakMb: process.resourceUsage().maxRSS / 1_024,
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function reportCosts(): Promise<void> {
  console.log(
    'apply: over HTTP against a service of no latency; processor time of our process alone',
  );
  row('resources', 'wall', 'processor', 'each', 'peak MB', 'terraform', 'ratio');
  for (const size of costSizes) {
    const served = fork(import.meta.filename, {
      env: { ...process.env, HOSTWRIGHT_BENCH_PART: 'serve' },
    });
    const ready = await new Promise<{ baseUrl: string; token: string }>((done, fail) => {
      served.once('message', (message) => done(message as { baseUrl: string; token: string }));
      served.once('exit', () => fail(new Error('the sandbox ended')));
    });
    const text = execFileSync(process.execPath, [import.meta.filename], {
      env: {
        ...process.env,
        HOSTWRIGHT_BENCH_PART: `apply ${size} ${ready.baseUrl} ${ready.token}`,
      },
      encoding: 'utf8',
    });
    served.disconnect();
    const { resources, wallMs, cpuMs, peakMb } = JSON.parse(text) as Cost;
    const rival = measureTerraform(['apply', '-auto-approve'], resources);
    const more = rival?.isOver ? ['over ', 'under '] : ['', ''];
    row(
      resources,
      seconds(wallMs),
      seconds(cpuMs),
      `${(cpuMs / resources).toFixed(2)} ms`,
      Math.round(peakMb),
      rival === undefined ? 'none here' : `${more[0]}${seconds(rival.ms)}`,
      rival === undefined ? '-' : `${more[1]}${(wallMs / rival.ms).toFixed(2)}`,
    );
  }
}

const [part = '', size = '', baseUrl = '', token = ''] = (
  process.env.HOSTWRIGHT_BENCH_PART ?? ''
).split(' ');
if (part === 'serve') await serveQuickly();
else if (part === 'apply') {
  process.stdout.write(JSON.stringify(await measureCost(Number(size), baseUrl, token)));
} else {
  await reportCosts();
  await reportSpans();
}
