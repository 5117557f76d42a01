import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createToken,
  deleteToken,
  listAccessTokens,
} from '../../src/commands/account/access-tokens.ts';
import { makeSecretSinks, type ClaimSecretSink } from '../../src/execute/secrets/secret-sink.ts';
import { killEverywhere } from './kill-everywhere.ts';
import { configure, describeFailures, World, type Meddle } from './world.ts';
import { expectApplied } from './expect-built.ts';
import { expectWords } from '../support/expect-words.ts';
import { drawVariants } from '../support/budget/budget.ts';

const day = 24 * 3_600_000;
const token = (rest = '') => `
tokens:
  ci: { name: ci-deploy, scopes: [compute], expiresIn: 90d, rotateBefore: 14d, writeTo: { file: ci.token }${rest} }
projects: { demo: }
`;
const plain = token();

/** The tokens of the account but the one that Hostwright uses. */
async function readTokens(world: World) {
  const all = await world.time.run(listAccessTokens(world.connect()));
  return all.filter(({ name }) => name !== 'owner' && name !== 'Sandbox').slice(0);
}

const ours = async (world: World) =>
  (await readTokens(world)).filter(({ name }) => name.startsWith('ci'));

/** True when the value that was kept last opens the account. */
async function isUsable(world: World): Promise<boolean> {
  const response = await world.sandbox.fetch(
    new Request('http://sandbox/v1/limits', {
      headers: { authorization: `Bearer ${world.secret ?? 'none'}` },
    }),
  );
  return response.status === 200;
}

async function nextActions(world: World, yaml: string): Promise<string[]> {
  const { plan } = await world.plan(await configure(yaml));
  return plan.changes
    .filter(({ action }) => action !== 'no-op')
    .map(({ action, address, reason }) => `${action} ${address}${reason ? ` ${reason}` : ''}`);
}

async function expectOneUsable(world: World, yaml: string): Promise<void> {
  expect(await ours(world)).toHaveLength(1);
  expect(await isUsable(world)).toBe(true);
  expect(await nextActions(world, yaml)).toEqual([]);
}

/** The value stands in no file of the state, the journal of a run that was killed among them. */
function expectSecretKept(world: World): void {
  const disk = [...world.store.readDisk().values()].join('\n');
  if (world.secret !== undefined) expect(disk).not.toContain(world.secret.trim());
}

test('a token is made, renamed in place, replaced for its scopes and revoked', async () => {
  const world = await World.open();
  await expectApplied(world, await configure(plain));
  await expectOneUsable(world, plain);
  const first = (await ours(world))[0]!;
  expect(first).toMatchObject({ name: 'ci-deploy', scopes: ['compute'] });
  expect(first.expiresAt! - first.createdAt!).toBe(90 * day);

  const renamed = plain.replace('ci-deploy', 'ci-rollout');
  expect(await nextActions(world, renamed)).toEqual(['update tokens.ci']);
  await world.apply(await configure(renamed));
  expect(await ours(world)).toMatchObject([{ id: first.id, name: 'ci-rollout' }]);

  const other = renamed.replace('[compute]', '[compute, network]');
  expect(await nextActions(world, other)).toEqual(['replace tokens.ci']);
  await world.apply(await configure(other));
  await expectOneUsable(world, other);
  expect((await ours(world))[0]!.id).not.toBe(first.id);

  await expectApplied(world, await configure('projects: { demo: }'));
  expect(await ours(world)).toEqual([]);
  expectSecretKept(world);
});

test('it is rotated before it ends, the new one usable before the old one goes', async () => {
  const world = await World.open();
  const desired = await configure(plain);
  await world.apply(desired);
  await world.settle(75 * day);
  expect(await nextActions(world, plain)).toEqual([]);
  await world.settle(2 * day);
  expect(await nextActions(world, plain)).toEqual(['replace tokens.ci rotation-due']);
  let wasUsable = false;
  const meddle: Meddle = async (request, pass) => {
    if (request.method === 'DELETE') wasUsable = await isUsable(world);
    return pass();
  };
  await expectApplied(world, desired, { meddle });
  expect(wasUsable).toBe(true);
  await expectOneUsable(world, plain);
});

