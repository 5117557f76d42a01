// Runs whose state is in a bucket that somebody, or a slow network, meddles with.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerAsS3, type S3Objects } from '../support/backends/s3-objects.ts';
import { DayTwoWorld, type Ran, type RunOptions } from '../support/day-two.ts';
import { expectFailure } from '../support/expect-words.ts';

let world: DayTwoWorld;
let objects: S3Objects;
/** Called before each request to the bucket. */
let onTrip: () => void;
beforeEach(async () => {
  objects = new Map();
  onTrip = () => undefined;
  world = await DayTwoWorld.open();
  const networks = all.map((name) => `${name}: `).join(', ');
  writeFileSync(
    join(world.directory, 'more.yaml'),
    `version: 1\nprojects: { shop: { networks: { ${networks} } } }\n`,
  );
});
afterEach(async () => {
  vi.restoreAllMocks();
  await world.close();
});

const all = ['a', 'b', 'c', 'd'];
const env = {
  HOSTWRIGHT_STATE:
    '{ s3: { bucket: infra, key: shop, region: eu-1, endpoint: "https://s3.test", pathStyle: true }, lease: 2s }',
  ...{ AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'a secret' },
};

async function answerBucket(request: Request): Promise<Response> {
  const { pathname, searchParams: query } = new URL(request.url);
  const key = decodeURIComponent(pathname).slice('/infra/'.length);
  onTrip();
  const asked = { method: request.method, key, body: await request.text(), query };
  const headers = Object.fromEntries(request.headers);
  const { status, text, headers: told = {} } = answerAsS3(objects, { ...asked, headers });
  return new Response(status === 204 ? null : (text ?? ''), { status, headers: told });
}

const run = (argv: readonly string[], options: RunOptions = {}) =>
  world.run(argv, {
    ...options,
    env,
    meddle: (request, pass) =>
      new URL(request.url).host === 's3.test'
        ? answerBucket(request)
        : (options.meddle?.(request, pass) ?? pass()),
  });
const apply = ['apply', '--auto-approve', '--parallelism', '2'];
const listNetworks = async () => {
  const networks = await world.client.list('network', { projectId: world.projectId });
  return networks.map((one) => ('name' in one ? one.name : '')).sort();
};

/** The state beside the configuration goes to the bucket. */
async function move(): Promise<void> {
  const moved = await run(['init', '--migrate-state']);
  expect(moved.code, moved.stderr).toBe(0);
}

/** Everything is there once, and a plan finds nothing to do. */
async function expectOnce(): Promise<void> {
  expect(await listNetworks()).toEqual([...all, 'planned']);
  const planned = await run(['plan', '--detailed-exitcode']);
  expect(planned.code, planned.stdout + planned.stderr).toBe(0);
}

/** Of requests to the service. */
const countChanges = ({ writes }: Ran) => writes.filter((one) => one.includes(' /v1/')).length;

test('a run is killed and its lock deleted by hand: the next one makes nothing twice', async () => {
  await move();
  let sent = 0;
  // Until one of them is killed right after it has changed something: each reads a little more, since more locks came before it.
  for (let killAt = 50; sent === 0; killAt += 20) {
    const killed = await run(apply, { killAt });
    expect(killed.code).toBe(137);
    sent += countChanges(killed);
    objects.delete('shop/lock.json');
  }
  const next = await run(apply);
  expect(next.code, next.stderr).toBe(0);
  expect(next.stderr).not.toContain('lock-lost');
  await expectOnce();
});

test('the lock is deleted by hand while a run works: that one ends well or is told, and the next one makes nothing twice', async () => {
  await move();
  const ran = await run(apply, {
    async meddle(request, pass) {
      if (request.method === 'POST') objects.delete('shop/lock.json');
      return pass();
    },
  });
  if (ran.code !== 0) expectFailure(ran, 'The lock of the state was removed while');
  const next = await run(apply);
  expect(next.code, next.stderr).toBe(0);
  expect(next.stderr).not.toContain('lock-lost');
  await expectOnce();
});

test('the log is deleted by hand: nothing is changed, and it is said what is missing and what helps', async () => {
  await move();
  expect((await run(apply)).code).toBe(0);
  const log = [...objects].filter(([key]) => key.startsWith('shop/log/'));
  for (const [key] of log) objects.delete(key);
  for (const argv of [['plan'], apply]) {
    const refused = await run(argv);
    expect(countChanges(refused)).toBe(0);
    expectFailure(refused, '[state-incomplete]', 'shop/log/', 'restore it', '--adopt');
  }
  for (const [key, object] of log) objects.set(key, object);
  await expectOnce();
});

/** Lets each request to the bucket take so long, by the clock of the machine. */
function slowDown(tripMs: () => number): void {
  const begun = Date.now();
  let passed = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => begun + passed);
  onTrip = () => void (passed += tripMs());
}

test('a bucket that takes longer than the lease: an apply is refused before anything is sent', async () => {
  await move();
  slowDown(() => 3_000);
  const refused = await run(apply);
  expect(countChanges(refused)).toBe(0);
  expectFailure(refused, '[lease-too-short]', 'takes 3 s there', 'lease is 2 s', 'lease: 12s');
});

test('a bucket that becomes slower than the lease: the run ends, and says both figures', async () => {
  await move();
  let isSlow = false;
  slowDown(() => (isSlow ? 5_000 : 0));
  const ran = await run(apply, {
    meddle(request, pass) {
      isSlow ||= request.method === 'POST';
      return pass();
    },
  });
  expectFailure(ran, '[lock-lost]');
  const said = ran.stderr.replace(/\s+│?\s*/g, ' ');
  // Of two requests at once, each takes the time of both.
  expect(said).toMatch(
    /One sign of life took \d+ s, and the lease is 2 s: .* such as `lease: \d+s`/,
  );
  expect(said).toContain('The state has what became of all that was sent.');
  isSlow = false;
  expect(await run(apply)).toMatchObject({ code: 0 });
  await expectOnce();
});

test('a move of the state is killed, which had locked both places: that is told once', async () => {
  const killed = await run(['init', '--migrate-state'], { killAt: 31 });
  expect(killed.code).toBe(137);
  const again = await run(['init', '--migrate-state']);
  expect(again.code, again.stderr).toBe(0);
  expect(again.stderr.split('[lock-taken-over]')).toHaveLength(2);
});
