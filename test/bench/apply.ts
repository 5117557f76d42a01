// What an apply costs. Time: the makespan over its lower bound (the longest path, or all work over the parallelism,
// whichever is larger), with the sandbox's own durations on a virtual clock, and the requests that it takes. Processor
// time: per resource, over HTTP against a sandbox of another process in which nothing takes time; beside it Terraform's
// apply of as many trivial resources. Figures and ratios: they never pass or fail.
import { execFileSync } from 'node:child_process';
import type { UsualCommandDurations } from '../../src/model/state/state.ts';
import { applyInEarnest, type Account } from '../support/bench/apply-in-earnest.ts';
import { measureSpan, vmsPerProject, writeConfiguration } from '../support/bench/measure-span.ts';
import type { Course } from '../support/bench/measure-span.ts';
import { openService, serveFor } from '../support/bench/serve-for.ts';
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
  console.log('greedy: the same work, the longest way first, every end noticed at once');
  console.log('late: how late the end of a change is noticed');
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
  let known: UsualCommandDurations | undefined;
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

/** One apply with its state on the disk, by this process; `vms` stand alone, so that each is one resource. */
async function measureCost(count: number, account: Account): Promise<Cost> {
  const projects = Math.ceil(count / vmsPerProject);
  const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
  const parts = Array.from(
    { length: projects },
    (_, index) => `  p${index}: { vms: { web: { count: ${vmsPerProject - 1}, ${vm} } } }\n`,
  );
  const yaml = `projects:\n${parts.join('')}`;
  const cost = await applyInEarnest({ yaml, account, parallelism: 1_000 });
  return { ...cost, peakMb: process.resourceUsage().maxRSS / 1_024 };
}

async function reportCosts(): Promise<void> {
  console.log(
    'apply: over HTTP against a service of no latency; processor time of our process alone',
  );
  row('resources', 'wall', 'processor', 'each', 'peak MB', 'terraform', 'ratio');
  for (const size of costSizes) {
    const { account, close } = await openService(import.meta.filename, '');
    const text = execFileSync(process.execPath, [import.meta.filename], {
      env: {
        ...process.env,
        HOSTWRIGHT_BENCH_PART: `apply ${size} ${account.baseUrl} ${account.token}`,
      },
      encoding: 'utf8',
    });
    await close();
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

/** What is applied by the clock of this machine, 30 ms away and everything at once. */
const earnestCourses = [
  { vms: 50, speed: 5 },
  { vms: 50, speed: 20 },
  { vms: 50, speed: 100 },
  { vms: 500, speed: 5 },
  { vms: 500, speed: 20 },
  { vms: 500, speed: 100 },
] as const;

async function reportInEarnest(): Promise<void> {
  console.log('apply: in earnest, over HTTP against another process, its state on the disk');
  console.log('ours, service: processor time of either process, which the bound leaves out');
  row(
    ...['profile', 'speed', 'VMs', 'bound', 'over it', 'ratio', 'ours', 'service'],
    ...['writes', 'looks', 'each'],
  );
  for (const profile of Object.keys(serviceProfiles)) {
    for (const { vms, speed } of earnestCourses) {
      const { account, close } = await openService(import.meta.filename, `${profile} ${speed}`);
      const yaml = writeConfiguration(vms);
      const done = await applyInEarnest({ yaml, account, parallelism: 1_000, latencyMs: 30 });
      const serviceMs = await close();
      const { boundMs, wallMs, cpuMs, requests, resources } = done;
      row(
        ...[profile, speed, vms, seconds(boundMs), seconds(wallMs - boundMs)],
        ...[(wallMs / boundMs).toFixed(3), seconds(cpuMs), seconds(serviceMs)],
        ...[requests.writes, requests.looks],
        ((requests.looks + requests.reads) / resources).toFixed(2),
      );
    }
  }
}

const [part = '', ...rest] = (process.env.HOSTWRIGHT_BENCH_PART ?? '').split(' ');
if (part === 'serve') await serveFor(rest);
else if (part === 'apply') {
  const [size, baseUrl = '', token = ''] = rest;
  process.stdout.write(JSON.stringify(await measureCost(Number(size), { baseUrl, token })));
} else {
  await reportCosts();
  await reportInEarnest();
  await reportSpans();
}