test('the old one is not revoked where somebody renames it while the new one is made', async () => {
  const world = await World.open();
  await world.apply(await configure(plain));
  const [old] = await ours(world);
  const other = await configure(plain.replace('[compute]', '[compute, network]'));
  const meddle: Meddle = async (request, pass) => {
    if (request.method === 'POST') {
      const rename = { kind: 'renameToken', accessToken: old!.id, name: 'ci-keep' } as const;
      await world.connect().send(rename);
    }
    return pass();
  };
  const failures = describeFailures(await world.apply(other, { meddle }));
  expect(failures.join()).toMatch(/changed-since-plan.*ci-keep/);
  expect((await ours(world)).map(({ name }) => name)).toEqual(['ci-keep', 'ci-deploy']);
  // The next plan knows its new name.
  await expectApplied(world, other);
  expect(await ours(world)).toMatchObject([{ name: 'ci-deploy' }]);
});

const killed = ['made', 'rotated'].flatMap((what) =>
  drawVariants(`tokens that are ${what}`).map((variant) => [what, variant] as const),
);

test.each(killed)('killed at any point while it is %s (%s)', async (what, variant) => {
  const desired = await configure(plain);
  const open = async () => {
    const world = await World.open({ variant });
    if (what === 'made') return world;
    await world.apply(desired);
    await world.settle(80 * day);
    return world;
  };
  const goOn = async (world: World) => {
    expectSecretKept(world);
    const failures = describeFailures(await world.apply(desired));
    await expectOneUsable(world, plain);
    return failures;
  };
  expect(await killEverywhere({ open, desired, goOn })).toBeGreaterThan(5);
});

test('a lost answer leaves no token behind', async () => {
  for (const isCarriedOut of [true, false]) {
    const world = await World.open();
    let isFirst = true;
    const meddle: Meddle = async (request, pass) => {
      if (request.method !== 'POST' || !request.url.endsWith('/tokens') || !isFirst) return pass();
      isFirst = false;
      if (isCarriedOut) await pass();
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error(), { code: 'ECONNRESET' }),
      });
    };
    await expectApplied(world, await configure(plain), { meddle });
    await expectOneUsable(world, plain);
  }
});

test('a value that cannot be kept fails the change, revokes the new token and keeps the old one', async () => {
  const world = await World.open();
  const desired = await configure(plain);
  await world.apply(desired);
  const [old] = await ours(world);
  await world.settle(80 * day);
  world.isSinkBroken = true;
  const [failure = ''] = describeFailures(await world.apply(desired));
  expectWords(failure, 'token-not-saved', 'no room for [token]');
  expect(await ours(world)).toEqual([old]);
  expect(await isUsable(world)).toBe(true);
  world.isSinkBroken = false;
  await expectApplied(world, desired);
  await expectOneUsable(world, plain);
});

test('a token that is made, and answered 503: it is revoked, and one is left', async () => {
  const world = await World.open();
  let count = 0;
  const meddle: Meddle = async (request, pass) => {
    const response = await pass();
    if (request.method !== 'POST' || !request.url.endsWith('/tokens')) return response;
    count += 1;
    if (count > 1) return response;
    return Response.json({ title: 'Busy' }, { status: 503, headers: { 'retry-after': '2' } });
  };
  await expectApplied(world, await configure(plain), { meddle });
  expect(count).toBe(2);
  await expectOneUsable(world, plain);
});

