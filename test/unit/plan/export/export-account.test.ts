import { describe, expect, test } from 'vitest';
import type { LiveResource, LiveSnapshot } from '../../../../src/model/account/live.ts';
import { exportAccount } from '../../../../src/plan/export/export-account.ts';
import {
  leaveUntold,
  makeLive,
  type AccountInput,
  type LiveProjectInput,
} from '../../../support/account.ts';

function exportProject(
  project: Partial<LiveProjectInput>,
  more: Omit<AccountInput, 'projects'> = {},
) {
  const live = makeLive({ projects: { p: { name: 'shop', ...project } }, ...more });
  return exportAccount(live, ['p']);
}

/** Some resources with something changed that the builder of worlds would not think of. */
function change(live: LiveSnapshot, id: string, patch: Partial<LiveResource>): LiveSnapshot {
  const resources = live.resources.map((one) =>
    one.id === id ? ({ ...one, ...patch } as LiveResource) : one,
  );
  return { ...live, resources };
}

const catalogOf = { image: 'ubuntu-24.04', configuration: 'c1-r1-d20', tariff: 'monthly' };

const fieldsOf = (exported: ReturnType<typeof exportAccount>, address: string) =>
  exported.resources.find((one) => one.address === address);

describe('what is described', () => {
  test('is every resource of the projects that were asked for', () => {
    const live = makeLive({
      projects: {
        p: {
          name: 'my shop',
          sshKeys: { k: { name: 'alice' } },
          networks: { n: { name: 'back end' } },
          publicIps: {
            i: { address: '203.0.113.7', forwards: { f: { publicPort: 443, vm: 'v' } } },
          },
          vms: { v: { name: 'web', sshKeys: ['k'], networks: ['n'], publicIp: 'i' } },
        },
        other: { name: 'blog', vms: { w: { name: 'web' } } },
      },
    });
    const { resources, leftOut } = exportAccount(live, ['p']);
    const at = 'projects.my-shop';
    expect(leftOut).toEqual([]);
    expect(resources.map(({ address, id }) => [address, id])).toEqual([
      [at, 'p'],
      [`${at}.sshKeys.alice`, 'k'],
      [`${at}.networks.back-end`, 'n'],
      [`${at}.publicIps.ip-203-0-113-7`, 'i'],
      [`${at}.publicIps.ip-203-0-113-7.forwards.tcp-443`, 'f'],
      [`${at}.vms.web`, 'v'],
    ]);
    expect(resources[0]?.fields).toEqual({ name: 'my shop' });
    expect(resources[4]?.fields).toEqual({
      protocol: 'tcp',
      publicPort: 443,
      vm: 'web',
      vmPort: 443,
    });
    expect(resources[5]?.fields).toEqual({
      ...catalogOf,
      sshKeys: ['alice'],
      networks: ['back-end'],
      publicIp: 'ip-203-0-113-7',
    });
  });

  test('says of a VM what is not as it would be anyway', () => {
    const exported = exportProject({
      vms: {
        a: { name: 'plain', renewal: 'active' },
        b: { name: 'full', power: 'stopped', plugins: ['monitoring'], renewal: 'cancelled' },
      },
    });
    expect(fieldsOf(exported, 'projects.shop.vms.plain')?.fields).toEqual(catalogOf);
    expect(fieldsOf(exported, 'projects.shop.vms.full')?.fields).toEqual({
      ...catalogOf,
      ...{ plugins: ['monitoring'], power: 'stopped', renewal: 'cancelled' },
    });
  });

  test('is nothing where there is nothing', () =>
    expect(exportAccount(makeLive(), [])).toEqual({ resources: [], leftOut: [] }));
});

