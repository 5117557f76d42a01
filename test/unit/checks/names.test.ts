import { describe, expect, it } from 'vitest';
import { checkNameTaken } from '../../../src/checks/account/name-taken.ts';
import type { AccountInput } from '../../support/account.ts';
import type { ProjectConfig } from '../../support/desired.ts';
import { findingsOf } from '../../support/findings.ts';
import { checkedPlanOf, findingLine } from '../../support/plan-lines.ts';
import { readRows } from '../../support/read-rows.ts';
import { readProject, readStories, readWorld } from '../../support/read-stories.ts';
import { makeWorld, patchDesired, type World } from '../../support/world.ts';

describe('a name or key that is too long', () => {
  const caps = { project: 5, network: 5, vm: 5, sshKey: 5, sshPublicKey: 30 };
  const none = { project: null, network: null, vm: null, sshKey: null, sshPublicKey: null };
  const accounts: Readonly<Record<string, AccountInput>> = {
    ...{ wide: {}, none: { nameLengths: none }, tight: { nameLengths: caps } },
    vms: { nameLengths: { vm: 5 } },
  };
  const full =
    'name: the-shop, sshKeys: {alice: {name: alice-1, publicKey: ssh-ed25519 AAAAAAAAAAAAAAAAAAAAAA}}, networks: {lan: {name: my-lan}}, publicIps: {edge: {https: {publicPort: 443, vm: web}}}, vms: {web: {name: webweb}}';
  const webweb =
    'error name-too-long at 2:10 p.vms.web: The name of this VM has 6 characters, the service takes 5';

  it.each(
    readStories(`
    passes where the caps are wide
      wide: empty => ${full}
    passes where the service gives no caps
      none: empty => ${full}
    is reported wherever one stands, at its place
      tight: empty => ${full}
      error name-too-long at 1:10 p: The name of this project has 8 characters, the service takes 5
      error name-too-long at 2:10 p.sshKeys.alice: The name of this SSH key has 7 characters, the service takes 5
      error name-too-long at 3:10 p.networks.lan: The name of this network has 6 characters, the service takes 5
      error name-too-long at 4:10 p.vms.web: The name of this VM has 6 characters, the service takes 5
      error public-key-too-long at 2:20 p.sshKeys.alice: The public key of this SSH key has 34 characters, the service takes 30
    may be, by what the service counts, which nobody knows
      tight: empty => name: 🚀🚀🚀🚀🚀
      warning may-be-too-long at 1:10 p: The name of this project has 5 characters and 20 bytes, the service takes 5
    may be, by what the service counts, where a character is of two bytes
      tight: empty => name: ééééé
      warning may-be-too-long at 1:10 p: The name of this project has 5 characters and 10 bytes, the service takes 5
    passes where its bytes fit, too
      tight: empty => name: éé
    passes where it stands already
      tight: name: ${'x'.repeat(64)}
    is reported where it is new
      vms: vms: {web: {name: web}} => vms: {web: {name: webweb}}
      ${webweb}
    is reported where it stands and is asked for again
      vms: vms: {web: {name: webweb}} => vms: {web: {name: webweb, tariff: yearly}}
      ${webweb}
    passes where it stands and the change is another
      vms: vms: {web: {name: webweb}} => vms: {web: {name: webweb, image: debian-13}}
    is nothing when everything goes
      tight: ${full} & destroy
    `),
  )('%s', (_what, text, expected) => {
    const [, account = '', config = ''] = /^(\w+): (.*)$/.exec(text) ?? [];
    const world = readWorld(config, accounts[account]);
    const found = ['may-be-too-long', 'name-too-long', 'public-key'].flatMap((code) =>
      findingsOf(world, code),
    );
    expect(found.map(findingLine).sort()).toEqual([...expected].sort());
  });

  it('says what it is and how to mend it', () => {
    const world = readWorld(`empty => ${full}`, accounts.tight);
    const [name] = findingsOf(world, 'name-too-long');
    expect(name).toMatchObject({
      detail: 'The name is "the-shop".',
      hint: 'Shorten it by 3 or more.',
    });
    const [key] = findingsOf(world, 'public-key-too-long');
    expect(key).toMatchObject({
      hint: 'Use a key of a shorter type, such as ssh-ed25519, or shorten its comment.',
    });
    expect(key).not.toHaveProperty('detail');
  });
});

