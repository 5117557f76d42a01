import { readAttributes } from '../../../src/kinds/read-attributes.ts';
import { describe, expect, it } from 'vitest';
import {
  readIdAfterUnmanagedPrefix,
  spellLiveId,
  type LiveIdTranslator,
} from '../../../src/kinds/names.ts';
import { kindRegistry } from '../../../src/kinds/registry.ts';
import type { LiveResource } from '../../../src/model/account/live.ts';
import { findCommandFacts } from '../../../src/kinds/find-facts.ts';
import { commandNames, commandSubjects } from '../../../src/model/account/command.ts';
import { kindNames, kindPlaces } from '../../../src/model/kind-places.ts';
import type { Attributes } from '../../../src/model/value.ts';
import { defaultCatalog, makeLive } from '../../support/account.ts';
import { makeDesired, type VmConfig } from '../../support/desired.ts';

const { projects, resources } = makeLive({
  tokens: { 't-1': { name: 'ci', createdAt: 0, expiresAt: 90 * 86_400_000 } },
  account: { locale: 'en-GB', notifications: { quotaLow: false } },
  projects: {
    'p-1': {
      name: 'shop',
      sshKeys: { 'k-1': { name: 'alice', publicKey: 'ssh-ed25519 AAAA alice@laptop' } },
      networks: { 'n-1': { name: 'lan' }, 'n-2': { name: 'outside' } },
      publicIps: { 'ip-1': { forwards: { 'f-1': { publicPort: 443, vm: 'vm-1' } } }, 'ip-2': {} },
      vms: {
        'vm-1': { name: 'web', sshKeys: ['k-1'], networks: ['n-1', 'n-2'], publicIp: 'ip-1' },
        'vm-2': { name: 'db', publicIp: 'ip-2', configuration: 'c2-r4-d40' },
      },
    },
  },
});
const find = (id: string): LiveResource => [...projects, ...resources].find((r) => r.id === id)!;
const keys: Readonly<Record<string, string>> = {
  'k-1': 'alice',
  'n-1': 'lan',
  'ip-1': 'edge',
  'vm-1': 'web[0]',
};
const names: LiveIdTranslator = { catalog: defaultCatalog, localKey: (_kind, id) => keys[id] };

const read = (id: string, desired?: Attributes): Attributes =>
  readAttributes(find(id), names, desired);

it.each([
  ['n-1', 'lan', undefined],
  ['n-9', 'id:n-9', 'n-9'],
])('a spelled id: %s is %s', (id, spelled, outside) => {
  expect(spellLiveId(names, 'network', id)).toBe(spelled);
  expect(readIdAfterUnmanagedPrefix(spelled)).toBe(outside);
});

