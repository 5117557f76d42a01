import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/model/plan/plan.ts';
import {
  publicKeyOf,
  type Config,
  type ProjectConfig,
  type VmConfig,
} from '../../../support/desired.ts';
import { changeLines, planOf } from '../../../support/plan-lines.ts';
import { readRows } from '../../../support/read-rows.ts';
import {
  afterApply,
  destroyAll,
  forget,
  idOf,
  lose,
  makeWorld,
  reconfigure,
  touch,
  type World,
} from '../../../support/world.ts';

const web = 'projects.shop.vms.web';
const edge = 'projects.shop.publicIps.edge';

/** A shop with two of everything, and a VM that uses the first of each. */
const shop: ProjectConfig = {
  sshKeys: { alice: {}, bob: {} },
  networks: { lan: {}, wan: {} },
  publicIps: { edge: { https: { publicPort: 443, vm: 'web' } }, spare: {} },
  vms: { web: { sshKeys: ['alice'], networks: ['lan'], publicIp: 'edge' }, db: {} },
};
const applied = afterApply({ shop });

/** The same shop with a difference in its VM. */
const withVm = (patch: Partial<VmConfig>): Config => ({
  shop: { ...shop, vms: { ...shop.vms, web: { ...shop.vms?.web, ...patch } } },
});

function changeOf(world: World, address: string): Change {
  const change = planOf(world).changes.find((one) => one.address === address);
  expect(change, `a change of ${address}`).toBeDefined();
  return change!;
}

describe('what the configuration asks for', () => {
  const follows = 'update shop.publicIps.edge.forwards.https: vm';
  it.each(
    readRows(`
    nothing new | {} |
    a rename of the VM | { name: www } | update shop.vms.web: name
    another power | { power: stopped } | update shop.vms.web: power
    one network more | { networks: [wan, lan] } | update shop.vms.web: networks
    another network | { networks: [wan] } | update shop.vms.web: networks
    no network | { networks: [] } | update shop.vms.web: networks
    no word of networks | { networks: } | update shop.vms.web: networks
    another image | { image: debian-13 } | rebuild shop.vms.web: image!
    the same image by its id | { image: img-ubuntu-24-04 } |
    one key more: it waits for the next rebuild | { sshKeys: [bob, alice] } |
    one key more, where that may rebuild it | { sshKeys: [bob, alice], rebuildOn: [image, sshKeys] } | rebuild shop.vms.web: sshKeys!
    one key more, along with another image | { sshKeys: [bob, alice], image: debian-13 } | rebuild shop.vms.web: image!, sshKeys
    another image, where that may not rebuild it | { image: debian-13, power: stopped, rebuildOn: [] } | update shop.vms.web: power
    no word of keys | { sshKeys: } |
    another image, with a rename | { image: debian-13, name: www } | rebuild shop.vms.web: name, image!
    another size, and the forward follows | { configuration: c2-r4-d40 } | ${follows}; replace shop.vms.web: configuration!
    another tariff and another image | { tariff: yearly, image: debian-13 } | ${follows}; replace shop.vms.web: image!, tariff!
    another public IP | { publicIp: spare } | ${follows}; replace shop.vms.web: publicIp!
    a new public IP | { publicIp: new } | ${follows}; replace shop.vms.web: publicIp!
    no word of a public IP | { publicIp: } | ${follows}; replace shop.vms.web: publicIp!
    plugins | { plugins: [monitoring] } | ${follows}; replace shop.vms.web: plugins!
  `),
  )('of a VM: %s', (_what, patch, expected) => {
    const fields: Partial<VmConfig> = {};
    for (const [name, value] of Object.entries(parse(patch) as Record<string, unknown>))
      Object.assign(fields, { [name]: value ?? undefined });
    const world = reconfigure(applied, withVm(fields));
    expect(changeLines(planOf(world)).join('; ')).toBe(expected);
  });

  const alice = { name: 'alicia', publicKey: publicKeyOf('alice') };
  it.each<[string, ProjectConfig, string]>([
    ['another name', { name: 'store' }, 'update shop: name'],
    [
      'a rename of a network and a key',
      { networks: { lan: { name: 'local' }, wan: {} }, sshKeys: { alice, bob: {} } },
      'update shop.networks.lan: name; update shop.sshKeys.alice: name',
    ],
    [
      'another public key: the VM that has it is left alone',
      { sshKeys: { alice: { publicKey: publicKeyOf('eve') }, bob: {} } },
      'replace shop.sshKeys.alice: publicKey!',
    ],
    [
      'another port and another VM for a forward',
      withForward({ publicPort: 8443, vm: 'db', vmPort: 443 }),
      'update shop.publicIps.edge.forwards.https: publicPort, vm',
    ],
    [
      'another protocol for a forward',
      withForward({ protocol: 'udp', publicPort: 443, vm: 'web' }),
      'replace shop.publicIps.edge.forwards.https: protocol!',
    ],
    ['more', { networks: { ...shop.networks, dmz: {} } }, 'create shop.networks.dmz'],
    ['less', { vms: { web: shop.vms?.web ?? {} } }, 'delete shop.vms.db (not-configured)'],
  ])('of a project: %s', (_what, patch, expected) => {
    const world = reconfigure(applied, { shop: { ...shop, ...patch } });
    expect(changeLines(planOf(world)).join('; ')).toBe(expected);
  });

  it('nothing at all', () => {
    const lines = changeLines(planOf(reconfigure(applied, {})));
    expect(lines).toHaveLength(applied.state.resources.size);
    expect(lines.filter((line) => !/^delete .* \(not-configured\)$/.test(line))).toEqual([]);
  });

  it('that everything goes, whatever is configured', () => {
    expect(changeLines(planOf(destroyAll(applied)))).toEqual(
      changeLines(planOf(reconfigure(applied, {}))),
    );
  });

  it('everything, on an empty account', () => {
    const { changes } = planOf(makeWorld({ config: { shop } }));
    expect(changes.map(({ action }) => action)).toEqual(changes.map(() => 'create'));
    expect(changes).toHaveLength(10);
  });
});

