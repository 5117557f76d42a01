import { describe, expect, it } from 'vitest';
import { checkNameTaken } from '../../../src/checks/account/name-taken.ts';
import type { AccountInput } from '../../support/account.ts';
import { publicKeyOf, type ProjectConfig } from '../../support/desired.ts';
import { findingsOf } from '../../support/findings.ts';
import { checkedPlanOf, findingLine } from '../../support/plan-lines.ts';
import {
  afterApply,
  destroyAll,
  forget,
  lose,
  makeWorld,
  reconfigure,
  type World,
} from '../../support/world.ts';

const long = 'x'.repeat(64);

describe('a name or key that is too long', () => {
  const caps = { project: 5, network: 5, vm: 5, sshKey: 5, sshPublicKey: 30 };
  const none = { project: null, network: null, vm: null, sshKey: null, sshPublicKey: null };
  const config: ProjectConfig = {
    name: 'the-shop',
    sshKeys: { alice: { name: 'alice-1', publicKey: 'ssh-ed25519 AAAAAAAAAAAAAAAAAAAAAA' } },
    networks: { lan: { name: 'my-lan' } },
    publicIps: { edge: { https: { publicPort: 443, vm: 'web' } } },
    vms: { web: { name: 'webweb' } },
  };
  const empty = (nameLengths: NonNullable<AccountInput['nameLengths']>) =>
    makeWorld({ config: { shop: config }, account: { nameLengths } });
  const withVm = (before: object, after: object) =>
    reconfigure(afterApply({ shop: { vms: { web: before } } }, { nameLengths: { vm: 5 } }), {
      shop: { vms: { web: after } },
    });
  const webweb =
    'error name-too-long at 2:10 shop.vms.web: The name of this VM has 6 characters, the service takes 5';

  it.each<[string, World, string[]]>([
    ['passes where the caps are wide', empty({}), []],
    ['passes where the service gives no caps', empty(none), []],
    [
      'is reported wherever one stands, at its place',
      empty(caps),
      [
        'error name-too-long at 1:10 shop: The name of this project has 8 characters, the service takes 5',
        'error name-too-long at 2:10 shop.sshKeys.alice: The name of this SSH key has 7 characters, the service takes 5',
        'error name-too-long at 3:10 shop.networks.lan: The name of this network has 6 characters, the service takes 5',
        'error name-too-long at 4:10 shop.vms.web: The name of this VM has 6 characters, the service takes 5',
        'error public-key-too-long at 2:20 shop.sshKeys.alice: The public key of this SSH key has 34 characters, the service takes 30',
      ],
    ],
    [
      'may be, by what the service counts, which nobody knows',
      makeWorld({
        config: { shop: { name: '🚀🚀🚀🚀🚀' }, blog: { name: 'ééééé' } },
        account: { nameLengths: caps },
      }),
      [
        'warning may-be-too-long at 2:10 blog: The name of this project has 5 characters and 10 bytes, the service takes 5',
        'warning may-be-too-long at 1:10 shop: The name of this project has 5 characters and 20 bytes, the service takes 5',
      ],
    ],
    [
      'passes where its bytes fit, too',
      makeWorld({ config: { shop: { name: 'éé' } }, account: { nameLengths: caps } }),
      [],
    ],
    [
      'passes where it stands already',
      afterApply({ shop: { name: long } }, { nameLengths: caps }),
      [],
    ],
    ['is reported where it is new', withVm({ name: 'web' }, { name: 'webweb' }), [webweb]],
    [
      'is reported where it stands and is asked for again',
      withVm({ name: 'webweb' }, { name: 'webweb', tariff: 'yearly' }),
      [webweb],
    ],
    [
      'passes where it stands and the change is another',
      withVm({ name: 'webweb' }, { name: 'webweb', image: 'debian-13' }),
      [],
    ],
    [
      'is nothing when everything goes',
      destroyAll(afterApply({ shop: config }, { nameLengths: caps })),
      [],
    ],
  ])('%s', (_what, world, expected) => {
    const found = [
      ...findingsOf(world, 'may-be-too-long'),
      ...findingsOf(world, 'name-too-long'),
      ...findingsOf(world, 'public-key'),
    ];
    expect(found.map(findingLine).sort()).toEqual([...expected].sort());
  });

  it('says what it is and how to mend it', () => {
    const [name] = findingsOf(empty(caps), 'name-too-long');
    expect(name).toMatchObject({
      detail: 'The name is "the-shop".',
      hint: 'Shorten it by 3 or more.',
    });
    const [key] = findingsOf(empty(caps), 'public-key-too-long');
    expect(key).toMatchObject({
      hint: 'Use a key of a shorter type, such as ssh-ed25519, or shorten its comment.',
    });
    expect(key).not.toHaveProperty('detail');
  });
});

