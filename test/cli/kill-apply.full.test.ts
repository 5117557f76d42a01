// `examples/shop` applied by the built program, killed with SIGKILL at a request or at a record of its journal, and
// run again: nothing is made twice, nothing is left over. The kill comes from outside: whoever carries the requests,
// or watches the journal grow, pulls the trigger.
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { answerNodeRequest, listenOnLoopback } from '../../src/sandbox/server/serve.ts';
import { drawNumber, readBudget } from '../support/budget/budget.ts';
import { dialectPath, openDialect } from '../support/dialects/open-dialect.ts';
import { hurriedClock } from './hurried-clock.ts';
import { copyExample, start } from './program.ts';
import { runInProcess } from './run-in-process.ts';

/** Where a run is killed, counted from 1. */
interface KillPoint {
  readonly kind: 'request' | 'answer' | 'record';
  readonly variant: 'strict' | 'loose';
  /** The spelling of the service: `contract`, or a dialect. */
  readonly dialect: string;
  readonly at: number;
}

const isFull = readBudget().tier === 'full';
/** Courses side by side: a run mostly waits. */
const atOnce = isFull ? 4 : 1;
/** A point costs a process and a second: the full tier has every tenth, and `kill-courses.test.ts` all of them in process. */
const everyTenth = Array.from(
  { length: 200 },
  (_, index) => 1 + drawNumber(10, 'kills of the program') + 10 * index,
);
const everything = { projects: 3, vms: 40, networks: 4, publicIps: 5, sshKeys: 4, portForwards: 4 };

/** A whole list, however short its pages are. */
async function read(sandbox: Sandbox, path: string): Promise<{ id: string }[]> {
  const headers = { authorization: `Bearer ${sandbox.token}` };
  const items: { id: string }[] = [];
  for (let page = 1; ; page += 1) {
    const url = `http://sandbox/v1${path}?pageSize=100&page=${page}`;
    const body: unknown = await (await sandbox.fetch(new Request(url, { headers }))).json();
    if (Array.isArray(body)) return body as { id: string }[];
    const part = (body as { items: { id: string }[] }).items;
    if (part.length === 0) return items;
    items.push(...part);
  }
}

async function countAccount(sandbox: Sandbox) {
  const projects = await read(sandbox, '/projects');
  const counts = {
    projects: projects.length,
    vms: 0,
    networks: 0,
    publicIps: 0,
    sshKeys: 0,
    portForwards: 0,
  };
  for (const { id } of projects) {
    counts.vms += (await read(sandbox, `/projects/${id}/vms`)).length;
    counts.networks += (await read(sandbox, `/projects/${id}/networks`)).length;
    counts.sshKeys += (await read(sandbox, `/projects/${id}/ssh-keys`)).length;
    const publicIps = await read(sandbox, `/projects/${id}/public-ips`);
    counts.publicIps += publicIps.length;
    for (const ip of publicIps) {
      counts.portForwards += (
        await read(sandbox, `/projects/${id}/public-ips/${ip.id}/port-forwards`)
      ).length;
    }
  }
  return counts;
}

/** Kills the run once its journal has so many records. */
function killAtRecord(directory: string, at: number, kill: () => void) {
  const folder = join(directory, '.hostwright');
  return watch(folder, () => {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith('journal.')) continue;
      try {
        if (readFileSync(join(folder, name), 'utf8').split('\n').length > at) kill();
      } catch {
        // It is gone again.
      }
    }
  });
}

/** One course: killed at a point, resumed, planned again. What is wrong, or `over` when the run ended before. */
async function killAndResume(point: KillPoint): Promise<'over' | string[]> {
  const { kind, variant, dialect, at } = point;
  const shop = await copyExample('shop');
  // Two sandboxes of one account where it is spelled otherwise: the second is asked what there is, as the contract has it.
  const isBound = dialect !== 'contract';
  const dataFile = isBound ? join(shop.path, 'account/sandbox.db') : ':memory:';
  const settings = { dataFile, now: () => hurriedClock.now(), speed: 40, variant };
  const binding = isBound ? await openDialect(dialect) : undefined;
  const sandbox = await openSandbox({ ...settings, binding });
  const account = isBound ? await openSandbox(settings) : sandbox;
  let victim: ChildProcess | undefined;
  let requests = 0;
  const kill = () => victim?.kill('SIGKILL');
  const answer = answerNodeRequest(async (request) => {
    const isMeant = victim !== undefined && (requests += 1) === at;
    if (isMeant && kind === 'request') {
      kill();
      return { status: 499, headers: {}, text: null };
    }
    const answered = await sandbox.answer(request);
    if (isMeant && kind === 'answer') kill();
    return answered;
  });
  const server = await listenOnLoopback(answer, {});
  const env = {
    ...{ HOSTWRIGHT_BASE_URL: `${server.origin}/v1`, HOSTWRIGHT_TOKEN: sandbox.token },
    ...(isBound && { HOSTWRIGHT_CONTRACT: dialectPath(dialect) }),
  };
  const apply = ['apply', shop.path, '--auto-approve'];
  await mkdir(join(shop.path, '.hostwright'));
  const watcher = kind === 'record' ? killAtRecord(shop.path, at, kill) : undefined;
  try {
    const first = start(apply, { env });
    victim = first.child;
    const killed = await first.ended;
    victim = undefined;
    watcher?.close();
    if (killed.code === 0) return 'over';
    const faults: string[] = [];
    const note = (text: string) => faults.push(`${kind} ${at}: ${text}`);
    const resumed = await runInProcess(apply, { env });
    if (resumed.code !== 0)
      note(`the resumed run ended with ${resumed.code}\n${resumed.stdout}${resumed.stderr}`);
    const held = JSON.stringify(await countAccount(account));
    if (held !== JSON.stringify(everything)) note(`the account holds ${held}`);
    const planned = await runInProcess(['plan', shop.path, '--detailed-exitcode'], { env });
    if (planned.code !== 0) note(`the next plan ended with ${planned.code}\n${planned.stdout}`);
    return faults;
  } finally {
    watcher?.close();
    await server.close();
    sandbox.close();
    if (account !== sandbox) account.close();
    await shop.remove();
  }
}

describe('examples/shop, killed and run again', () => {
  test.each([
    { kind: 'request', variant: 'strict', dialect: 'contract', sample: [9, 60] },
    { kind: 'answer', variant: 'strict', dialect: 'contract', sample: [10, 75] },
    { kind: 'record', variant: 'strict', dialect: 'contract', sample: [1, 40] },
    { kind: 'record', variant: 'loose', dialect: 'contract', sample: [20, 60] },
    { kind: 'answer', variant: 'strict', dialect: 'flat', sample: [10, 75] },
    { kind: 'record', variant: 'loose', dialect: 'cursor', sample: [20, 60] },
  ] as const satisfies readonly (Omit<KillPoint, 'at'> & { sample: readonly number[] })[])(
    'at every $kind ($variant, $dialect): nothing twice, nothing left over',
    { timeout: 7_200_000 },
    async ({ sample, ...course }) => {
      const found: string[] = [];
      let points = 0;
      const every = isFull ? everyTenth : sample;
      for (let from = 0; from < every.length; from += atOnce) {
        const batch = every.slice(from, from + atOnce);
        const ended = await Promise.all(batch.map((at) => killAndResume({ ...course, at })));
        const faults = ended.filter((one) => one !== 'over');
        points += faults.length;
        found.push(...faults.flat());
        if (faults.length < batch.length) break;
      }
      expect(found).toEqual([]);
      expect(points).toBeGreaterThan(1);
    },
  );
});
