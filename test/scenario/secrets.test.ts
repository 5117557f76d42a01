import { expect, test } from 'vitest';
import { isEffectivePlan } from '../../src/model/plan/plan.ts';
import { configure, World } from './world.ts';
import { expectApplied } from './expect-built.ts';

const secret = 'correct-horse-battery';
const write = (password: string) => `
variables: { password: { default: ${password}, sensitive: true } }
projects:
  shop:
    name: "p-\${var.password}"
    networks: { lan: { name: "\${var.password}-lan" } }
    vms:
      web: { name: "of-\${projects.shop.networks.lan.name}", image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [lan] }
`;

/** A world in which this is applied, and whose state was read again from its files. */
async function openApplied(): Promise<World> {
  const world = await World.open();
  await expectApplied(world, await configure(write(secret)));
  world.store = await world.store.reopen();
  return world;
}

const readFiles = ({ store }: World) => [...store.readDisk().values()].join('');
const readSnapshot = ({ store }: World) => store.readDisk().get('state.json');

test('the files of a state hold no sensitive value, and say which attributes they lack', async () => {
  const world = await openApplied();
  expect(readFiles(world)).not.toContain(secret);
  const lacking = [...world.store.state.resources.values()].map(
    ({ kind, attributes, sensitive }) => [...[kind, sensitive, 'name' in attributes]],
  );
  expect(lacking).toEqual([
    ['project', ['name'], false],
    ['network', ['name'], false],
    ['vm', ['name'], false],
  ]);
});

test('what the state lacks is read from the account: nothing to do, or what has become another value', async () => {
  const world = await openApplied();
  const next = await world.plan(await configure(write(secret)));
  expect(isEffectivePlan(next.plan)).toBe(false);
  const other = await world.plan(await configure(write('another-password')));
  expect(
    other.plan.changes.map(({ action, fields }) => [action, fields.map((f) => f.name)]),
  ).toEqual(Array.from({ length: 3 }, () => ['update', ['name']]));
});

test('a value that has become sensitive leaves the snapshot with the next apply', async () => {
  const world = await World.open();
  await world.apply(await configure(write(secret).replace(', sensitive: true', '')));
  expect(readSnapshot(world)).toContain(secret);
  await expectApplied(world, await configure(write(secret)));
  expect(readSnapshot(world)).not.toContain(secret);
});