describe('a name that something else has', () => {
  const config: ProjectConfig = {
    name: 'the-shop',
    sshKeys: { alice: {} },
    networks: { lan: {} },
    publicIps: { edge: {} },
    vms: { web: {} },
  };
  const applied = afterApply({ shop: config });
  const p = 'projects.shop';
  const forgotten = forget(
    applied,
    ...[`${p}.sshKeys.alice`, `${p}.networks.lan`, `${p}.publicIps.edge`, `${p}.vms.web`],
  );
  const withoutWeb = (vms: ProjectConfig['vms']) =>
    reconfigure(forget(afterApply({ shop: { vms: { web: {}, db: {} } } }), `${p}.vms.web`), {
      shop: { vms: vms ?? {} },
    });
  const unread = makeWorld({
    config: { shop: config },
    account: { projects: { 'p-9': { name: 'the-shop', isRead: false } } },
  });
  const taken = (what: string) => `${what} exists already and is not in the state`;
  const takenByWeb = taken('error name-taken at 2:10 shop.vms.db: Another VM named "web"');

  it.each<[string, World, string[]]>([
    ['is no fault where it is ours', applied, []],
    ['is no fault where it was ours and is gone', lose(applied, `${p}.vms.web`), []],
    [
      'is reported for all that is created and has a name',
      forgotten,
      [
        taken('error name-taken at 3:10 shop.networks.lan: Another network named "lan"'),
        taken('error name-taken at 2:10 shop.sshKeys.alice: Another SSH key named "alice"'),
        taken('error name-taken at 4:10 shop.vms.web: Another VM named "web"'),
      ],
    ],
    [
      'is reported for a project that nobody looked into',
      unread,
      [taken('error name-taken at 1:10 shop: Another project named "the-shop"')],
    ],
    [
      'is no fault in another project',
      makeWorld({
        config: { shop: { networks: { lan: {} } } },
        account: { projects: { 'p-9': { name: 'other', networks: { 'n-9': { name: 'lan' } } } } },
      }),
      [],
    ],
    [
      'is no fault where what stood there before is still to be destroyed',
      makeWorld({
        config: { shop: { vms: { web: {} } } },
        account: { projects: { 'p-1': { name: 'shop', vms: { 'vm-1': { name: 'web' } } } } },
        memory: {
          resources: {
            'projects.shop': 'p-1',
            'projects.shop.vms.web': { id: 'vm-9', attributes: {}, deposed: ['vm-1'] },
          },
        },
      }),
      [],
    ],
    ['is no fault of another kind', withoutWeb({ db: {}, other: { name: 'shop' } }), []],
    ['is reported for a rename', withoutWeb({ db: { name: 'web' } }), [takenByWeb]],
    [
      'is reported for a replacement under another name',
      withoutWeb({ db: { name: 'web', tariff: 'yearly' } }),
      [takenByWeb],
    ],
    ['is nothing where the change is another', withoutWeb({ db: { power: 'stopped' } }), []],
    ['is nothing when everything goes', destroyAll(forgotten), []],
  ])('%s', (_what, world, expected) => {
    expect(findingsOf(world, 'name-taken').map(findingLine)).toEqual(expected);
  });

  it('is nothing to adopt where it is a project of another workspace', () => {
    const { desired, live, state } = unread;
    const byAddress = new Map(desired.resources.map((one) => [one.address, one]));
    const input = { plan: checkedPlanOf(unread), desired: byAddress, live, state };
    const ownedProjects = [{ project: 'the-shop', workspace: 'first' }];
    const [first, ...others] = checkNameTaken({ ...input, ownedProjects });
    expect(first).toMatchObject({
      code: 'project-of-workspace',
      summary: 'The project "the-shop" belongs to the workspace "first"',
    });
    expect(first?.hint).not.toMatch(/adopt/i);
    expect(others.map(({ code }) => code)).not.toContain('project-of-workspace');
    const elsewhere = [{ project: 'another', workspace: 'first' }];
    expect(checkNameTaken({ ...input, ownedProjects: elsewhere })[0]?.code).toBe('name-taken');
  });

  it('says which one it is and how to mend it', () => {
    expect(findingsOf(forgotten, 'name-taken')[2]).toMatchObject({
      detail:
        'The live one has the id vm-shop-web. Creating projects.shop.vms.web would make a second one of this name.',
      hint: 'Adopt it: with an imports entry ({ to: projects.shop.vms.web, id: vm-shop-web }), or with --adopt. Or give this one another name.',
    });
    // What stands already cannot adopt another.
    expect(findingsOf(withoutWeb({ db: { name: 'web' } }), 'name-taken')[0]).toMatchObject({
      detail:
        'The live one has the id vm-shop-web. Renaming projects.shop.vms.db would make a second one of this name.',
      hint: 'Delete or rename that one in the account, or give this one another name.',
    });
  });

  it.each([[['n-1', 'n-2']], [['n-2', 'n-1']]])('says the same one of several: %j', (ids) => {
    const networks = Object.fromEntries(ids.map((id) => [id, { name: 'lan' }]));
    const world = makeWorld({
      config: { shop: { networks: { lan: {} } } },
      account: { projects: { 'p-1': { name: 'shop', networks } } },
      memory: { resources: { 'projects.shop': 'p-1' } },
    });
    expect(findingsOf(world, 'name-taken')[0]?.detail).toContain('the id n-1.');
  });
});

