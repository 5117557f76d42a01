// The builder of small worlds is part of every proof that uses it: what it makes, and what it refuses.
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { ResolvedCommand } from '../../../src/model/account/command.ts';
import { makeLive, type AccountInput } from '../../support/account.ts';
import { makeDesired, nameOfKey, type Config } from '../../support/desired.ts';
import { makeState, type MemoryInput } from '../../support/memory.ts';
import { NonsenseError } from '../../support/nonsense.ts';
import { createService, Refusal } from '../../support/service.ts';
import { linearize } from '../../support/simulate.ts';
import { afterApply, forget, idOf, lose, makeWorld, touch } from '../../support/world.ts';
import { dependOn } from '../../support/depend-on.ts';
import { readList, readRows } from '../../support/read-rows.ts';

const shop = (given: Config[string]): Config => ({ shop: given });
const account = (given: object): AccountInput => ({
  projects: { 'p-1': { name: 'shop', ...given }, 'p-2': { name: 'blog' } },
});

it.each(
  readRows(`
  a key that does not exist | { vms: { web: { sshKeys: [alice] } } }
  a network that does not exist | { vms: { web: { networks: [lan] } } }
  a network twice | { networks: { lan: {} }, vms: { a: { networks: [lan, lan] } } }
  a public IP that does not exist | { vms: { web: { publicIp: edge } } }
  a public IP for two VMs | { publicIps: { edge: {} }, vms: { a: { publicIp: edge }, b: { publicIp: edge } } }
  a forward to a VM that does not exist | { publicIps: { edge: { https: { publicPort: 443, vm: web } } } }
  a port that is forwarded twice | { vms: { web: {} }, publicIps: { edge: { a: { publicPort: 1, vm: web }, b: { publicPort: 1, vm: web } } } }
  two VMs of one name | { vms: { a: { name: x }, b: { name: x } } }
  a key that is no key | { vms: { 1web: {} } }
`),
)('a configuration that its reader would refuse: %s', (_what, config) => {
  expect(() => makeDesired(shop(parse(config) as Config[string]))).toThrow(NonsenseError);
});

it('two projects of one name are refused as well', () => {
  expect(() => makeDesired({ a: { name: 'x' }, b: { name: 'x' } })).toThrow(NonsenseError);
});

describe('an account that the service could not hold', () => {
  it.each(
    readRows(`
    a VM in a network that is not there | { vms: { v: { name: a, networks: [n] } } }
    a VM with a key that never was | { vms: { v: { name: a, sshKeys: [k] } } }
    a VM with an address that is not there | { vms: { v: { name: a, publicIp: i } } }
    two VMs with one address | { publicIps: { i: {} }, vms: { v: { name: a, publicIp: i }, w: { name: b, publicIp: i } } }
    a forward to a VM that never was | { publicIps: { i: { forwards: { f: { publicPort: 1, vm: v } } } } }
    a port that is forwarded twice | { vms: { v: { name: a } }, publicIps: { i: { forwards: { f: { publicPort: 1, vm: v }, g: { publicPort: 1, vm: v } } } } }
    one id for two | { networks: { x: { name: lan } }, sshKeys: { x: { name: alice } } }
    a project that nobody looked into, with contents | { isRead: false, networks: { n: { name: a } } }
    a typo | { vm: {} }
    a typo further down | { vms: { v: { name: a, networs: [] } } }
    a typo of a network | { networks: { n: { name: a, stauts: x } } }
  `),
  )('%s', (_what, given) => {
    expect(() => makeLive(account(parse(given) as object))).toThrow(NonsenseError);
  });

  it('a VM in a network of another project', () => {
    const vms = { v: { name: 'web', networks: ['n'] } };
    const projects = {
      'p-1': { name: 'a', networks: { n: { name: 'lan' } } },
      'p-2': { name: 'b', vms },
    };
    expect(() => makeLive({ projects })).toThrow(NonsenseError);
  });

  it.each(
    readRows(`
    a forward to a VM that is gone | { publicIps: { i: { forwards: { f: { publicPort: 1, vm: v } } } } } | v
    a VM with a key that is gone | { vms: { v: { name: a, sshKeys: [k] } } } | k
    a VM of an image that has left the catalog | { vms: { v: { name: a, image: old } } } |
  `),
  )('but may hold %s', (_what, given, gone) => {
    const input = { ...account(parse(given) as object), gone: readList(gone) };
    expect(() => makeLive(input)).not.toThrow();
  });

  it('counts what it holds', () => {
    const live = makeLive({
      ...account({ vms: { v: { name: 'a', configuration: 'c2-r4-d40' } } }),
      quotas: { vmRam: 3, networks: null, publicIps: { limit: 9, used: 7 } },
    });
    expect(live.limits.quotas).toMatchObject({
      projects: { limit: 20, used: 2, remaining: 18 },
      vmCpu: { used: 2 },
      vmRam: { limit: 3, used: 4, remaining: 0 },
      publicIps: { limit: 9, used: 7, remaining: 2 },
    });
    expect(live.limits.quotas).not.toHaveProperty('networks');
  });
});