describe('what the catalog calls an entry', () => {
  const entry = (id: string, name: string) => ({ id, name });
  test.each([
    ['its name', [entry('i1', 'debian')], 'debian', 0],
    [
      'its id, where the name means another one',
      [entry('i0', 'debian'), entry('i1', 'debian')],
      'i1',
      0,
    ],
    [
      'its id, where the name is the id of another one',
      [entry('i1', 'i0'), entry('i0', 'x')],
      'i1',
      0,
    ],
    ['its id, where it has no name', [entry('i1', ' ')], 'i1', 0],
    ['its id, where it is no longer offered, with a remark', [], 'i1', 1],
  ])('is %s', (_, images, written, remarks) => {
    const live = makeLive({ projects: { p: { name: 'shop', vms: { v: { name: 'web' } } } } });
    const changed = {
      ...change(live, 'v', { imageId: 'i1' }),
      catalog: { ...live.catalog, images },
    };
    const { fields, remarks: said } = exportAccount(changed, ['p']).resources[1]!;
    expect(fields.image).toBe(written);
    expect(said.length).toBe(remarks);
  });
});

describe('a field that cannot be said is left alone', () => {
  const base = makeLive({
    projects: {
      p: {
        name: 'shop',
        networks: { n1: { name: 'lan' }, n2: { name: 'lan' } },
        vms: { v: { name: 'web', networks: ['n1', 'n2'] } },
      },
    },
  });
  const ignored = (live: LiveSnapshot, id = 'v') => {
    const found = exportAccount(live, ['p']).resources.find((one) => one.id === id)!;
    expect(found.remarks.length).toBe(1);
    return found.fields;
  };

  test('networks of which one is left out', () => {
    expect(ignored(base)).toMatchObject({
      networks: ['lan'],
      lifecycle: { ignoreChanges: ['networks'] },
    });
  });

  test('SSH keys that are gone', () => {
    const fields = ignored(change(base, 'v', { networks: [], sshKeyIds: ['gone'] }));
    expect(fields).not.toHaveProperty('sshKeys');
    expect(fields.lifecycle).toEqual({ ignoreChanges: ['sshKeys'] });
  });

  test('a public IP that is not told', () => {
    const fields = ignored(change(base, 'v', { networks: [], publicIpId: 'hidden' }));
    expect(fields).not.toHaveProperty('publicIp');
    expect(fields.lifecycle).toEqual({ ignoreChanges: ['publicIp'] });
  });

  test('plugins that no list can hold', () => {
    expect(ignored(change(base, 'v', { networks: [], plugins: ['a', 'a', ''] }))).toMatchObject({
      plugins: ['a'],
      lifecycle: { ignoreChanges: ['plugins'] },
    });
  });

  test('a name that another VM has, and none', () => {
    const two = makeLive({
      projects: { p: { name: 'shop', vms: { v1: { name: 'web' }, v2: { name: 'web' } } } },
    });
    const again = { ...catalogOf, lifecycle: { ignoreChanges: ['name'] } };
    expect(ignored(two, 'v2')).toEqual(again);
    const nameless = change(base, 'v', { networks: [], name: ' ' });
    expect(ignored(nameless)).toEqual(again);
  });

  test('whether it runs, where that is not told', () => {
    expect(ignored(change(base, 'v', { networks: [], bootStatus: 'Hibernating' }))).toEqual(
      catalogOf,
    );
  });
});