test('a file that cannot be written fails its token alone: all else is applied, and none is made', async () => {
  const world = await World.open();
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-tokens-'));
  // No directory can be made where a file is.
  await writeFile(join(directory, 'secrets'), '');
  const desired = await configure(
    plain
      .replace('file: ci.token', 'file: secrets/ci.token')
      .replace('demo:', 'demo: { networks: { lan: } }'),
  );
  const execute = () => Promise.resolve('');
  const sinks = makeSecretSinks({ execute, env: {} }, directory);
  const claimSink: ClaimSecretSink = (...given) => world.time.hold(() => sinks(...given));
  try {
    const end = await world.apply(desired, { claimSink });
    expect(describeFailures(end)).toMatchObject([
      expect.stringMatching(/^tokens\.ci .*"failed".*file-not-writable.*secrets\/ci\.token/),
    ]);
    expect(await ours(world)).toEqual([]);
  } finally {
    await rm(directory, { recursive: true });
  }
  await expectApplied(world, desired);
  await expectOneUsable(world, plain.replace('demo:', 'demo: { networks: { lan: } }'));
});

test('what is adopted keeps its value to itself, and what was revoked outside is made again', async () => {
  const world = await World.open();
  const desired = await configure(plain);
  const { token: made } = await world.time.run(
    createToken(world.connect(), {
      ...{ name: 'ci-deploy', scopes: ['compute'] },
      expiresAt: world.time.now() + 90 * day,
    }),
  );
  const { plan } = await world.plan(desired);
  expect(plan.findings.map(({ code }) => code)).toContain('name-taken');
  const end = await expectApplied(world, desired, { planOptions: { adoptsAll: true } });
  expect(end.kind === 'ended' && end.planned.plan.findings.map(({ code }) => code)).toContain(
    'value-unknown',
  );
  expect(await ours(world)).toMatchObject([{ id: made.id }]);
  await world.time.run(deleteToken(world.connect(), made.id));
  expect(await nextActions(world, plain)).toEqual(['create tokens.ci deleted-outside']);
  await world.apply(desired);
  await expectOneUsable(world, plain);
});

/** Loses the answer to the first create; `late` carries it out when it is called. */
function loseFirstCreate() {
  let isFirst = true;
  let late: () => Promise<unknown> = () => Promise.resolve();
  const meddle: Meddle = async (request, pass) => {
    if (request.method !== 'POST' || !request.url.endsWith('/tokens') || !isFirst) return pass();
    isFirst = false;
    late = pass;
    throw new TypeError('fetch failed', {
      cause: Object.assign(new Error(), { code: 'ECONNRESET' }),
    });
  };
  return { meddle, carryOut: () => late() };
}

/** Answers for the service when something is to be deleted. */
const refuseDeletes: Meddle = (request, pass) =>
  request.method === 'DELETE'
    ? Promise.resolve(Response.json({ title: 'no' }, { status: 403 }))
    : pass();

test('an old token that could not be revoked is revoked by the next run', async () => {
  const world = await World.open();
  const desired = await configure(plain);
  await world.apply(desired);
  await world.settle(80 * day);
  expect(describeFailures(await world.apply(desired, { meddle: refuseDeletes }))).toHaveLength(1);
  expect(await ours(world)).toHaveLength(2);
  expect(await isUsable(world)).toBe(true);
  expect(await nextActions(world, plain)).toEqual(['update tokens.ci leftover']);
  await expectApplied(world, desired);
  await expectOneUsable(world, plain);
});

test('what stood before is revoked also when its successor and its block are gone', async () => {
  const world = await World.open();
  const desired = await configure(plain);
  await world.apply(desired);
  const [old] = await ours(world);
  await world.settle(80 * day);
  await world.apply(desired, { meddle: refuseDeletes });
  const made = (await ours(world)).find(({ id }) => id !== old!.id)!;
  await world.time.run(deleteToken(world.connect(), made.id));
  const without = 'projects: { demo: }';
  expect(await nextActions(world, without)).toEqual(['delete tokens.ci leftover']);
  await expectApplied(world, await configure(without));
  expect(await ours(world)).toEqual([]);
  expect(await nextActions(world, without)).toEqual([]);
});

const three = `
tokens:
  ci: { forEach: [a, b, c], scopes: [compute], expiresIn: 90d, rotateBefore: 14d, writeTo: { file: "\${each.key}.token" } }
`;