describe('a name that is almost that of something else', () => {
  const beside = (names: readonly string[], config: ProjectConfig) =>
    makeWorld({
      config: { shop: config },
      account: {
        projects: {
          'p-1': {
            name: 'shop',
            networks: Object.fromEntries(names.map((name, at) => [`n-${at + 1}`, { name }])),
          },
        },
      },
      memory: { resources: { 'projects.shop': 'p-1' } },
    });
  const lan: ProjectConfig = { networks: { lan: { name: 'Lan' } } };

  it.each([['lan'], [' Lan'], ['LAN']])('is warned of: %j', (name) => {
    const world = beside([name], lan);
    expect(findingsOf(world, 'name-taken')).toEqual([]);
    expect(findingsOf(world, 'name-alike')).toEqual([
      expect.objectContaining({
        severity: 'warning',
        summary: `The name "${name}" of another network differs from this one in case or white space only`,
        detail:
          'That network has the id n-1 and is not in the state. A service that ignores case refuses a second one.',
        hint: 'If it is the same network, adopt it with an imports entry: { to: projects.shop.networks.lan, id: n-1 }. Otherwise choose another name.',
        address: 'projects.shop.networks.lan',
      }),
    ]);
  });

  it('is the error that it was where one has the very name', () => {
    const world = beside(['lan', 'Lan', 'LAN'], lan);
    expect(findingsOf(world, 'name-taken')[0]?.detail).toContain('the id n-2.');
    expect(findingsOf(world, 'name-alike')).toEqual([]);
  });

  it('is warned of for a rename', () => {
    const applied = afterApply({ shop: { vms: { web: {}, db: {} } } });
    const world = reconfigure(forget(applied, 'projects.shop.vms.web'), {
      shop: { vms: { db: { name: 'WEB' } } },
    });
    expect(findingsOf(world, 'name-alike').map(findingLine)).toEqual([
      'warning name-alike at 2:10 shop.vms.db: The name "web" of another VM differs from this one in case or white space only',
    ]);
    expect(findingsOf(world, 'name-alike')[0]?.hint).toBe('Choose another name.');
  });

  it('tells no secret name', () => {
    const world = beside(['hunter2'], { networks: { lan: { name: 'Hunter2' } } });
    const resources = world.desired.resources.map((one) =>
      one.kind === 'network' ? { ...one, sensitive: ['name'] } : one,
    );
    const found = findingsOf({ ...world, desired: { resources } }, 'name-alike');
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).not.toMatch(/hunter2/i);
  });
});

describe('more SSH keys than a project may hold', () => {
  const keys = (...names: string[]): ProjectConfig => ({
    sshKeys: Object.fromEntries(names.map((name) => [name, { publicKey: publicKeyOf(name) }])),
  });
  const limited = { maxSshKeysPerProject: 2 };
  const empty = (config: ProjectConfig, account: AccountInput = limited) =>
    makeWorld({ config: { shop: config }, account });
  const two = afterApply({ shop: keys('a', 'b') }, limited);
  const a = 'projects.shop.sshKeys.a';
  const b = 'projects.shop.sshKeys.b';
  const three =
    'error too-many-ssh-keys at 1:1 shop: This project would hold 3 SSH keys, the service takes 2 in one project';

  it.each<[string, World, string[]]>([
    ['as many as it may', empty(keys('a', 'b')), []],
    ['one more', empty(keys('a', 'b', 'c')), [three]],
    ['one more for one that goes', reconfigure(two, { shop: keys('b', 'c') }), []],
    [
      'two in each of two projects',
      makeWorld({ config: { shop: keys('a', 'b'), blog: keys('a', 'b') }, account: limited }),
      [],
    ],
    ['one on top of what stands', reconfigure(two, { shop: keys('a', 'b', 'c') }), [three]],
    [
      'one on top of what is not ours',
      reconfigure(forget(two, a), { shop: keys('b', 'c') }),
      [three],
    ],
    ['too many that stand already', afterApply({ shop: keys('a', 'b', 'c') }, limited), []],
    [
      'any number where the service gives no limit',
      empty(keys('a', 'b', 'c'), { maxSshKeysPerProject: null }),
      [],
    ],
  ])('%s', (_what, world, expected) => {
    expect(findingsOf(world, 'too-many-ssh-keys').map(findingLine)).toEqual(expected);
  });

  it('says how many are not ours', () => {
    const [finding] = findingsOf(
      reconfigure(forget(two, a, b), { shop: keys('c') }),
      'too-many-ssh-keys',
    );
    expect(finding).toMatchObject({
      detail: '2 of them are not in this configuration.',
      hint: 'Remove keys that nobody uses, or spread the VMs over more projects.',
    });
    const [ours] = findingsOf(empty(keys('a', 'b', 'c')), 'too-many-ssh-keys');
    expect(ours).not.toHaveProperty('detail');
  });
});
