// Each backend when two runs meet, when one of them sleeps for longer than its lease, and when the network to it is cut or
// slow. Programs live ten times as fast here: a second is ten of theirs.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openProxy, type UnreliableProxy } from '../support/backends/unreliable-proxy.ts';
import { openDemo, type Demo } from './demo.ts';
import { run, start, type Ended } from './program.ts';
import {
  describeRun,
  openBranch,
  openBucket,
  openDatabase,
  openGitlab,
  type OpenPlace,
  type Place,
} from './state-arena.ts';
import { expectFailure, expectWords } from '../support/expect-words.ts';

const vms = 3;
let demo: Demo;
/** The folder of the second person. */
let other: string;
let closers: (() => Promise<unknown>)[];

beforeEach(async () => {
  demo = await openDemo(vms);
  other = await mkdtemp(join(tmpdir(), 'hostwright-other-'));
  await cp(demo.directory, other, { recursive: true });
  closers = [];
});
afterEach(async () => {
  await demo.close();
  for (const close of closers.reverse()) await close();
  await rm(other, { recursive: true });
});

/** A place behind a network that is ours to cut. */
async function openFar(open: OpenPlace, delayMs = 0) {
  let proxy: UnreliableProxy | undefined;
  const via = async (port: number) => {
    proxy = await openProxy(port, undefined, delayMs);
    return proxy.port;
  };
  const place = await open({ folders: [demo.directory, other], via });
  closers.push(
    () => place.close(),
    () => proxy?.close() ?? Promise.resolve(),
  );
  if (!proxy) throw new Error('nothing lies in between');
  return { ...use(place), proxy };
}

async function openNear(open: OpenPlace) {
  const place = await open({ folders: [demo.directory, other] });
  closers.push(() => place.close());
  return use(place);
}

function use(place: Place) {
  const env = { ...demo.env, ...describeRun(place) };
  return {
    place,
    apply: (cwd: string, ...flags: readonly string[]) =>
      start(['apply', '--auto-approve', ...flags], { cwd, env }),
    run: (cwd: string, ...args: readonly string[]) => run(args, { cwd, env }),
  };
}

function expectGood({ code, stderr }: Ended): void {
  expect(stderr).not.toContain('Error:');
  expect(code).toBe(0);
}

async function expectOnce(used: ReturnType<typeof use>): Promise<void> {
  expect(await demo.listVms()).toHaveLength(vms);
  for (const cwd of [demo.directory, other]) {
    expectGood(await used.run(cwd, 'plan', '--detailed-exitcode'));
  }
}

describe.each([
  ['a database', openDatabase],
  ['a bucket', openBucket],
  ['a server of the http protocol', openGitlab],
  ['a branch', openBranch],
])('a state in %s', (_name, open) => {
  test('two runs at once: one waits and shows the other, and then has nothing to do', async () => {
    const used = await openNear(open);
    const first = used.apply(demo.directory);
    await demo.hasTaken(1);
    const second = used.apply(other, '--lock-timeout', '30m');
    await second.waitFor('[waiting-for-lock]');
    demo.release();
    expectGood(await first.ended);
    const ended = await second.ended;
    expectGood(ended);
    expect(ended.stdout).toContain('No changes');
    await expectOnce(used);
  });

  test('a holder that is stopped for longer than its lease wakes to a refusal', async () => {
    const used = await openNear(open);
    const first = used.apply(demo.directory);
    await demo.hasTaken(2);
    first.child.kill('SIGSTOP');
    demo.release();
    if (used.place.keepsLocks) {
      const refused = await used.apply(other).ended;
      expect(refused.stderr).toContain('[state-locked]');
      const [, id = ''] = /force-unlock[\s│]+([\da-f-]{36})/.exec(refused.stderr) ?? [];
      expectGood(await used.run(other, 'force-unlock', id));
    }
    expectGood(await used.apply(other, '--lock-timeout', '30m').ended);
    first.child.kill('SIGCONT');
    const woken = await first.ended;
    expect(woken.stderr).toContain('[lock-lost]');
    expect(woken.code).toBe(1);
    await expectOnce(used);
  });

  test('the network is cut for ten seconds during a run, which goes on', async () => {
    const used = await openFar(open);
    const first = used.apply(demo.directory);
    await demo.hasTaken(1);
    used.proxy.cut();
    demo.release();
    await pause(1_000);
    used.proxy.mend();
    const ended = await first.ended;
    expectGood(ended);
    expectWords(ended.stderr, '[state-slow]', '[state-written]');
    await expectOnce(used);
  });

  test('each round trip takes two seconds', async () => {
    const used = await openFar(open, 100);
    demo.release();
    expectGood(await used.apply(demo.directory, '--lock-timeout', '30m').ended);
    await expectOnce(used);
  });

  test('nobody is there before a run: it fails, and has sent nothing', async () => {
    const used = await openFar(open);
    used.proxy.cut();
    demo.release();
    expectFailure(await used.apply(demo.directory).ended, '[lock-failed]');
    await expect(demo.listVms()).rejects.toThrow('there is not one project');
    used.proxy.mend();
    expectGood(await used.apply(other, '--lock-timeout', '30m').ended);
    await expectOnce(used);
  });
});