describe('reading what is live', () => {
  it.each<[string, string, Attributes]>([
    ['a project', 'p-1', { id: 'p-1', name: 'shop' }],
    ['a network', 'n-1', { id: 'n-1', name: 'lan', cidr: '10.0.0.0/24' }],
    [
      'a port forward',
      'f-1',
      { id: 'f-1', protocol: 'tcp', publicPort: 443, vm: 'web[0]', vmPort: 443 },
    ],
    [
      'a VM, what is not ours marked by its id',
      'vm-1',
      {
        id: 'vm-1',
        name: 'web',
        image: 'ubuntu-24.04',
        configuration: 'c1-r1-d20',
        tariff: 'monthly',
        sshKeys: ['alice'],
        networks: ['lan', 'id:n-2'],
        publicIp: 'edge',
        plugins: [],
        power: 'running',
        cpu: 1,
        ram: 1,
        disk: 20,
        internalIp: '10.0.0.2',
      },
    ],
  ])('%s', (_what, id, attributes) => expect(read(id)).toEqual(attributes));

  it.each([
    ['with another comment', 'ssh-ed25519 AAAA somebody-else', 'ssh-ed25519 AAAA somebody-else'],
    ['with other spaces', ' ssh-ed25519   AAAA ', ' ssh-ed25519   AAAA '],
    ['of other material', 'ssh-ed25519 BBBB alice@laptop', 'ssh-ed25519 AAAA alice@laptop'],
  ])('an SSH key that is configured %s', (_what, publicKey, shown) => {
    expect(read('k-1', { publicKey })).toMatchObject({ publicKey: shown });
  });

  it('an SSH key that nobody configures', () =>
    expect(read('k-1')).toMatchObject({ publicKey: 'ssh-ed25519 AAAA alice@laptop' }));

  it.each([
    ['a key of ours', 'vm-1', undefined, 'edge'],
    ['a key of ours, where a new one is wished for', 'vm-1', 'new', 'edge'],
    ['one that is not ours', 'vm-2', undefined, 'id:ip-2'],
    ['one that is not ours, where a new one is wished for', 'vm-2', 'new', 'new'],
    ['one that is not ours, where one of ours is', 'vm-2', 'edge', 'id:ip-2'],
  ])('the public IP of a VM: %s', (_what, id, wished, shown) => {
    expect(read(id, wished === undefined ? {} : { publicIp: wished })).toMatchObject({
      publicIp: shown,
    });
  });

  it('the public IP of a VM: one of ours that is replaced is not the new one that is wished for', () => {
    const replaced = { ...names, isReplaced: (id: string) => id === 'ip-2' };
    const vm = find('vm-2');
    expect(kindRegistry.vm.read(vm, replaced, { publicIp: 'new' })).toMatchObject({
      publicIp: 'id:ip-2',
    });
  });

  it.each([
    ['Running', 'active', 'running'],
    ['Starting', 'active', 'running'],
    ['Rebooting', 'active', 'running'],
    ['Stopped', 'active', 'stopped'],
    ['Stopping', 'active', 'stopped'],
    ['Hibernating', 'active', undefined],
    [null, 'active', undefined],
    ['Provisioning', 'creating', 'running'],
    [null, 'creating', 'running'],
  ])('the power of a VM with the boot status %s while %s', (bootStatus, status, power) => {
    const live = { ...find('vm-1'), bootStatus, status } as LiveResource;
    expect(kindRegistry.vm.read(live, names, undefined).power).toBe(power);
    // An unknown boot status is untold, and no reason to start or stop anything.
    expect(kindRegistry.vm.read(live, names, { power: 'stopped' }).power).toBe(power);
  });
});

/** A VM of such a configuration, described. */
function described(vm: VmConfig) {
  const config = {
    shop: {
      sshKeys: { alice: {}, bob: {} },
      networks: { lan: {}, wan: {} },
      publicIps: { edge: {} },
      vms: { web: vm },
    },
  };
  return makeDesired(config).resources.find(({ kind }) => kind === 'vm')!;
}

describe('what a resource names', () => {
  it.each<[VmConfig, string[]]>([
    [{}, []],
    [{ sshKeys: ['bob', 'alice'] }, ['sshKeys[0] sshKeys.bob', 'sshKeys[1] sshKeys.alice']],
    [{ networks: ['wan'] }, ['networks[0] networks.wan']],
    [{ publicIp: 'edge' }, ['publicIp publicIps.edge']],
    [{ publicIp: 'new' }, []],
  ])('a VM with %j', (vm, expected) => {
    const references = kindRegistry.vm.references(described(vm));
    expect(
      references.map(
        ({ attribute, index, address }) =>
          `${attribute}${index === undefined ? '' : `[${index}]`} ${address.replace('projects.shop.', '')}`,
      ),
    ).toEqual(expected);
  });

  it('is nothing of the configuration where an id stands', () => {
    const attributes = { sshKeys: ['id:k-9'], networks: ['id:n-9'], publicIp: 'id:ip-9' };
    expect(kindRegistry.vm.references({ ...described({}), attributes })).toEqual([]);
    const at = 'projects.shop.publicIps.edge.forwards.https';
    const forward = { address: at, kind: 'portForward', project: 'projects.shop' } as const;
    const to = (vm: string) =>
      kindRegistry.portForward.references({ ...forward, attributes: { vm } });
    expect(to('id:vm-9')).toEqual([]);
    expect(to('web[0]')).toEqual([{ attribute: 'vm', address: 'projects.shop.vms.web[0]' }]);
  });

  it.each(['project', 'sshKey', 'network', 'publicIp'] as const)('is nothing for a %s', (kind) => {
    expect(kindRegistry[kind].references(described({}))).toEqual([]);
  });
});