function withForward(https: { protocol?: 'udp'; publicPort: number; vm: string; vmPort?: number }) {
  return { publicIps: { ...shop.publicIps, edge: { https } } };
}

describe('what has happened outside', () => {
  const otherComment = publicKeyOf('alice').replace(/alice$/, 'x');
  it.each(
    readRows(`
    a rename by hand is undone | vms.web | { name: by-hand } | update shop.vms.web: name
    a stop by hand is undone | vms.web | { bootStatus: Stopped } | update shop.vms.web: power
    a stop under way is undone | vms.web | { bootStatus: Stopping } | update shop.vms.web: power
    a boot status that nobody knows is left alone | vms.web | { bootStatus: Napping } |
    a detachment by hand is undone | vms.web | { networks: [] } | update shop.vms.web: networks
    another comment of a key is nothing | sshKeys.alice | { publicKey: ${otherComment} } |
    a VM that was deleted is made again, and its forward follows | vms.web |  | update shop.publicIps.edge.forwards.https: vm; create shop.vms.web (deleted-outside)
    a network that was deleted is made again | networks.wan |  | create shop.networks.wan (deleted-outside)
    a forward that was deleted is made again | publicIps.edge.forwards.https |  | create shop.publicIps.edge.forwards.https (deleted-outside)
    a key that was deleted is made again, not its VM | sshKeys.alice |  | create shop.sshKeys.alice (deleted-outside)
    a failed VM is replaced | vms.db | { status: failed } | replace shop.vms.db (creation-failed)
    a VM on its way out is replaced | vms.db | { status: deleting } | replace shop.vms.db (being-deleted)
    a failed forward is replaced | publicIps.edge.forwards.https | { status: failed } | replace shop.publicIps.edge.forwards.https (creation-failed)
    a failed network is replaced, its VM is attached anew | networks.lan | { status: failed } | replace shop.networks.lan (creation-failed); update shop.vms.web: networks
    what is still updating is not changed | vms.web | { status: updating } |
    a status that nobody knows changes nothing | vms.web | { status: migrating } |
  `),
  )('%s', (_what, local, patch, expected) => {
    const address = `projects.shop.${local}`;
    const world = patch ? touch(applied, address, parse(patch) as object) : lose(applied, address);
    expect(changeLines(planOf(world)).join('; ')).toBe(expected);
  });

  it('a failed public IP is replaced with its forwards', () => {
    const world = touch(lose(applied, web), edge, { status: 'failed' });
    expect(changeLines(planOf(world))).toEqual([
      'replace shop.publicIps.edge (creation-failed)',
      'replace shop.publicIps.edge.forwards.https: vm (parent-replaced)',
      'create shop.vms.web (deleted-outside)',
    ]);
  });

  it('what the state knows, nobody wants and the account lacks is gone', () => {
    const world = reconfigure(lose(applied, 'projects.shop.vms.db'), {
      shop: { ...shop, vms: { web: shop.vms?.web ?? {} } },
    });
    const plan = planOf(world);
    expect(changeLines(plan)).toEqual([]);
    expect(plan.gone).toEqual(['projects.shop.vms.db']);
  });

  it('a project that was deleted takes everything with it', () => {
    const plan = planOf(lose(applied, 'projects.shop'));
    expect(plan.changes.every((change) => change.reason === 'deleted-outside')).toBe(true);
  });

  it('what the state forgot is not ours: it is created', () => {
    const world = forget(applied, 'projects.shop.vms.db');
    expect(changeLines(planOf(world))).toEqual(['create shop.vms.db']);
  });
});

