import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../support/findings.ts';
import { findingLine } from '../../support/plan-lines.ts';
import {
  afterApply,
  destroyAll,
  forget,
  idOf,
  lose,
  reconfigure,
  type World,
} from '../../support/world.ts';

const shop = 'projects.shop';
const full = {
  shop: {
    networks: { lan: {} },
    publicIps: { edge: { https: { publicPort: 443, vm: 'web' } } },
    vms: { web: { networks: ['lan'], publicIp: 'edge' }, db: { networks: ['lan'] } },
  },
};
const applied = afterApply(full);
const without = (world: World, project: object) => reconfigure(world, { shop: project });
const { networks, publicIps } = full.shop;

const codes = /^(port-taken|public-ip-|network-in-use|project-not-empty)/;
/** A VM with these, which are all that stays of its fields. */
const held = afterApply({
  shop: {
    sshKeys: { alice: {} },
    networks: { lan: {} },
    vms: { web: { sshKeys: ['alice'], networks: ['lan'] } },
  },
});
const web = (vm: object) =>
  reconfigure(held, { shop: { vms: { web: { ignoreChanges: ['sshKeys', 'networks'], ...vm } } } });

const conflictsOf = (world: World) => findingsOf(world, '').filter(({ code }) => codes.test(code));

describe('what is not ours and stands in the way', () => {
  const forward = `${shop}.publicIps.edge.forwards.https`;
  const [web, db] = [`${shop}.vms.web`, `${shop}.vms.db`];
  const site = { networks, publicIps: { edge: {} }, vms: { site: { publicIp: 'edge' } } };
  const onlyWeb = { publicIps, vms: { web: { publicIp: 'edge' } } };

  it.each<[string, World, string]>([
    ['is a forward at the port', forget(applied, forward), 'port-taken at 6:20'],
    ['is a VM that holds the public IP', without(forget(applied, web), site), 'public-ip-held'],
    ['is a VM in a network that goes', without(forget(applied, db), onlyWeb), 'network-in-use'],
    [
      'is a forward of a public IP that goes',
      without(forget(applied, forward), { networks }),
      'public-ip-in-use',
    ],
    [
      'is whatever is left in a project that goes',
      reconfigure(forget(applied, db, `${shop}.networks.lan`), {}),
      'project-not-empty',
    ],
  ])('%s', (_what, world, expected) => {
    const lines = conflictsOf(world).map(findingLine);
    expect(lines).toEqual([expect.stringMatching(`^error ${expected}`)]);
  });

  it('is nothing where all goes, and where nothing changes', () => {
    expect([...conflictsOf(destroyAll(applied)), ...conflictsOf(applied)]).toEqual([]);
  });

  it('is told with the port', () => {
    const [taken] = conflictsOf(forget(applied, forward));
    expect(taken?.summary).toBe(
      'Port tcp 443 of this public IP is taken by a forward that is not in the state',
    );
  });

  it('is a VM of ours that keeps a network of which nothing is said', () => {
    const outside = afterApply({ shop: { networks: { lan: {} }, vms: { web: {} } } });
    const lan = idOf(`${shop}.networks.lan`);
    const resources = outside.live.resources.map((one) =>
      one.kind === 'vm' ? { ...one, networks: [{ networkId: lan, internalIp: '10.0.0.2' }] } : one,
    );
    const world = { ...outside, live: { ...outside.live, resources } };
    expect(conflictsOf(without(world, { vms: { web: {} } }))).toMatchObject([
      { code: 'network-in-use', hint: expect.stringContaining('`networks` of the VMs') as string },
    ]);
  });

  it('is the address that a moved VM left behind only where somebody holds it', () => {
    const [from, to] = [`${shop}.vms.web`, 'projects.blog.vms.web'];
    const before = lose(afterApply({ shop: { vms: { web: { publicIp: 'new' } } } }), from);
    const after = reconfigure(before, { blog: { vms: { web: {} } } });
    const source = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
    const world = { ...after, desired: { ...after.desired, moved: [{ from, to, source }] } };
    expect(conflictsOf(world)).toEqual([]);
    const resources = world.live.resources.map((one) =>
      one.kind === 'publicIp' ? { ...one, vmId: 'vm-of-somebody' } : one,
    );
    expect(conflictsOf({ ...world, live: { ...world.live, resources } })).toMatchObject([
      { code: 'project-not-empty', address: shop },
    ]);
  });

  it('names what it is, with its id and the ways on', () => {
    const world = reconfigure(forget(applied, `${shop}.vms.db`, `${shop}.networks.lan`), {});
    expect(conflictsOf(world)).toMatchObject([
      {
        summary: `${shop} cannot be destroyed: it still holds what this plan leaves alone`,
        detail: `In the way: the network "lan" (id ${idOf(`${shop}.networks.lan`)}), the VM "db" (id ${idOf(`${shop}.vms.db`)}). The service refuses to delete a project before.`,
      },
    ]);
  });

  it('is a VM of ours too, where the plan leaves it in the network that goes', () => {
    const adopted = {
      ...applied,
      state: {
        ...applied.state,
        resources: new Map(
          [...applied.state.resources].map(([address, one]) => [
            address,
            { ...one, configured: [] },
          ]),
        ),
      },
    };
    const left = conflictsOf(
      without(adopted, { publicIps, vms: { web: { publicIp: 'edge' }, db: {} } }),
    );
    expect(left.map(({ detail }) => detail)).toEqual([
      'Attached: the VM "db" (id vm-shop-db), the VM "web" (id vm-shop-web). The service refuses to delete a network before.',
    ]);
  });

  it('counts what is too much to name', () => {
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`n${index}`, {}]));
    const world = afterApply({ shop: { networks: many } });
    const addresses = Object.keys(many).map((key) => `${shop}.networks.${key}`);
    const [finding] = conflictsOf(reconfigure(forget(world, ...addresses), {}));
    expect(finding?.detail).toContain('(id n-shop-n4) and 3 more.');
  });

  it('is nothing where the project is exclusive: the plan deletes it', () => {
    const world = forget(applied, `${shop}.vms.db`);
    const wanted = without(world, { publicIps, vms: { web: { publicIp: 'edge' } } });
    expect(conflictsOf({ ...wanted, desired: { ...wanted.desired, exclusive: [shop] } })).toEqual(
      [],
    );
  });

  it('says how to keep what an exclusive project would destroy', () => {
    // The VM that holds the network is ignored; the network is nobody's.
    const world = forget(applied, `${shop}.vms.db`, `${shop}.networks.lan`);
    const wanted = without(world, { publicIps, vms: { web: { publicIp: 'edge' } } });
    const ignored = [{ project: shop, patterns: ['db'] }];
    const [finding, ...more] = conflictsOf({
      ...wanted,
      desired: { ...wanted.desired, exclusive: [shop], ignored },
    });
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      code: 'network-in-use',
      hint: `Remove or adopt them, and plan again; or name it in ignoreUnmanaged of ${shop}.`,
    });
  });
});

