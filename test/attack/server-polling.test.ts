// A git host that does not answer, or takes its time, keeps no other waiting, and is asked less often.
import { beforeEach, expect, test } from 'vitest';
import { GitHostFault } from '../../src/server/hosts/host-fault.ts';
import { pollRepositories } from '../../src/server/pulls/poll-sources.ts';

const never = () => new Promise<never>(() => undefined);
const refused = () => Promise.reject(new GitHostFault('no such repository', { status: 404 }));
const out = () => Promise.reject(new GitHostFault('no answer'));

let now = 0;
let asked: string[] = [];
beforeEach(() => {
  now = 0;
  asked = [];
});

/** What polls one repository of each host, and more where a name comes again. */
function openRig(
  hosts: Readonly<Record<string, () => Promise<never>>>,
  names = Object.keys(hosts),
  switchedOff: readonly string[] = [],
) {
  const workspaces = names.map((host, index) => ({
    ...{
      id: `w${index}`,
      name: `w${index}`,
      paused: false,
      repository: `https://${host}/r${index}`,
      branch: 'main',
      poll: true,
    },
  }));
  const clocks = new Map<string, { failures: number; dueAt: number }>();
  const pollClocks = {
    take: (host: string) => {
      const { failures = 0, dueAt = 0 } = clocks.get(host) ?? {};
      if (now < dueAt) return Promise.resolve(undefined);
      clocks.set(host, { failures, dueAt: Infinity });
      return Promise.resolve(failures);
    },
    keep: () => Promise.resolve(),
    end: (host: string, failures: number, pauseMs: number) =>
      Promise.resolve(void clocks.set(host, { failures, dueAt: now + pauseMs })),
  };
  const read = (id: string) => {
    const found = workspaces.find((one) => one.id === id);
    const isOff = switchedOff.includes(new URL(found?.repository ?? '').host);
    return Promise.resolve(found && { ...found, poll: !isOff });
  };
  const means = {
    store: { workspaces: { list: () => Promise.resolve(workspaces), read }, pollClocks },
    runtime: { clock: { now: () => now } },
    hosts: {
      openGit: ({ repository }: { repository: string }) => {
        const { host } = new URL(repository);
        asked.push(host);
        return hosts[host]?.();
      },
    },
  } as never;
  const poll = () => pollRepositories(means, () => undefined);
  /** Those that are asked at a moment, whoever is waited for. */
  return async (atSeconds: number) => {
    now = atSeconds * 1_000;
    asked = [];
    await Promise.race([poll(), new Promise((done) => setImmediate(done))]);
    return asked;
  };
}

test('one that never answers is waited for, and the others are asked again and again', async () => {
  const at = openRig({ slow: never, fine: refused, good: refused });
  expect(await at(0)).toEqual(['slow', 'fine', 'good']);
  expect(await at(30)).toEqual(['fine', 'good']);
  expect(await at(60)).toEqual(['fine', 'good']);
});

test('one that is out of reach is asked for one repository, and then less and less often', async () => {
  const at = openRig({ off: out, fine: refused }, [...Array<string>(9).fill('off'), 'fine']);
  expect((await at(0)).length).toBeLessThan(6);
  const times: number[] = [];
  for (let seconds = 30; seconds <= 3_600; seconds += 30) {
    const all = await at(seconds);
    if (all.includes('off')) times.push(seconds);
    expect(all).toContain('fine');
  }
  expect(times).toEqual([60, 180, 420, 900, 1_860, 2_820]);
});

test('one that takes long is not asked for as long again', async () => {
  const late = () => {
    now += 40_000;
    return refused();
  };
  const at = openRig({ late });
  expect(await at(0)).toEqual(['late']);
  expect(await at(60)).toEqual([]);
  expect(await at(90)).toEqual(['late']);
});

test('not all of them are asked at once', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `h${index}`);
  const at = openRig(Object.fromEntries(names.map((name) => [name, never])));
  expect(await at(0)).toHaveLength(16);
});

test('one that is switched off once the list is read is not asked any more', async () => {
  const at = openRig({ off: refused, fine: refused }, ['off', 'fine'], ['off']);
  expect(await at(0)).toEqual(['fine']);
});
