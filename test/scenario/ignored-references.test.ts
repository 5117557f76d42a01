// A VM is not destroyed where its new one would be asked for with what is gone by then: ignored fields keep what the account has.
import { describe, expect, test } from 'vitest';
import { configure, describeFailures, World, type RunEnd } from './world.ts';
import { expectApplied } from './expect-built.ts';

const shop = 'projects.shop';
const web = `${shop}.vms.web`;
const edge = `${shop}.publicIps.edge`;
const lan = `${shop}.networks.lan`;
const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ6rGdN1v5m0V0Y0c3Vf6m9JmZb3gqk7k1h2f3d4s5a6 ann';
const keys = `sshKeys: { ann: { publicKey: ${publicKey} } }`;
const all = `publicIps: { edge: {} }, networks: { lan: {} }, ${keys}`;

const small = 'image: ubuntu-24.04, configuration: c1-r1-d20';
const large = 'image: ubuntu-24.04, configuration: c2-r4-d40';
const other = 'image: ubuntu-22.04, configuration: c1-r1-d20';
const refers = {
  publicIp: 'publicIp: edge',
  networks: 'networks: [lan]',
  sshKeys: 'sshKeys: [ann]',
};

const shopOf = (size: string, more: string, holds = all) =>
  configure(
    `projects: { shop: { ${holds}${holds === '' ? '' : ','} vms: { web: { tariff: monthly, ${size}${more} } } } }\n`,
  );
const ignoring = (field: string, more = '') => `, lifecycle: { ignoreChanges: [${field}]${more} }`;

async function openShop(more: string): Promise<World> {
  const world = await World.open();
  await expectApplied(world, await shopOf(small, more));
  return world;
}

function errorsOf(end: RunEnd): string[] {
  if (end.kind !== 'refused') return [end.kind, ...describeFailures(end)];
  return end.planned.plan.findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, address = '' }) => `${code} ${address}`);
}

describe('a VM with an ignored reference is not replaced or rebuilt while that goes', () => {
  const refused = [`needs-what-goes ${web}`];
  const without = (field: keyof typeof refers) =>
    all.replace(
      {
        publicIp: 'publicIps: { edge: {} }, ',
        networks: 'networks: { lan: {} }, ',
        sshKeys: `, ${keys}`,
      }[field],
      '',
    );

  test.each([
    ['publicIp', large, refused],
    ['networks', large, refused],
    ['sshKeys', large, refused],
    ['sshKeys', other, refused],
    // What stays with the VM, or is used again by none, goes as ever.
    ['publicIp', small, [`public-ip-in-use ${edge}`]],
    ['networks', other, [`network-in-use ${lan}`]],
    ['sshKeys', small, ['ended']],
  ] as const)('%s is deleted, the VM has %s', async (field, size, expected) => {
    const world = await openShop(`, ${refers[field]}`);
    const desired = await shopOf(size, ignoring(field), without(field));
    expect(errorsOf(await world.apply(desired))).toEqual(expected);
  });

  test.each([
    ['publicIp', '', [edge], [`public-ip-in-use ${edge}`]],
    ['publicIp', '', [edge, web], refused],
    ['publicIp', '', [shop], refused],
    ['publicIp', `, replaceTriggeredBy: [${edge}]`, [edge], refused],
    ['networks', '', [lan], [`network-in-use ${lan}`]],
    ['networks', '', [lan, web], refused],
    ['networks', ', createBeforeDestroy: true', [lan, web], refused],
    ['networks', '', [web], ['ended']],
  ] as const)('%s%s, with --replace %j', async (field, lifecycle, replace, expected) => {
    const world = await openShop(`, ${refers[field]}`);
    const desired = await shopOf(small, ignoring(field, lifecycle));
    expect(errorsOf(await world.apply(desired, { planOptions: { replace } }))).toEqual(expected);
  });

  test.each([
    ['publicIp', [edge, web]],
    ['networks', [lan, web]],
    ['networks', [shop]],
  ] as const)('%s comes with the new one where it is configured', async (field, replace) => {
    const world = await openShop(`, ${refers[field]}`);
    const desired = await shopOf(small, `, ${refers[field]}${ignoring(field)}`);
    expect(errorsOf(await world.apply(desired, { planOptions: { replace } }))).toEqual(['ended']);
    const { resources } = world.store.state;
    expect(resources.get(web)?.attributes[field]).toEqual(field === 'publicIp' ? 'edge' : ['lan']);
  });

  test('nor where somebody has deleted it before', async () => {
    const world = await openShop(`, ${refers.sshKeys}`);
    const { projectId = '', id = '' } =
      world.store.state.resources.get(`${shop}.sshKeys.ann`) ?? {};
    await world.time.run(
      world.connect().send({ kind: 'deleteSshKey', project: projectId, sshKey: id }),
    );
    const end = await world.apply(await shopOf(large, ignoring('sshKeys'), without('sshKeys')));
    expect(errorsOf(end)).toEqual(refused);
  });
});
