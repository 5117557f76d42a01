// What the sandbox takes for a list of 100 VMs and for a create, with few and with many VMs stored. Figures and a
// ratio: they never pass or fail.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';

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
    return JSON.parse(text) as unknown;
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

/** Stores so many VMs, all of them long settled. */
async function fill(call: Call, project: string, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    await call('POST', `/projects/${project}/vms`, vmRequest(`vm${index}`));
  }
}

const folder = mkdtempSync(join(tmpdir(), 'hostwright-bench-'));
// Its clock stands still while it is filled, and then leaps: nothing is left to settle.
let leapMs = 0;
const sandbox = await openSandbox({
  dataFile: join(folder, 'sandbox.sqlite'),
  now: () => Date.now() + leapMs,
  quotas: plenty,
});
const inProcess = caller(sandbox, 'http://sandbox/v1', (input, init) =>
  sandbox.fetch(new Request(input, init)),
);
const { id: project } = (await inProcess('POST', '/projects', { name: 'bench' })) as { id: string };

const medians: Record<string, number[]> = {};
const print = (what: string, { perSecond, medianMs, p99Ms }: Figures) =>
  console.log(
    `${what.padEnd(38)} ${perSecond.toFixed(0).padStart(7)}/s  median ${medianMs.toFixed(2).padStart(7)} ms  p99 ${p99Ms.toFixed(2).padStart(7)} ms`,
  );

let stored = 0;
for (const size of sizes) {
  await fill(inProcess, project, stored, size);
  stored = size;
  leapMs += 3_600_000;
  await inProcess('GET', '/limits');
  // Not before: filling leaves the event loop no time to keep connections alive.
  const server = await serveSandbox(sandbox);
  const overHttp = caller(sandbox, server.baseUrl, fetch);
  const ways = [
    { way: 'in the process', call: inProcess, atOnce: 1 },
    { way: `over HTTP, ${concurrency} at a time`, call: overHttp, atOnce: concurrency },
  ];
  for (const { way, call, atOnce } of ways) {
    console.log(`\n${size} VMs stored, ${way}`);
    for (const [name, path] of Object.entries(reads)) {
      const read = () => call('GET', path(project));
      await measure(20, atOnce, read);
      const figures = await measure(lists, atOnce, read);
      if (atOnce === 1) (medians[name] ??= []).push(figures.medianMs);
      print(name, figures);
    }
    const create = (index: number) =>
      call('POST', `/projects/${project}/vms`, vmRequest(`extra${size}-${atOnce}-${index}`));
    print('create of a VM', await measure(creates, atOnce, create));
  }
  await server.close();
}
console.log(`\nmedian with ${sizes[1]} VMs over median with ${sizes[0]}; at most 1.5 is wanted`);
for (const [name, [few = 0, many = 0]] of Object.entries(medians)) {
  console.log(`${name.padEnd(38)} ${(many / few).toFixed(2)}`);
}

sandbox.close();
rmSync(folder, { recursive: true });
