// Services that keep another name than they are given: trimmed, in lower case, or in normal form C.
import { describe, expect, test } from 'vitest';
import type { DesiredGraph } from '../../src/model/resource.ts';
import { getLiveName } from '../../src/model/account/live.ts';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { drawVariants } from '../support/budget/budget.ts';
import { hide, nameAt, resumeLowerCased, resumeTwins, shop, twins } from './kept-name-kills.ts';
import { configure, describeFailures, findViolations, World, type Meddle } from './world.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

/** The configuration with names that it refuses or rewrites: as a state of an earlier version may have them. */
function respell(desired: DesiredGraph, spell: (name: string) => string): DesiredGraph {
  const resources = desired.resources.map((one) =>
    typeof one.attributes.name === 'string'
      ? { ...one, attributes: { ...one.attributes, name: spell(one.attributes.name) } }
      : one,
  );
  return { ...desired, resources };
}

const keepings = ['as-given', 'trimmed', 'lower-case', 'nfc'] as const;
const services = keepings.flatMap((names) =>
  drawVariants(`names ${names}`).map((variant) => ({ names, variant })),
);

const countVms = async (world: World) =>
  (await world.readAccount()).filter(({ kind }) => kind === 'vm').length;

const namesOf = async (world: World) =>
  (await world.readAccount()).flatMap((one) => getLiveName(one) ?? []).sort();

const codesOf = (findings: readonly { code: string }[]) => findings.map(({ code }) => code);

describe.each(services)('a $variant service that keeps names $names', (service) => {
  test('gets each resource once, and is left in peace after one apply', async () => {
    const world = await World.open(service);
    const plain = await configure(shop('Shop', 'Web'));
    const desired = respell(plain, (name) => ` ${name} e\u0301\t`);
    await expectApplied(world, desired);
    const { requests } = world;
    expect(await findViolations(world, desired)).toEqual([]);
    const second = await expectApplied(world, desired);
    expect(second.kind === 'ended' && second.planned.plan.drift).toBeFalsy();
    expect(world.requests).toBeGreaterThan(requests);
    expect(await countVms(world)).toBe(1);
    expect(await findViolations(world, desired)).toEqual([]);
    await expectApplied(world, desired, { mode: 'destroy' });
    expect(await world.readAccount()).toEqual([]);
  });

  test('takes a rename once', async () => {
    const world = await World.open(service);
    await world.apply(await configure(shop('Shop', 'Web')));
    const desired = respell(await configure(shop('Store', 'Front')), (name) => ` ${name}E\u0301`);
    await expectBuilt(world, desired);
    expect(await countVms(world)).toBe(1);
  });

  test('lets a replacement stand before the old one goes', async () => {
    const world = await World.open(service);
    const first = ', lifecycle: { createBeforeDestroy: true }';
    await world.apply(await configure(shop('Shop', 'Web', first)));
    const desired = await configure(shop('Shop', 'Web', `${first}, plugins: [monitoring]`));
    await expectBuilt(world, desired);
    expect(await countVms(world)).toBe(1);
  });

  test('has two names swapped', async () => {
    const world = await World.open(service);
    const two = (one: string, other: string) =>
      `projects: { shop: { networks: { a: { name: ${one} }, b: { name: ${other} } } } }`;
    await world.apply(await configure(two('One', 'Two')));
    await expectBuilt(world, await configure(two('Two', 'One')));
  });
});

describe('a service that lower-cases names', () => {
  const service: Partial<SandboxOptions> = { names: 'lower-case' };

  test('is told in the plan', async () => {
    const world = await World.open(service);
    const desired = await configure(shop('Shop', 'Web'));
    await expectApplied(world, desired);
    const { plan } = await world.plan(desired);
    const told = plan.findings.find(({ code }) => code === 'name-normalised');
    expect(told).toMatchObject({
      severity: 'note',
      summary: 'The service keeps 4 names in another form',
    });
    expect(told?.detail).toContain('projects.shop.vms.web: `Web` as `web`');
  });

  test('is asked for nothing when the configuration takes the name that it keeps, or goes back', async () => {
    const world = await World.open(service);
    await world.apply(await configure(shop('Shop', 'Web')));
    const lower = await configure(shop('shop', 'web'));
    expect((await world.plan(lower)).plan.tasks).toEqual([]);
    await expectApplied(world, lower);
    await expectBuilt(world, await configure(shop('Shop', 'Web')));
  });

  test('gets a replacement first whose name differs in case alone', async () => {
    const world = await World.open(service);
    const first = ', lifecycle: { createBeforeDestroy: true }';
    await world.apply(await configure(shop('Shop', 'Web', first)));
    const desired = await configure(shop('Shop', 'WEB', `${first}, plugins: [monitoring]`));
    await expectBuilt(world, desired);
    expect(await namesOf(world)).toEqual(['alice', 'lan', 'shop', 'web']);
  });

  test('gives the name as it is configured to outputs', async () => {
    const world = await World.open(service);
    const desired = await configure(shop('Shop', 'Web'));
    await world.apply(desired);
    expect((await world.store.reopen()).state.outputs?.get('name')?.value).toBe('Web in Shop');
    expect((await world.plan(desired)).plan.outputs).toMatchObject([{ action: 'no-op' }]);
  });

  test('has a rename in the console undone, once', async () => {
    const world = await World.open(service);
    const desired = await configure(shop('Shop', 'Web'));
    await world.apply(desired);
    const live = (await world.readAccount()).find(({ kind }) => kind === 'vm')!;
    const { projectId: project, id } = live;
    await world.time.run(
      world.connect().send({ kind: 'renameVm', project, vm: id, name: 'by-hand' }),
    );
    const { plan } = await world.plan(desired);
    expect(plan.changes.filter(({ action }) => action !== 'no-op')).toMatchObject([
      {
        address: 'projects.shop.vms.web',
        before: { name: 'by-hand' },
        after: { name: 'Web' },
        drift: { name: 'Web' },
      },
    ]);
    await expectBuilt(world, desired);
    expect(await namesOf(world)).toContain('web');
  });

  test('keeps no sensitive name in the state, and is left in peace all the same', async () => {
    const world = await World.open(service);
    const plain = await configure(shop('Shop', 'Web'));
    const resources = plain.resources.map((one) =>
      one.kind === 'vm' ? { ...one, sensitive: ['name'] } : one,
    );
    const desired = { ...plain, outputs: [], resources };
    await expectApplied(world, desired);
    const files = [...world.store.readDisk().entries()]
      .filter(([name]) => !name.includes('journal'))
      .map(([, text]) => text);
    expect(files.join('')).not.toMatch(/"(?:Web|web)"/);
    expect(await findViolations(world, desired)).toEqual([]);
    const { plan } = await world.plan(desired);
    expect(JSON.stringify(plan.findings)).not.toMatch(/\bweb\b/i);
  });
});