describe('a VM that is made anew, and keeps what goes', () => {
  const lan = '`networks` and `sshKeys` as in the account. Gone by then: n-shop-lan, k-shop-alice.';
  const image = 'debian-12';
  it.each<[string, object, string[]]>([
    ['is not rebuilt without its keys', { image }, ['rebuilt Gone by then: k-shop-alice.']],
    ['is not replaced without its keys and networks', { tariff: 'yearly' }, [`replaced ${lan}`]],
    ['is left as it is otherwise', { name: 'vm' }, []],
    ['is rebuilt where it asks for none', { image, ignoreChanges: [], sshKeys: [] }, []],
  ])('%s', (_what, after, expected) => {
    const found = findingsOf(web(after), 'needs-what-goes');
    expect(found).toHaveLength(expected.length);
    for (const [index, { summary, detail }] of found.entries()) {
      const [verb = '', ...rest] = expected[index]?.split(' ') ?? [];
      expect(summary).toContain(`cannot be ${verb}: `);
      expect(detail).toContain(rest.join(' '));
    }
  });
});

describe('a second resource that takes what another one keeps', () => {
  const keeping = { name: 'web', ignoreChanges: ['name'] };
  const both = (after: object) =>
    reconfigure(afterApply({ shop: { vms: { web: { name: 'site' }, db: {} } } }), {
      shop: { vms: { web: keeping, db: {}, ...after } },
    });
  it.each<[string, World, number]>([
    ['is refused', both({ db: { name: 'site' } }), 1],
    ['is refused when it is new', both({ mail: { name: 'site' } }), 1],
    ['is nothing of a name that is free', both({ db: { name: 'free' } }), 0],
  ])('%s', (_what, world, count) => {
    const details = findingsOf(world, 'duplicate-name').map(({ detail }) => detail);
    const own = `${shop}.vms.web keeps its own: its \`ignoreChanges\` has \`name\`.`;
    expect(details).toEqual(Array(count).fill(expect.stringContaining(own)));
  });
});