describe('what only one can hold', () => {
  const { resources: all } = makeDesired({
    shop: {
      name: 'the-shop',
      sshKeys: { alice: {} },
      networks: { lan: { name: 'my-lan' } },
      publicIps: { edge: { https: { publicPort: 443, vm: 'web' } } },
      vms: { web: {}, db: { publicIp: 'edge' }, app: { publicIp: 'new' } },
    },
  });
  it.each([
    ['projects.shop', ['project name the-shop']],
    ['projects.shop.sshKeys.alice', ['projects.shop sshKey name alice']],
    ['projects.shop.networks.lan', ['projects.shop network name my-lan']],
    ['projects.shop.publicIps.edge', []],
    ['projects.shop.publicIps.edge.forwards.https', ['projects.shop.publicIps.edge tcp port 443']],
    ['projects.shop.vms.web', ['projects.shop vm name web']],
    ['projects.shop.vms.db', ['projects.shop vm name db', 'projects.shop holder of edge']],
    ['projects.shop.vms.app', ['projects.shop vm name app']],
  ])('%s holds %j', (address, claims) => {
    const resource = all.find((one) => one.address === address)!;
    expect(kindRegistry[resource.kind].claims(resource)).toEqual(claims);
  });
});

it.each<[string, keyof typeof kindRegistry, Attributes, object]>([
  ['a project', 'project', {}, { projects: 1 }],
  ['an SSH key', 'sshKey', {}, {}],
  ['a network', 'network', {}, { networks: 1 }],
  ['a public IP', 'publicIp', {}, { publicIps: 1 }],
  ['a port forward', 'portForward', {}, {}],
  ['a VM', 'vm', { configuration: 'c2-r4-d40' }, { vmCpu: 2, vmRam: 4, vmDisk: 40 }],
  ['a VM of an unknown size', 'vm', { configuration: 'huge' }, {}],
  [
    'a VM with a new public IP',
    'vm',
    { configuration: 'cfg-c1r1d20', publicIp: 'new' },
    { vmCpu: 1, vmRam: 1, vmDisk: 20, publicIps: 1 },
  ],
  ['a VM with one of ours', 'vm', { publicIp: 'edge' }, {}],
])('what a resource takes of the quotas: %s', (_what, kind, attributes, cost) => {
  expect(kindRegistry[kind].quota(attributes, defaultCatalog)).toEqual(cost);
});

describe('what follows from what is configured', () => {
  it.each<[string, Attributes, Attributes]>([
    [
      'the size of a VM',
      { configuration: 'c2-r4-d40', networks: ['lan'] },
      { cpu: 2, ram: 4, disk: 40 },
    ],
    ['nothing for a size that is not offered', { configuration: 'huge', networks: ['lan'] }, {}],
    ['no address without a network', { networks: [] }, { internalIp: null }],
    ['no address where no networks are given', {}, { internalIp: null }],
  ])('%s', (_what, attributes, derived) => {
    expect(kindRegistry.vm.derive(attributes, defaultCatalog)).toEqual(derived);
  });

  it.each(kindNames.filter((kind) => kind !== 'vm'))('nothing for a %s', (kind) => {
    expect(kindRegistry[kind].derive({ name: 'a' }, defaultCatalog)).toEqual({});
  });
});

