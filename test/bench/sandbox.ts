// What the sandbox takes for a list of 100 VMs and for a create, with few and with many VMs stored. Figures and a
// ratio: they never pass or fail.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { serveSandbox } from '../../src/sandbox/server/serve.ts';

const sizes = [100, 10_000] as const;
const lists = 400;
const creates = 400;
/** Requests under way at once, over HTTP; in the process one follows the other. */
const concurrency = 8;

interface Figures {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

const plenty = { cpu: 1e9, ram: 1e9, disk: 1e9, networks: 1e6, projects: 1e6 };

const vmRequest = (name: string) => ({
  name,
  imageId: 'img-debian-12',
  tariffId: 'trf-monthly',
  configurationId: 'cfg-c1r1d20',
});

/** Calls the sandbox by `fetch`, over HTTP or in the process. Fails on anything but a success. */
function caller(sandbox: Sandbox, base: string, fetchIt: typeof fetch): Call {
  return async (method, path, body) => {
    const response = await fetchIt(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
}

async function measure(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<unknown>,
): Promise<Figures> {
  const times: number[] = [];
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let index = next++; index < count; index = next++) {
        const start = performance.now();
        await work(index);
        times.push(performance.now() - start);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0;
  return { perSecond: count / seconds, medianMs: at(0.5), p99Ms: at(0.99) };
}

const reads: Readonly<Record<string, (project: string) => string>> = {
  'list of 100 VMs': (project) => `/projects/${project}/vms?page=1&pageSize=100`,
  'the project': (project) => `/projects/${project}`,
  limits: () => '/limits',
  'state counts': (project) => `/projects/${project}/vms/state-counts`,
  operations: (project) => `/projects/${project}/operations?pageSize=100`,
  'running operations': (project) => `/projects/${project}/operations?status=Running`,
  notifications: () => '/notifications?pageSize=100',
};

interface Bench {
  readonly size: number;
  readonly sandbox: Sandbox;
  readonly project: string;
  readonly inProcess: Call;
}

/** A sandbox on the disk with so many VMs, all of them long settled. */
async function openBench(folder: string, size: number): Promise<Bench> {
  // It leaps once it is filled: nothing is left to settle.
  let leapMs = 0;
  const sandbox = await openSandbox({
    dataFile: join(folder, `${size}.sqlite`),
    now: () => Date.now() + leapMs,
    quotas: plenty,
  });
  const inProcess = caller(sandbox, 'http://sandbox/v1', (input, init) =>
    sandbox.fetch(new Request(input, init)),
  );
  const { id } = (await inProcess('POST', '/projects', { name: 'bench' })) as { id: string };
  for (let index = 0; index < size; index += 1) {
    await inProcess('POST', `/projects/${id}/vms`, vmRequest(`vm${index}`));
  }
  leapMs = 3_600_000;
  await inProcess('GET', '/limits');
  return { size, sandbox, project: id, inProcess };
}

const print = (what: string, { perSecond, medianMs, p99Ms }: Figures) =>
  console.log(
    `${what.padEnd(24)} ${perSecond.toFixed(0).padStart(7)}/s  median ${medianMs.toFixed(2).padStart(7)} ms  p99 ${p99Ms.toFixed(2).padStart(7)} ms`,
  );

async function showFigures({ size, project }: Bench, way: string, call: Call, atOnce: number) {
  console.log(`\n${size} VMs stored, ${way}`);
  for (const [name, path] of Object.entries(reads)) {
    const read = () => call('GET', path(project));
    await measure(20, atOnce, read);
    print(name, await measure(lists, atOnce, read));
  }
  const create = (index: number) =>
    call('POST', `/projects/${project}/vms`, vmRequest(`extra${atOnce}-${index}`));
  print('create of a VM', await measure(creates, atOnce, create));
}

/** Reads both in turn: what else the machine does falls on both alike. */
async function showRatios(few: Bench, many: Bench): Promise<void> {
  console.log(`\nmedian with ${many.size} VMs over median with ${few.size}; at most 1.5 is wanted`);
  for (const [name, path] of Object.entries(reads)) {
    const times: Record<number, number[]> = { [few.size]: [], [many.size]: [] };
    for (let index = 0; index < lists; index += 1) {
      for (const { size, project, inProcess } of [few, many]) {
        const began = performance.now();
        await inProcess('GET', path(project));
        times[size]?.push(performance.now() - began);
      }
    }
    const [one = 0, other = 0] = [few, many].map(({ size }) => medianOf(times[size] ?? []));
    console.log(`${name.padEnd(24)} ${(other / one).toFixed(2)}`);
  }
}

const medianOf = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

const folder = mkdtempSync(join(tmpdir(), 'hostwright-bench-'));
const few = await openBench(folder, sizes[0]);
const many = await openBench(folder, sizes[1]);
await showRatios(few, many);
await showFigures(many, 'in the process', many.inProcess, 1);
const server = await serveSandbox(many.sandbox);
const overHttp = caller(many.sandbox, server.baseUrl, fetch);
await showFigures(many, `over HTTP, ${concurrency} at a time`, overHttp, concurrency);
await server.close();
for (const { sandbox } of [few, many]) sandbox.close();
rmSync(folder, { recursive: true });