describe('what is left out', () => {
  const leftOut = (project: Partial<LiveProjectInput>, gone: string[] = []) =>
    exportProject(project, { gone }).leftOut.map(({ title, project: at, why }) => [title, at, why]);

  test.each(['failed', 'deleting'])('is what is %s, and what points at it', (status) => {
    const told = leftOut({
      networks: { n: { name: 'lan', status } },
      publicIps: { i: { forwards: { f: { publicPort: 1, vm: 'v' } } }, j: { status } },
      vms: { v: { name: 'web', status } },
    });
    const at = 'projects.shop';
    const why = expect.stringMatching(status === 'failed' ? /failed/ : /being deleted/) as string;
    expect(told).toEqual([
      ['network "lan" (n)', at, why],
      ['public IP j', at, why],
      ['VM "web" (v)', at, why],
      ['port forward f', at, 'It leads to the VM v, which is not described here.'],
    ]);
  });

  test('is a name that is there already, and none at all', () => {
    const networks = { n1: { name: 'lan' }, n2: { name: 'lan' }, n3: { name: '' } };
    expect(leftOut({ networks }).map(([title]) => title)).toEqual([
      'network "" (n3)',
      'network "lan" (n2)',
    ]);
    const live = makeLive({ projects: { p1: { name: 'shop' }, p2: { name: 'shop' } } });
    expect(exportAccount(live, ['p1', 'p2']).leftOut).toEqual([
      expect.objectContaining({ kind: 'project', id: 'p2', project: undefined }),
    ]);
  });

  test('is a key that no configuration takes', () => {
    const sshKeys = { k: { name: 'new', publicKey: 'ssh-quantum AAAA' } };
    expect(leftOut({ sshKeys })).toEqual([
      ['SSH key "new" (k)', 'projects.shop', expect.stringContaining('public key')],
    ]);
  });

  test('is a VM of which the service does not tell what it is', () => {
    const live = makeLive({ projects: { p: { name: 'shop', vms: { v: { name: 'web' } } } } });
    const { leftOut: told } = exportAccount(change(live, 'v', { imageId: '', tariffId: '' }), [
      'p',
    ]);
    expect(told[0]?.why).toBe(
      'The service does not tell its image, tariff, and a configuration must.',
    );
  });

  test('is a forward that no configuration can say', () => {
    const live = makeLive({
      projects: {
        p: {
          name: 'shop',
          publicIps: {
            i: {
              forwards: {
                f1: { publicPort: 1, vm: 'v' },
                f2: { publicPort: 2, vm: 'v' },
                f3: { publicPort: 3, vm: 'v', status: 'failed' },
                f4: { publicPort: 4, vm: 'v' },
                f5: { publicPort: 5, vm: 'v', protocol: 'sctp' },
                f6: { publicPort: 6, vm: 'v' },
              },
            },
          },
          vms: { v: { name: 'web' } },
        },
      },
    });
    const changes = { f2: { publicPort: 1 }, f4: { vmPort: 70_000 }, f6: { protocol: undefined } };
    const changed = Object.entries(changes).reduce((all, [id, one]) => change(all, id, one), live);
    expect(exportAccount(changed, ['p']).leftOut.map(({ id, why }) => [id, why])).toEqual([
      ['f5', 'A configuration cannot say sctp 5 to 5.'],
      ['f2', 'Another one of projects.shop.publicIps.ip-203-0-113-1 has the same port.'],
      ['f3', 'Its creation failed: a plan would replace it.'],
      ['f4', 'A configuration cannot say tcp 4 to 70000.'],
      ['f6', 'The service does not tell its protocol.'],
    ]);
  });
});

test('what is described stands in the order of its addresses, numbers by value', () => {
  const { resources } = exportProject({
    publicIps: { a: { address: '203.0.113.10' }, b: { address: '203.0.113.9' } },
    networks: { c: { name: 'n-10' }, d: { name: 'n-9' } },
  });
  const addresses = resources.map(({ address }) => address.replace('projects.shop.', ''));
  expect(addresses.slice(1)).toEqual([
    ...['networks.n-9', 'networks.n-10'],
    ...['publicIps.ip-203-0-113-9', 'publicIps.ip-203-0-113-10'],
  ]);
});

test('an address that is not told gives its public IP a plain key', () => {
  const live = makeLive({ projects: { p: { name: 'shop', publicIps: { i: {} } } } });
  const { resources } = exportAccount(change(live, 'i', { address: null }), ['p']);
  expect(resources[1]?.address).toBe('projects.shop.publicIps.ip');
});

test('what the service does not tell is left to the account, or left out where a configuration must have it', () => {
  const live = makeLive({
    projects: {
      p: {
        name: 'shop',
        publicIps: { i: { forwards: { f: { publicPort: 443, vm: 'v' } } } },
        vms: { v: { name: 'web' }, w: { name: 'db' } },
      },
    },
  });
  const untold = { v: ['publicIpId', 'sshKeyIds'], w: ['imageId'], f: ['vmId'] };
  const exported = exportAccount(leaveUntold(live, untold), ['p']);
  expect(fieldsOf(exported, 'projects.shop.vms.web')?.fields).toMatchObject({
    lifecycle: { ignoreChanges: ['sshKeys', 'publicIp'] },
  });
  expect(exported.leftOut.map(({ why }) => why)).toEqual([
    'The service does not tell its image, and a configuration must.',
    'It leads to the VM that the service does not tell, which is not described here.',
  ]);
});