describe('what is lost', () => {
  const disk = 'Everything on its disk (20 GB) is lost.';
  it.each([
    ['destroy', null, [disk, 'Its backups are deleted with it.']],
    ['destroy', 0, [disk]],
    ['destroy', 1, [disk, 'Its 1 backup is deleted with it.']],
    ['destroy', 7, [disk, 'Its 7 backups are deleted with it.']],
    ['rebuild', 'none', [disk]],
    ['rebuild', null, [disk, 'Its backups are deleted (deleteBackups: true).']],
    ['rebuild', 2, [disk, 'Its 2 backups are deleted (deleteBackups: true).']],
  ] as const)('with a VM, on a %s that takes %s backups along', (effect, backups, sentences) => {
    expect(kindRegistry.vm.traits.losses?.list(effect, { disk: 20 }, backups)).toEqual(sentences);
  });
  it('with a public IP is its address', () => {
    const before = { address: '203.0.113.3' };
    expect(kindRegistry.publicIp.traits.losses?.list('destroy', before, 'none')).toEqual([
      'Its address 203.0.113.3 is lost.',
    ]);
  });
  it.each(kindNames.filter((kind) => !['vm', 'publicIp'].includes(kind)))(
    'is nothing with a %s',
    (kind) => expect('losses' in kindRegistry[kind].traits).toBe(false),
  );
});

describe('the account', () => {
  const { account } = kindRegistry;
  const live = { locale: 'en-GB', notifications: { operationFailed: true, quotaLow: false } };
  it.each<[string, Attributes | undefined, Attributes]>([
    ['whole where nothing is configured', undefined, live],
    [
      'as far as it is configured, in that order',
      { notifications: { quotaLow: true, unheardOf: true } },
      { locale: 'en-GB', notifications: { quotaLow: false } },
    ],
    ['in the spelling of the configuration', { locale: 'EN-gb' }, { ...live, locale: 'EN-gb' }],
    ['as it is where that says another', { locale: 'de' }, live],
    ['as it is where that is no language', { locale: '!' }, live],
    [
      'as it is where that is no map',
      { notifications: true },
      { locale: 'en-GB', notifications: {} },
    ],
  ])('is read %s', (_what, desired, attributes) => {
    expect(read('account', desired)).toEqual(attributes);
  });

  it('is asked for what differs alone', () => {
    const self = { id: 'account' };
    const context = {
      project: self,
      self,
      parent: self,
      refTo: () => self,
      catalog: defaultCatalog,
    };
    const difference = (fields: string[], before: Attributes, after: Attributes) => ({
      ...{
        fields: new Set(fields),
        before,
        after,
        isRebuild: false,
        deleteBackups: false,
        backupFirst: false,
      },
    });
    expect(
      account.update(
        difference(
          ['notifications'],
          { notifications: { quotaLow: false, operationFailed: true } },
          { notifications: { quotaLow: true, operationFailed: true } },
        ),
        context,
      ),
    ).toEqual([
      { kind: 'updateNotificationPreferences', account: self, preferences: { quotaLow: true } },
    ]);
    expect(account.update(difference(['locale'], {}, { locale: 'fr' }), context)).toEqual([
      { kind: 'updateAccountLocale', account: self, locale: 'fr' },
    ]);
    expect([...account.create({}, context), ...account.destroy(context)]).toEqual([]);
    expect([account.quota({}, defaultCatalog), account.references(described)]).toEqual([{}, []]);
    expect(account.claims(described)).toEqual([]);
  });
  const described = {
    address: 'account',
    kind: 'account',
    project: 'account',
    attributes: {},
  } as const;
});

it.each(kindNames)('a kind: %s knows its own name, and reads every field that it has', (name) => {
  const kind = kindRegistry[name];
  expect(kind.name).toBe(name);
  const live = [...projects, ...resources].find((one) => one.kind === name)!;
  // What its sale says is read where it is configured alone.
  const sold = { ...live, renewal: 'active' };
  const attributes = kind.read(sold, names, { renewal: 'active' });
  expect(Object.keys(attributes)).toEqual(
    expect.arrayContaining([...Object.keys(kind.fields), ...kind.computed]),
  );
});

it('is shown once for the journal where its create keeps a secret', () => {
  const keeping = commandNames
    .filter((name) => findCommandFacts(name).procedure?.kind === 'shown-once')
    .map((name) => commandSubjects[name].kind);
  expect(kindNames.filter((kind) => kindPlaces[kind].isShownOnce)).toEqual(keeping);
});