describe('a public IP that came with its VM', () => {
  const withNew = { shop: { vms: { web: { publicIp: 'new' }, db: {} } } };
  const world = afterApply(withNew);

  it('is no difference', () => expect(changeLines(planOf(world))).toEqual([]));

  it('is no difference either when a killed run could not write it down', () => {
    const managed = world.state.resources.get(web)!;
    const { allocatedPublicIpId, ...rest } = managed;
    expect(allocatedPublicIpId).toBe(`ip-of-${idOf(web)}`);
    const resources = new Map(world.state.resources).set(web, rest);
    expect(changeLines(planOf({ ...world, state: { ...world.state, resources } }))).toEqual([]);
  });

  it('is called new where it goes', () => {
    const without = reconfigure(world, { shop: { vms: { web: {}, db: {} } } });
    expect(changeOf(without, web).before).toMatchObject({ publicIp: 'new' });
    const gone = reconfigure(world, { shop: { vms: { db: {} } } });
    expect(changeOf(gone, web).before).toMatchObject({ publicIp: 'new' });
  });

  it('is released when its VM was deleted outside and is made again', () => {
    const lost = lose(world, web);
    expect(changeLines(planOf(lost))).toEqual(['create shop.vms.web (deleted-outside)']);
  });

  it('is released when its VM was deleted outside and is not wanted any more', () => {
    const lost = reconfigure(lose(world, web), { shop: { vms: { db: {} } } });
    const plan = planOf(lost);
    expect(changeLines(plan)).toEqual(['delete shop.vms.web (deleted-outside)']);
    expect(plan.gone).toEqual([]);
    expect(changeOf(lost, web)).toMatchObject({ id: idOf(web), before: { publicIp: 'new' } });
  });
});

