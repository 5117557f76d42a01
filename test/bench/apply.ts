// What an apply costs. Time: the makespan over its lower bound (the longest path, or all work over the parallelism,
// whichever is larger), with the sandbox's own durations on a virtual clock, and the requests that it takes. Processor
// time: per resource, over HTTP against a sandbox of another process in which nothing takes time; beside it Terraform's
// apply of as many trivial resources. Figures and ratios: they never pass or fail.
import { openNetwork } from '../../src/cli/network/open-network.ts';
import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/api/client.ts';
import { openClock } from '../../src/cli/clock.ts';
import { carryOut } from '../../src/commands/lifecycle/apply.ts';
import { makePlan } from '../../src/commands/planning/make-plan.ts';
import { kinds } from '../../src/kinds/registry.ts';
import type { Durations } from '../../src/model/state/state.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { serveSandbox } from '../../src/sandbox/server/serve.ts';
import { openState } from '../../src/state/store.ts';
import { configure } from '../scenario/world.ts';
import { measureSpan, plenty, vmsPerProject, type Course } from '../support/bench/measure-span.ts';
import { serviceProfiles } from '../support/bench/service-profiles.ts';
import { measureTerraform } from '../support/terraform.ts';

const column = (value: string | number) => String(value).padStart(11);
const row = (...values: (string | number)[]) => console.log(values.map(column).join(''));
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

const spanColumns = [
  ...['profile', 'speed', 'VMs', 'at once', 'latency', 'run', 'bound', 'over it', 'ratio'],
  ...['greedy', 'late', 'late 95%', 'writes', 'looks', 'each'],
];

/** What is applied to every profile, at every speed: few VMs with little room and with much, and many. */
const courses = [
  { vms: 50, parallelism: 10, latencyMs: 30 },
  { vms: 50, parallelism: 1_000, latencyMs: 0 },
  { vms: 50, parallelism: 1_000, latencyMs: 30 },
  { vms: 50, parallelism: 1_000, latencyMs: 150 },
  { vms: 500, parallelism: 50, latencyMs: 30 },
  { vms: 500, parallelism: 1_000, latencyMs: 30 },
] as const;
const speeds = [1, 5, 20, 100] as const;

async function reportSpans(): Promise<void> {
  console.log('apply: time over what no schedule of the same work can beat, on a virtual clock');
  console.log('greedy: the bound of the same order; late: how late the end of a change is noticed');
  console.log('looks: reads after the first change, each: looks and reads over resources');
  row(...spanColumns);
  for (const [profile, planDuration] of Object.entries(serviceProfiles)) {
    for (const speed of speeds) {
      for (const course of courses) {
        await reportSpan(profile, { ...course, service: { seed: 3, speed, planDuration } });
      }
    }
  }
}

/** Two rows: with nothing known of the service, and with what the first apply learned. */
async function reportSpan(profile: string, course: Course): Promise<void> {
  let known: Durations | undefined;
  for (const run of ['first', 'again']) {
    const span = await measureSpan({ ...course, known });
    known = span.learned;
    const { boundMs, makespanMs, greedyMs, requests, latenessMs, resources } = span;
    const quantile = (share: number) => latenessMs[Math.floor(latenessMs.length * share)] ?? 0;
    row(
      ...[profile, course.service.speed ?? 1, course.vms, course.parallelism],
      ...[`${course.latencyMs} ms`, run, seconds(boundMs), seconds(makespanMs - boundMs)],
      ...[(makespanMs / boundMs).toFixed(3), (greedyMs / boundMs).toFixed(3)],
      ...[seconds(quantile(0.5)), seconds(quantile(0.95)), requests.writes, requests.looks],
      ((requests.looks + requests.reads) / resources).toFixed(2),
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
      exchange: openNetwork({}, { maxConnections: 16 }).exchange,
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
