// Two runs of one state: who waits, who is refused, who is told, and what a run does that loses its lock in the middle.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LockInfo } from '../../src/state/lock/lock-info.ts';
import { acquireLock, readStateLockHolder, type StateLock } from '../../src/state/lock/lock.ts';
import { identifyProcess } from '../../src/state/lock/lock-holder.ts';
import { DayTwoWorld } from '../support/day-two.ts';
import { openLocalBackend } from '../../src/state/backends/local.ts';
import { expectFailure } from '../support/expect-words.ts';

let world: DayTwoWorld;
let folder: string;
beforeEach(async () => {
  world = await DayTwoWorld.open();
  folder = join(world.directory, '.hostwright');
  writeFileSync(
    join(world.directory, 'more.yaml'),
    'version: 1\nprojects: { shop: { networks: { a: , b: , c: , d: , e: , f: } } }\n',
  );
});
afterEach(() => world.close());

/** As another run that lives. */
function hold(): Promise<StateLock> {
  const process_ = { pid: process.pid, host: 'elsewhere', user: 'you' };
  const request = { operation: 'apply', version: '0', process: process_ };
  return acquireLock(openLocalBackend(world.directory).lock, request, { clock: world.clock });
}

const apply = ['apply', '--auto-approve', '--parallelism', '2'];
const listNetworks = async () => {
  const networks = await world.client.list('network', { projectId: world.projectId });
  return networks.map((one) => ('name' in one ? one.name : '')).sort();
};
const all = ['a', 'b', 'c', 'd', 'e', 'f', 'planned'];

test('a plan takes no lock and writes nothing, while another run holds it: it warns', async () => {
  const lock = await hold();
  const before = readdirSync(folder);
  const planned = await world.run(['plan']);
  expect(planned).toMatchObject({ code: 0, writes: [] });
  expect(planned.stderr).toContain('[state-in-use]');
  expect(planned.stderr).toContain('Another run is changing the account: you@elsewhere (apply)');
  expect(readdirSync(folder)).toEqual(before);
  expect((await readStateLockHolder(openLocalBackend(world.directory).lock))?.info.ID).toBe(
    lock.info.ID,
  );
  await lock.release();
  expect((await world.run(['plan'])).stderr).not.toContain('state-in-use');
});

test('a plan that is saved is refused while another run holds the lock', async () => {
  const lock = await hold();
  const refused = await world.run(['plan', '--out', 'plan.hwp']);
  expect(refused).toMatchObject({ code: 1, writes: [] });
  expect(refused.stderr).toContain('[state-locked]');
  expect(existsSync(join(world.directory, 'plan.hwp'))).toBe(false);
  await lock.release();
  expect(await world.run(['plan', '--out', 'plan.hwp'])).toMatchObject({ code: 0 });
  expect(existsSync(join(world.directory, 'plan.hwp'))).toBe(true);
});

test('a plan between a kill and the next apply leaves the lock, and all that it tells, to the apply', async () => {
  const lock = await hold();
  const path = join(folder, 'lock.json');
  const dead = { ...lock.info, ...identifyProcess(process.pid, 'here'), Started: '1' };
  writeFileSync(path, JSON.stringify(dead));
  const left = readFileSync(path, 'utf8');
  const planned = await world.run(['plan', '--out', 'plan.hwp']);
  expect(planned.code).toBe(0);
  expect(planned.stderr).not.toContain('lock');
  expect(readFileSync(path, 'utf8')).toBe(left);
  const applied = await world.run(apply);
  expect(applied.stderr).toContain('[lock-taken-over]');
  expect(applied.code).toBe(0);
  await lock.release();
});

test('an apply that loses its lock while it reads reports no plan: what it knows may be out of date', async () => {
  let isLost = false;
  const { code, stdout, stderr } = await world.run(apply, {
    meddle(_request, pass) {
      if (!isLost) rmSync(join(folder, 'lock.json'));
      isLost = true;
      return pass();
    },
  });
  expect(code).toBe(1);
  expect(stderr).toContain('[lock-lost]');
  expect(stdout).not.toContain('will be created');
  expect(await listNetworks()).toEqual([]);
});

/**
 * Runs an apply whose lock is lost right before, or right after, its nth request that changes something. What does that
 * must wait for nothing: the clock runs ahead meanwhile.
 */
async function loseAt(nth: number, side: 'before' | 'after', lose: () => void) {
  let count = 0;
  return world.run(apply, {
    async meddle(request, pass) {
      if (request.method === 'GET') return pass();
      count += 1;
      const isNow = count === nth;
      if (isNow && side === 'before') lose();
      const answer = await pass();
      if (isNow && side === 'after') lose();
      return answer;
    },
  });
}

/** What `force-unlock` does. */
const unlock = () => rmSync(join(folder, 'lock.json'));

/** What a run does that takes over: its mark, itself first, then it reads. */
function takeOver(): void {
  const path = join(folder, 'lock.json');
  const { ID, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as LockInfo;
  const info = { ...rest, ID: 'successor', Who: 'you@elsewhere', Started: '1', Epoch: 9 };
  writeFileSync(join(folder, `lock.${ID}.json`), JSON.stringify(info));
  writeFileSync(path, JSON.stringify(info));
  rmSync(join(folder, `lock.${ID}.json`));
}

test.each([
  [1, 'before'],
  [1, 'after'],
  [3, 'before'],
  [4, 'after'],
] as const)(
  'force-unlock during a run (request %i, %s): it starts nothing new, says so, and the next one makes nothing twice',
  async (nth, side) => {
    const ran = await loseAt(nth, side, unlock);
    expectFailure(
      ran,
      'The lock of the state was removed while this run held it',
      'the next run looks it up',
    );
    // The one at which it was lost, and one that went out beside it.
    expect(ran.writes.length).toBeLessThanOrEqual(nth + 1);
    expect(readdirSync(folder)).not.toContain('last-run.json');
    const next = await world.run(apply);
    expect(next.code, next.stderr).toBe(0);
    expect(await listNetworks()).toEqual(all);
    const planned = await world.run(['plan', '--detailed-exitcode']);
    expect(planned.code, planned.stdout + planned.stderr).toBe(0);
  },
);

test('a run whose lock another has taken over leaves the state to that one', async () => {
  const read = () =>
    readdirSync(folder).map((name) => `${name}: ${readFileSync(join(folder, name), 'utf8')}`);
  let left: string[] = [];
  const ran = await loseAt(2, 'after', () => {
    takeOver();
    left = read();
  });
  expectFailure(ran, 'The lock of the state was taken over by you@elsewhere (apply)');
  expect(ran.writes.length).toBeLessThanOrEqual(3);
  expect(read()).toEqual(left);
  expect(await world.run(apply)).toMatchObject({ code: 0 });
  expect(await listNetworks()).toEqual(all);
});
