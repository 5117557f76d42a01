import { expect, test } from 'vitest';
import { configure, World } from './world.ts';
import { expectBuilt } from './expect-built.ts';

/** Projects, networks, addresses and forwards as they are repeated; VMs that use them. */
const shops = (projects: string, ips: string, rest = '') => `
projects:
  shop:
    ${projects}
    networks: { back: { forEach: [a, b] }${rest} }
    publicIps:
      edge:
        ${ips}
        forwards: { ssh: { protocol: tcp, publicPort: 22, vm: web, vmPort: 22 } }
    vms:
      web: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: ['back["a"]', 'back["b"]'] }
`;

const build = async (world: World, yaml: string) => expectBuilt(world, await configure(yaml));

const changesOf = async (world: World, yaml: string) =>
  (await world.plan(await configure(yaml))).plan.changes
    .filter(({ action }) => action !== 'no-op')
    .map(({ action, address }) => `${action} ${address}`);

test('what is repeated is built, used, taken down again and never touched in between', async () => {
  const world = await World.open();
  const two = shops('forEach: [eu, us]', 'count: 2');
  await build(world, two);
  expect(await changesOf(world, two)).toEqual([]);
  expect(await changesOf(world, shops('forEach: [eu]', 'count: 1'))).toEqual(
    expect.arrayContaining([
      'delete projects.shop["us"]',
      'delete projects.shop["eu"].publicIps.edge[1]',
      'delete projects.shop["eu"].publicIps.edge[1].forwards.ssh',
    ]),
  );
  await build(world, shops('forEach: [eu]', 'count: 1'));
});

test('`count` that comes to a project and to an address moves them with all that lies in them', async () => {
  const world = await World.open();
  await build(world, shops('name: shop', 'lifecycle: {}'));
  const counted = shops('count: 1\n    name: shop', 'count: 1');
  expect(await changesOf(world, counted)).toEqual([]);
  await build(world, counted);
  expect(await changesOf(world, shops('name: shop', 'lifecycle: {}'))).toEqual([]);
});

test('what is no longer enabled is destroyed with what lies in it, and made again', async () => {
  const world = await World.open();
  const own = (isOn: boolean) =>
    shops('name: shop', `enabled: ${isOn}`, `, spare: { enabled: ${isOn} }`);
  await build(world, own(true));
  expect(await changesOf(world, own(false))).toEqual([
    'delete projects.shop.networks.spare',
    'delete projects.shop.publicIps.edge',
    'delete projects.shop.publicIps.edge.forwards.ssh',
  ]);
  await build(world, own(false));
  await build(world, own(true));
});

test('a project that is not enabled goes with its networks', async () => {
  const world = await World.open();
  const own = (isOn: boolean) =>
    `projects: { shop: { enabled: ${isOn}, networks: { n: { count: 2 } } }, other: {} }`;
  await build(world, own(true));
  await build(world, own(false));
  expect((await world.readAccount()).map(({ kind }) => kind)).toEqual(['project']);
  await build(world, own(true));
});
