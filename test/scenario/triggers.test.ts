// What `replaceTriggeredBy` names is made anew by a run that then fails: the next run still replaces what it triggers.
import { expect, test } from 'vitest';
import { expectApplied, expectSettled } from './expect-built.ts';
import { configure, World, type Meddle } from './world.ts';

const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
const shop = (triggers: string) =>
  configure(`projects: { shop: { vms: { db: { ${vm}, count: 2 }, web: { ${vm}${triggers} } } } }`);
const [db, web] = ['projects.shop.vms.db[1]', 'projects.shop.vms.web'] as const;

const listActions = async (world: World, desired: Awaited<ReturnType<typeof shop>>) =>
  (await world.plan(desired)).plan.changes.flatMap(({ action, address, reason }) =>
    action === 'no-op' ? [] : [`${action} ${address} (${reason})`],
  );

test('a resource is replaced by the run after the one that failed to', async () => {
  const desired = await shop(`, lifecycle: { replaceTriggeredBy: ['${db}'] }`);
  const world = await World.open();
  // A state from before they were recorded has none, and gets them with the next apply.
  await expectApplied(world, await shop(''));
  expect(await listActions(world, desired)).toEqual([]);
  await expectApplied(world, desired);
  const webId = world.store.state.resources.get(web)!.id;
  const meddle: Meddle = (request, pass) =>
    request.method === 'DELETE' && request.url.endsWith(webId)
      ? Promise.resolve(Response.json({ title: 'no' }, { status: 403 }))
      : pass();
  const failed = await world.apply(desired, { planOptions: { replace: [db] }, meddle });
  expect(failed).toMatchObject({ kind: 'ended' });
  expect(world.store.state.resources.get(web)?.id).toBe(webId);
  expect(await listActions(world, await shop(''))).toEqual([]);
  expect(await listActions(world, desired)).toEqual([`replace ${web} (triggered)`]);
  await expectApplied(world, desired);
  expect(world.store.state.resources.get(web)?.id).not.toBe(webId);
  await expectSettled(world, desired);
});

test.each([
  ['goes first', '', ''],
  ['stays until the other one is made', ', createBeforeDestroy: true', ''],
  ['is made first', '', ', lifecycle: { createBeforeDestroy: true }'],
])(
  'a trigger that is made after what lists it replaces both once, where what lists it %s',
  async (...[, ofAddress, ofVm]) => {
    const desired = await configure(`projects: { shop: {
      publicIps: { edge: { lifecycle: { replaceTriggeredBy: ['${web}']${ofAddress} } } },
      vms: { web: { ${vm}, publicIp: edge${ofVm} } },
    } }`);
    const world = await World.open();
    await expectApplied(world, desired);
    const listIds = () =>
      [web, 'projects.shop.publicIps.edge'].map((one) => world.store.state.resources.get(one)?.id);
    const before = listIds();
    await expectApplied(world, desired, { planOptions: { replace: [web] } });
    listIds().forEach((id, n) => expect(id).not.toBe(before[n]));
    expect(await listActions(world, desired)).toEqual([]);
    await expectSettled(world, desired);
  },
);