describe('a state that does not fit its account', () => {
  const live = makeLive(account({ networks: { n: { name: 'lan' } } }));
  it.each<[string, MemoryInput['resources']]>([
    ['something without its project', { 'projects.shop.networks.lan': 'n' }],
    ['another kind', { 'projects.shop': 'p-1', 'projects.shop.vms.web': 'n' }],
    ['another project', { 'projects.blog': 'p-2', 'projects.blog.networks.lan': 'n' }],
    ['one id at two addresses', { 'projects.shop': 'p-1', 'projects.blog': 'p-1' }],
    ['what is no address', { 'projects.shop': 'p-1', 'projects.shop.disks.d': 'd' }],
  ])('remembers %s', (_what, resources) => {
    expect(() => makeState({ resources: resources ?? {} }, live)).toThrow(NonsenseError);
  });
});

describe('events', () => {
  const applied = afterApply({
    shop: {
      networks: { lan: {} },
      publicIps: { edge: { https: { publicPort: 443, vm: 'web' } } },
      vms: { web: { networks: ['lan'], publicIp: 'edge' } },
    },
  });
  const p = 'projects.shop';

  it('leave what the service leaves', () => {
    const { live } = lose(applied, `${p}.vms.web`);
    expect(live.resources.map(({ id }) => id)).toEqual([
      'n-shop-lan',
      'ip-shop-edge',
      'f-shop-edge-https',
    ]);
    expect(live.resources[1]).toMatchObject({ vmId: null });
    expect(live.limits.quotas.vmCpu).toMatchObject({ used: 0 });
    expect(lose(applied, p).live).toMatchObject({
      projects: [],
      resources: [],
      readProjectIds: [],
    });
  });

  it.each<[string, () => unknown]>([
    ['a network goes while a VM is attached', () => lose(applied, `${p}.networks.lan`)],
    ['an address goes while a VM holds it', () => lose(applied, `${p}.publicIps.edge`)],
    ['what is not there goes', () => lose(applied, `${p}.vms.db`)],
    ['what is not there changes', () => touch(applied, `${p}.vms.db`, { name: 'x' })],
    ['what is not remembered is forgotten', () => forget(applied, `${p}.vms.db`)],
  ])('are refused where %s', (_what, happen) => expect(happen).toThrow(NonsenseError));
});

describe('names and ids', () => {
  it.each([
    ['web', 'web'],
    ['web[3]', 'web-3'],
    ['web["a b"]', 'web-a b'],
  ])('%s is named %s', (local, name) => expect(nameOfKey(local)).toBe(name));
  it.each([
    ['projects.shop', 'p-shop'],
    ['projects.shop.vms.web[0]', 'vm-shop-web-0'],
    ['projects.shop.publicIps.edge.forwards.https', 'f-shop-edge-https'],
  ])('%s has the id %s', (address, id) => expect(idOf(address)).toBe(id));
});

