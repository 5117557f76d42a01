import { expect, test } from 'vitest';
import type { LiveResource } from '../../src/model/account/live.ts';
import { configure, describeFailures, findViolations, World, type Meddle } from './world.ts';
import { expectApplied, expectSettled } from './expect-built.ts';

const configurationOf = (size: string, createBeforeDestroy = true) => `
projects:
  demo:
    networks: { backend: }
    publicIps:
      edge: { forwards: { https: { protocol: tcp, publicPort: 443, vm: web, vmPort: 8443 } } }
    vms:
      web: { image: debian-12, configuration: ${size}, tariff: monthly, networks: [backend], lifecycle: { createBeforeDestroy: ${createBeforeDestroy} } }
`;
const [small, large] = ['c1-r1-d20', 'c1-r2-d20'].map((size) => configurationOf(size));

type LiveVm = Extract<LiveResource, { kind: 'vm' }>;
const listVms = async (world: World): Promise<LiveVm[]> =>
  (await world.readAccount()).filter((one): one is LiveVm => one.kind === 'vm');

async function openSmall(): Promise<World> {
  const world = await World.open();
  await expectApplied(world, await configure(small!));
  return world;
}

/** Answers for the service whatever asks for this of a VM itself. */
const refuse =
  (method: string, path: RegExp): Meddle =>
  (request, pass) =>
    request.method === method && path.test(new URL(request.url).pathname)
      ? Promise.resolve(Response.json({ title: 'no' }, { status: 403 }))
      : pass();

/** The collection of what a request is about. */
const kindOf = ({ url }: Request) =>
  new URL(url).pathname.split('/').findLast((part) => /^(port-forwards|networks|vms)$/.test(part));

/** What the list says that holds the resource of a request, right now. */
async function listBeside(world: World, { url, headers }: Request): Promise<readonly unknown[]> {
  const list = await world.sandbox.fetch(new Request(url.replace(/\/[^/]+$/, ''), { headers }));
  const page = (await list.json()) as { items: readonly unknown[] };
  return page.items;
}

async function nextActions(world: World, yaml: string): Promise<string[]> {
  const { plan } = await world.plan(await configure(yaml));
  return plan.changes
    .filter(({ action }) => action !== 'no-op')
    .map(({ action, address, isCreatedFirst }) =>
      [action, ...(isCreatedFirst ? ['first'] : []), address].join(' '),
    );
}

test('the old one goes when the new one stands, and all that reads it has switched over', async () => {
  const world = await openSmall();
  const [old] = await listVms(world);
  const sent: string[] = [];
  let seen: readonly unknown[] = [];
  const meddle: Meddle = async (request, pass) => {
    sent.push(`${request.method} ${kindOf(request)}`);
    if (request.method === 'DELETE') seen = await listBeside(world, request);
    return pass();
  };
  const desired = await configure(large!);
  await expectApplied(world, desired, { meddle });
  const [made, ...others] = (await listVms(world)).filter(({ id }) => id !== old!.id);
  expect([made?.name, others]).toEqual(['web', []]);
  expect(seen).toMatchObject([
    { id: old!.id, name: 'web-aside' },
    { id: made!.id, name: 'web', status: 'active' },
  ]);
  const changing = sent.filter((line) => !line.startsWith('GET'));
  expect(changing.at(-2)).toMatch(/^(PUT|PATCH) port-forwards$/);
  expect(changing.at(-1)).toBe('DELETE vms');
  const forward = (await world.readAccount()).find(({ kind }) => kind === 'portForward');
  expect(forward).toMatchObject({ vmId: made!.id });
  expect(made?.networks).toHaveLength(1);
  await expectSettled(world, desired);
});

test('what could not be destroyed is destroyed by the next run, and only once', async () => {
  const world = await openSmall();
  const [old] = await listVms(world);
  const desired = await configure(large!);
  const meddle = refuse('DELETE', /\/vms\/[^/]+$/);
  expect(describeFailures(await world.apply(desired, { meddle }))).toHaveLength(1);
  const deposed = `projects.demo.vms.web (deposed object ${old!.id})`;
  const { state } = await world.store.reopen();
  expect([...state.resources.keys()]).toContain(deposed);
  expect(await nextActions(world, large!)).toEqual([`delete ${deposed}`]);
  await expectApplied(world, desired);
  await expectSettled(world, desired);
});

test('it is destroyed also when its block is gone by then, with what came after it', async () => {
  const world = await openSmall();
  const meddle = refuse('DELETE', /\/vms\/[^/]+$/);
  await world.apply(await configure(large!), { meddle });
  const without = await configure('projects: { demo: { networks: { backend: } } }');
  await expectApplied(world, without);
  await world.settle();
  expect(await listVms(world)).toEqual([]);
  expect(await findViolations(world, without)).toEqual([]);
});

test('a refused create leaves the old one standing and says so; the next run goes on', async () => {
  const world = await openSmall();
  const [old] = await listVms(world);
  const meddle = refuse('POST', /\/vms$/);
  const failures = describeFailures(await world.apply(await configure(large!), { meddle }));
  expect(failures.join('\n')).toContain('still exists, renamed to \\"web-aside\\"');
  expect(await listVms(world)).toMatchObject([{ id: old!.id, name: 'web-aside' }]);
  // Whoever takes the change back gets the name back, too.
  expect(await nextActions(world, small!)).toEqual(['update projects.demo.vms.web']);
  expect(await nextActions(world, large!)).toEqual([
    'update projects.demo.publicIps.edge.forwards.https',
    'replace first projects.demo.vms.web',
  ]);
  const desired = await configure(large!);
  await expectApplied(world, desired);
  await expectSettled(world, desired);
  expect(await listVms(world)).toMatchObject([{ name: 'web' }]);
});

test('several in a row: one left over from each run, all destroyed in the end', async () => {
  const world = await openSmall();
  const meddle = refuse('DELETE', /\/vms\/[^/]+$/);
  await world.apply(await configure(large!), { meddle });
  await world.apply(await configure(small!), { meddle });
  expect(await listVms(world)).toHaveLength(3);
  const desired = await configure(small!);
  await expectApplied(world, desired);
  await expectSettled(world, desired);
});

test('a plan that destroys everything takes along what was left', async () => {
  const world = await openSmall();
  await world.apply(await configure(large!), { meddle: refuse('DELETE', /\/vms\/[^/]+$/) });
  await expectApplied(world, await configure(large!), { mode: 'destroy' });
  await world.settle();
  expect(await listVms(world)).toEqual([]);
});

test('the old one steps aside under a name that the service takes, however small its cap', async () => {
  for (const vm of [3, 8, 12]) {
    const world = await World.open({ nameLengths: { vm } });
    await expectApplied(world, await configure(small!));
    await expectApplied(world, await configure(large!));
    expect(await findViolations(world, await configure(large!))).toEqual([]);
    expect((await listVms(world)).map(({ name }) => name)).toEqual(['web']);
  }
});