test('an apply that was killed on a service that lower-cases names is gone on with, wherever it was killed', async () =>
  expect(await resumeLowerCased()).toBeGreaterThan(20));

describe('a service that keeps names as they are given', () => {
  test('gets a rename when only the case changes, and says nothing of names', async () => {
    const world = await World.open();
    await world.apply(await configure(shop('Shop', 'Web')));
    const desired = await configure(shop('shop', 'web'));
    const { plan } = await world.plan(desired);
    expect(plan.changes.filter(({ action }) => action === 'update')).toHaveLength(2);
    await expectApplied(world, desired);
    expect(await namesOf(world)).toEqual(['Alice', 'LAN', 'shop', 'web']);
    expect(codesOf((await world.plan(desired)).plan.findings)).toEqual([]);
  });

  test('has a rename in the console to another case undone', async () => {
    const world = await World.open();
    const desired = await configure(shop('Shop', 'Web'));
    await world.apply(desired);
    const live = (await world.readAccount()).find(({ kind }) => kind === 'vm')!;
    const { projectId: project, id } = live;
    await world.time.run(world.connect().send({ kind: 'renameVm', project, vm: id, name: 'WEB' }));
    await expectApplied(world, desired);
    expect(await namesOf(world)).toContain('Web');
    expect(await findViolations(world, desired)).toEqual([]);
  });

  test('gets a rename again whose answer was lost before it was carried out', async () => {
    const world = await World.open();
    await world.apply(await configure(shop('Shop', 'Web')));
    const desired = await configure(shop('Shop', 'web'));
    let lost = 0;
    const end = await world.apply(desired, {
      meddle: (request, pass) => {
        if (request.method === 'GET' || lost > 0) return pass();
        lost += 1;
        return Promise.reject(
          Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } }),
        );
      },
    });
    expect(lost).toBe(1);
    expect(describeFailures(end)).toEqual([]);
    expect(await namesOf(world)).toContain('web');
  });
});

describe('a VM of another spelling that shows where ours does not', () => {
  /** Somebody makes one right after ours, and ours shows late: in no list, and in no record. */
  async function apply(names: 'lower-case' | undefined) {
    const world = await World.open(names && { names });
    const graph = await configure(shop('shop', 'Web'));
    const told: string[] = [];
    let isMade = false;
    const late = hide(world, 'Web', world.time.now() + 90_000);
    const meddle: Meddle = async (request, pass) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith('/operations')) return Response.json(await emptied(await pass()));
      if (request.method !== 'POST' || !pathname.endsWith('/vms')) return late(request, pass);
      const body = await request.clone().text();
      const accepted = await pass();
      if (isMade || names || !accepted.ok) return new Response(null, { status: accepted.status });
      isMade = true;
      const { headers, url } = request;
      await world.sandbox.fetch(
        new Request(url, { method: 'POST', headers, body: body.replace('"Web"', '"WEB"') }),
      );
      return new Response(null, { status: accepted.status, headers: accepted.headers });
    };
    await world.apply(graph, {
      meddle,
      onDiagnostics: (diagnostics) => {
        told.push(...diagnostics.map(({ code, address = '' }) => `${code} ${address}`));
      },
    });
    return { world, told };
  }

  const emptied = async (response: Response) => ({
    ...((await response.json()) as object),
    items: [],
  });

  test('may be taken for it, and then that is told', async () => {
    const { world, told } = await apply(undefined);
    expect(await nameAt(world, 'projects.shop.vms.web')).toBe('WEB');
    expect(told).toContain('create-recognised projects.shop.vms.web');
  });

  test('is taken for it without a word by a service that is known to rewrite names', async () => {
    const { world, told } = await apply('lower-case');
    expect(await nameAt(world, 'projects.shop.vms.web')).toBe('web');
    expect(told).not.toContain('create-recognised projects.shop.vms.web');
  });
});

describe('two VMs whose names differ in case alone', () => {
  test.each([
    ['web', 5_000],
    ['Web', 5_000],
    ['web', 60_000],
    ['Web', 60_000],
  ])('are not taken for each other when %s shows late, after %i ms', async (name, lateMs) => {
    const world = await World.open();
    const graph = await configure(twins);
    const meddle = hide(world, name, world.time.now() + lateMs);
    await expectApplied(world, graph, { meddle });
    expect(await nameAt(world, 'projects.shop.vms.a')).toBe('Web');
    expect(await nameAt(world, 'projects.shop.vms.b')).toBe('web');
    expect(await findViolations(world, graph)).toEqual([]);
  });

  test('are not taken for each other by the run after one that was killed', () => resumeTwins());
});