test('one free place is enough to rotate any number of tokens, one after the other', async () => {
  const world = await World.open({ quotas: { accessTokens: 5 } });
  const desired = await configure(three);
  await world.apply(desired);
  const before = await ours(world);
  expect(before).toHaveLength(3);
  await world.settle(80 * day);
  await expectApplied(world, desired);
  const after = await ours(world);
  expect(after).toHaveLength(3);
  expect(after.filter(({ id }) => before.some((one) => one.id === id))).toEqual([]);
});

test('with no free place a rotation is refused beforehand, with what to do', async () => {
  const world = await World.open({ quotas: { accessTokens: 4 } });
  const desired = await configure(three);
  await world.apply(desired);
  await world.settle(80 * day);
  const { plan } = await world.plan(desired);
  const [finding] = plan.findings.filter(({ severity }) => severity === 'error');
  expect(finding).toMatchObject({ code: 'quota-exceeded' });
  expect(finding?.summary).toContain('5 at its peak, limit 4');
  expect(finding?.hint).toContain('Remove one of the unused');
});

test.each([false, true])(
  'a token that shows up long after its answer was lost is revoked (rotated: %s)',
  async (isRotated) => {
    const world = await World.open();
    const desired = await configure(plain);
    if (isRotated) {
      await world.apply(desired);
      await world.settle(80 * day);
    }
    const { meddle, carryOut } = loseFirstCreate();
    await expectApplied(world, desired, { meddle });
    await expectOneUsable(world, plain);
    await world.apply(desired);
    await world.time.run(carryOut());
    expect(await ours(world)).toHaveLength(2);
    expect(await nextActions(world, plain)).toEqual(['update tokens.ci leftover']);
    await expectApplied(world, desired);
    await expectOneUsable(world, plain);
  },
);

test('it is revoked also when its block has gone by then, and the search ends', async () => {
  const world = await World.open();
  const { meddle, carryOut } = loseFirstCreate();
  await world.apply(await configure(plain), { meddle });
  const without = await configure('projects: { demo: }');
  await world.apply(without);
  await world.time.run(carryOut());
  expect(await ours(world)).toHaveLength(1);
  await expectApplied(world, without);
  expect(await ours(world)).toEqual([]);
  await world.settle(2 * 3_600_000);
  await world.apply(without);
  expect(world.store.state.pending.size).toBe(0);
});

test('what stood before under its name in another case is no stray of a lost answer', async () => {
  const world = await World.open();
  const like = { name: 'CI-Deploy', scopes: ['compute'], expiresAt: world.time.now() + 90 * day };
  const { token: older } = await world.time.run(createToken(world.connect(), like));
  const { meddle } = loseFirstCreate();
  await expectApplied(world, await configure(plain), { meddle });
  expect((await readTokens(world)).map(({ id }) => id)).toContain(older.id);
});

test('a like token of somebody else is left alone', async () => {
  const world = await World.open();
  const { meddle } = loseFirstCreate();
  await world.apply(await configure(plain), { meddle });
  await world.time.run(
    createToken(world.connect(), { name: 'ci-deploy', scopes: ['network'], expiresAt: null }),
  );
  expect(await nextActions(world, plain)).toEqual([]);
});

test('several new ones are an error that names them and says how to go on', async () => {
  const world = await World.open();
  const desired = await configure(plain);
  const { meddle, carryOut } = loseFirstCreate();
  await world.apply(desired, { meddle });
  const [own] = await ours(world);
  await world.time.run(carryOut());
  await world.time.run(
    createToken(world.connect(), {
      ...{ name: 'ci-deploy', scopes: ['compute'] },
      expiresAt: world.time.now() + 90 * day,
    }),
  );
  const strays = (await ours(world)).filter(({ id }) => id !== own!.id);
  const { plan } = await world.plan(desired);
  const found = plan.findings.find(({ code }) => code === 'ambiguous-create');
  for (const { id } of strays) expect(found?.hint).toContain(`hostwright tokens revoke ${id}`);
  expect(found?.hint).not.toContain(own!.id);
  await world.time.run(deleteToken(world.connect(), strays[0]!.id));
  await expectApplied(world, desired);
  await expectOneUsable(world, plain);
});