describe('a name that something else has', () => {
  const full = 'name: the-shop, sshKeys: {alice}, networks: {lan}, publicIps: {edge}, vms: {web}';
  const allForgotten = `${full} & sshKeys.alice forgotten & networks.lan forgotten & publicIps.edge forgotten & vms.web forgotten`;
  const forgotten = readWorld(allForgotten);
  /** The state has forgotten `web`; this is wanted beside it. */
  const besideWeb = (db: string) => `vms: {web, db} => vms: {${db}} & vms.web forgotten`;
  const unread = makeWorld({
    config: { p: readProject(full) },
    account: { projects: { 'p-9': { name: 'the-shop', isRead: false } } },
  });
  const exists = 'exists already and is not in the state';

  it.each(
    readStories(`
    is no fault where it is ours
      ${full}
    is no fault where it was ours and is gone
      ${full} & vms.web lost
    is reported for all that is created and has a name
      ${allForgotten}
      error name-taken at 3:10 p.networks.lan: Another network named "lan" ${exists}
      error name-taken at 2:10 p.sshKeys.alice: Another SSH key named "alice" ${exists}
      error name-taken at 4:10 p.vms.web: Another VM named "web" ${exists}
    is no fault of another kind
      ${besideWeb('db, other: {name: p}')}
    is reported for a rename
      ${besideWeb('db: {name: web}')}
      error name-taken at 2:10 p.vms.db: Another VM named "web" ${exists}
    is reported for a replacement under another name
      ${besideWeb('db: {name: web, tariff: yearly}')}
      error name-taken at 2:10 p.vms.db: Another VM named "web" ${exists}
    is nothing where the change is another
      ${besideWeb('db: {power: stopped}')}
    is nothing when everything goes
      ${allForgotten} & destroy
    `),
  )('%s', (_what, world, expected) => {
    expect(findingsOf(readWorld(world), 'name-taken').map(findingLine)).toEqual(expected);
  });

  it('is reported for a project that nobody looked into', () =>
    expect(findingsOf(unread, 'name-taken').map(findingLine)).toEqual([
      `error name-taken at 1:10 p: Another project named "the-shop" ${exists}`,
    ]));

  it('is no fault in another project, or where what stood there before is still to be destroyed', () => {
    const other = { 'p-9': { name: 'other', networks: { 'n-9': { name: 'lan' } } } };
    const config = { shop: { networks: { lan: {} } } };
    const elsewhere = makeWorld({ config, account: { projects: other } });
    const leftover = makeWorld({
      config: { shop: { vms: { web: {} } } },
      account: { projects: { 'p-1': { name: 'shop', vms: { 'vm-1': { name: 'web' } } } } },
      memory: {
        resources: {
          'projects.shop': 'p-1',
          'projects.shop.vms.web': { id: 'vm-9', attributes: {}, deposed: ['vm-1'] },
        },
      },
    });
    for (const world of [elsewhere, leftover]) expect(findingsOf(world, 'name-taken')).toEqual([]);
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
        'The live one has the id vm-p-web. Creating projects.p.vms.web would make a second one of this name.',
      hint: 'Adopt it: with an imports entry ({ to: projects.p.vms.web, id: vm-p-web }), or with --adopt. Or give this one another name.',
    });
    // What stands already cannot adopt another.
    expect(findingsOf(readWorld(besideWeb('db: {name: web}')), 'name-taken')[0]).toMatchObject({
      detail:
        'The live one has the id vm-p-web. Renaming projects.p.vms.db would make a second one of this name.',
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
    const world = readWorld('vms: {web, db} => vms: {db: {name: WEB}} & vms.web forgotten');
    expect(findingsOf(world, 'name-alike').map(findingLine)).toEqual([
      'warning name-alike at 2:10 p.vms.db: The name "web" of another VM differs from this one in case or white space only',
    ]);
    expect(findingsOf(world, 'name-alike')[0]?.hint).toBe('Choose another name.');
  });

  it('tells no secret name', () => {
    const world = beside(['hunter2'], { networks: { lan: { name: 'Hunter2' } } });
    const found = findingsOf(patchDesired(world, 'network', { sensitive: ['name'] }), 'name-alike');
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).not.toMatch(/hunter2/i);
  });
});

describe('more SSH keys than a project may hold', () => {
  const limited = { maxSshKeysPerProject: 2 };
  const found = (world: World) => findingsOf(world, 'too-many-ssh-keys');
  const three =
    'error too-many-ssh-keys at 1:1 p: This project would hold 3 SSH keys, the service takes 2 in one project';

  it.each(
    readRows(`
    as many as it may | empty => sshKeys: {a, b} |
    one more | empty => sshKeys: {a, b, c} | ${three}
    one more for one that goes | sshKeys: {a, b} => sshKeys: {b, c} |
    one on top of what stands | sshKeys: {a, b} => sshKeys: {a, b, c} | ${three}
    one on top of what is not ours | sshKeys: {a, b} => sshKeys: {b, c} & sshKeys.a forgotten | ${three}
    too many that stand already | sshKeys: {a, b, c} |
  `),
  )('%s', (_what, world, expected) => {
    expect(found(readWorld(world, limited)).map(findingLine).join()).toBe(expected);
  });

  it('two in each of two projects, or any number where the service gives no limit', () => {
    const [two, three] = [{ sshKeys: { a: {}, b: {} } }, 'empty => sshKeys: {a, b, c}'];
    const both = makeWorld({ config: { shop: two, blog: two }, account: limited });
    const unlimited = readWorld(three, { maxSshKeysPerProject: null });
    expect([...found(both), ...found(unlimited)]).toEqual([]);
  });

  it('says how many are not ours', () => {
    const grown = 'sshKeys: {a, b} => sshKeys: {c} & sshKeys.a forgotten & sshKeys.b forgotten';
    const [finding] = found(readWorld(grown, limited));
    expect(finding).toMatchObject({
      detail: '2 of them are not in this configuration.',
      hint: 'Remove keys that nobody uses, or spread the VMs over more projects.',
    });
    const [ours] = found(readWorld('empty => sshKeys: {a, b, c}', limited));
    expect(ours).not.toHaveProperty('detail');
  });
});