describe('the service in small', () => {
  const { live } = afterApply({
    shop: {
      sshKeys: { alice: {} },
      networks: { lan: {}, wan: {} },
      publicIps: { edge: { https: { publicPort: 443, vm: 'web' } }, spare: {} },
      vms: { web: { networks: ['lan'], publicIp: 'edge' }, db: {} },
    },
  });
  const inShop = { project: 'p-shop' };
  const web = { ...inShop, vm: 'vm-shop-web' };
  const vm = {
    ...{ kind: 'createVm', ...inShop, name: 'new', imageId: 'img-debian-12' },
    ...{ configurationId: 'cfg-c1r1d20', tariffId: 'trf-monthly' },
    ...{ sshKeys: [], publicIp: 'none', plugins: [] },
  } as const satisfies ResolvedCommand;
  const forward = {
    ...{ kind: 'createPortForward', ...inShop, publicIp: 'ip-shop-edge' },
    ...{ protocol: 'tcp', publicPort: 80, vm: 'vm-shop-db', vmPort: 80 },
  } as const satisfies ResolvedCommand;

  it.each<[string, ResolvedCommand]>([
    ['a name that is taken', { ...vm, name: 'web' }],
    ['a rename to a name that is taken', { kind: 'renameVm', ...web, name: 'db' }],
    ['a project name that is taken', { kind: 'createProject', name: 'shop' }],
    ['a project that is not there', { kind: 'createNetwork', project: 'p-9', name: 'x' }],
    ['an image that is not offered', { ...vm, imageId: 'x' }],
    ['a size that is not offered', { ...vm, configurationId: 'x' }],
    ['a tariff that is not offered', { ...vm, tariffId: 'x' }],
    ['a key that is not there', { ...vm, sshKeys: ['x'] }],
    ['an address that another holds', { ...vm, publicIp: 'ip-shop-edge' }],
    ['an address that is not there', { ...vm, publicIp: 'x' }],
    ['a port that is taken', { ...forward, publicPort: 443 }],
    ['a forward to nothing', { ...forward, vm: 'x' }],
    ['a second attachment', { kind: 'attachVm', ...web, network: 'n-shop-lan' }],
    ['an attachment to nothing', { kind: 'attachVm', ...web, network: 'x' }],
    ['a detachment of nothing', { kind: 'detachVm', ...web, network: 'n-shop-wan' }],
    ['to empty a project by its delete', { kind: 'deleteProject', ...inShop }],
    ['a delete of a network in use', { kind: 'deleteNetwork', ...inShop, network: 'n-shop-lan' }],
    [
      'a delete of an address in use',
      { kind: 'deletePublicIp', ...inShop, publicIp: 'ip-shop-edge' },
    ],
    ['a delete of nothing', { kind: 'deleteVm', ...inShop, vm: 'x' }],
  ])('refuses %s', (_what, command) => {
    expect(() => createService(live).perform(command)).toThrow(Refusal);
  });

  it.each<[string, ResolvedCommand]>([
    ['a VM', vm],
    ['a VM with an address', { ...vm, publicIp: 'ip-shop-spare' }],
    ['a forward', forward],
    ['a rename to the name it has', { kind: 'renameVm', ...web, name: 'web' }],
    ['a delete of a key in use', { kind: 'deleteSshKey', ...inShop, sshKey: 'k-shop-alice' }],
    ['a delete of a VM that a forward points at', { kind: 'deleteVm', ...web }],
    [
      'a delete of a spare address',
      { kind: 'deletePublicIp', ...inShop, publicIp: 'ip-shop-spare' },
    ],
  ])('takes %s', (_what, command) => {
    expect(() => createService(live).perform(command)).not.toThrow();
  });

  it('lets an address go with its VM, and keeps it', () => {
    const service = createService(live);
    service.perform({ kind: 'deleteVm', ...web });
    expect(service.find('ip-shop-edge')).toMatchObject({ vmId: null });
  });
});

it('linearize finds no order where tasks wait for one another', () => {
  const world = makeWorld({});
  expect(world.desired.resources).toEqual([]);
  const timeouts = { createMs: 1, updateMs: 1, deleteMs: 1 };
  const task = { address: 'projects.a', phase: 'apply', commands: [], timeouts } as const;
  const circle = [
    { ...task, id: 'a', dependsOn: dependOn(['b']) },
    { ...task, id: 'b', dependsOn: dependOn(['a']) },
  ];
  expect(() => linearize(circle, () => 0)).toThrow(NonsenseError);
});