describe('both sides of a change', () => {
  const worlds: Readonly<Record<string, World>> = {
    created: makeWorld({ config: { shop } }),
    applied,
    deleted: reconfigure(applied, { shop: { ...shop, publicIps: { spare: {} }, vms: {} } }),
    'a failed network': touch(applied, 'projects.shop.networks.lan', { status: 'failed' }),
  };
  const disk = 'Everything on its disk (20 GB) is lost.';
  const configured = '[name, image, configuration, tariff, power, sshKeys, networks, publicIp]';

  it.each(
    readRows(`
    of a create: nothing, and what is configured | created | web | { id: null, before: null, configured: ${configured} }
    of a create: what follows; the rest is known later | created | web | { after: { image: ubuntu-24.04, publicIp: edge, cpu: 1, disk: 20 }, unknown: [id, internalIp] }
    a VM without a network will have no address | created | db | { unknown: [id] }
    a resize changes what follows from the size | { configuration: c2-r4-d40 } | web | { before: { cpu: 1, ram: 1, disk: 20, id: vm-shop-web }, after: { cpu: 2, ram: 4, disk: 40 } }
    a resize makes another VM | { configuration: c2-r4-d40 } | web | { unknown: [id, internalIp], losses: [${disk}, Its backups are deleted with it.] }
    another network brings another address | { networks: [wan] } | web | { unknown: [internalIp], losses: [] }
    no network means no address | { networks: [] } | web | { unknown: [] }
    a rebuild loses the disk | { image: debian-13 } | web | { id: vm-shop-web, losses: [${disk}], unknown: [] }
    a rebuild that is told to loses the backups too | { image: debian-13, deleteBackupsOnRebuild: true } | web | { losses: [${disk}, 'Its backups are deleted (deleteBackups: true).'] }
    a delete has nothing after it | deleted | web | { after: null, unknown: [], fields: [], losses: [${disk}, Its backups are deleted with it.] }
    a resource that is replaced is spelled by its old id | a failed network | web | { before: { networks: ['id:n-shop-lan'] }, after: { networks: [lan] } }
  `),
  )('%s', (_what, world, vm, expected) => {
    const of = worlds[world] ?? reconfigure(applied, withVm(parse(world) as Partial<VmConfig>));
    expect(changeOf(of, `projects.shop.vms.${vm}`)).toMatchObject(parse(expected) as object);
  });

  it('are the same of a no-op, and lack what is nothing', () => {
    const { before, after } = changeOf(applied, web);
    expect(after).toEqual(before);
    expect(changeOf(applied, 'projects.shop.vms.db').before).not.toHaveProperty('publicIp');
    const detached = reconfigure(applied, withVm({ networks: [] }));
    expect(changeOf(detached, web).after).not.toHaveProperty('internalIp', '10.0.0.2');
  });

  it('point to the place in the YAML', () => {
    expect(changeOf(applied, 'projects.shop').source).toMatchObject({ line: 1, column: 1 });
    expect(changeOf(reconfigure(applied, {}), 'projects.shop')).not.toHaveProperty('source');
  });

  it('remember what was configured when it is deleted', () => {
    const gone = reconfigure(applied, { shop: { vms: {} } });
    expect(changeOf(gone, 'projects.shop.networks.lan').configured).toEqual(['name']);
  });

  it('come with what is repeated no times, unless everything is to be destroyed', () => {
    const emptyGroups = [{ address: 'projects.shop.vms.db', reads: 'list' as const }];
    const world = { ...applied, desired: { ...applied.desired, emptyGroups } };
    expect(planOf(world).emptyGroups).toEqual(emptyGroups);
    expect(planOf({ ...world, mode: 'destroy' })).not.toHaveProperty('emptyGroups');
  });
});

it('leaves networks that are only listed in another order', () => {
  const listing = (...networks: string[]) => ({
    p: { networks: { lan: {}, wan: {} }, vms: { web: { networks } } },
  });
  const world = reconfigure(afterApply(listing('lan', 'wan')), listing('wan', 'lan'));
  expect(changeLines(planOf(world))).toEqual([]);
});
