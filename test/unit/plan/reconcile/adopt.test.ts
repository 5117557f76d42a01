import { describe, expect, it } from 'vitest';
import { noPlanOptions } from '../../../../src/model/plan/plan.ts';
import type { ImportEntry } from '../../../../src/model/resource.ts';
import { leaveUntold, type LiveProjectInput } from '../../../support/account.ts';
import type { ProjectConfig } from '../../../support/desired.ts';
import { defer, expressionOf } from '../../../support/defer.ts';
import {
  changeLines,
  findingLine,
  planOf,
  rearrangedWorld,
  taskLines,
} from '../../../support/plan-lines.ts';
import { readList, readRows } from '../../../support/read-rows.ts';
import { readProject } from '../../../support/read-stories.ts';
import {
  afterApply,
  forget,
  makeWorld,
  reconfigure,
  touch,
  type World,
} from '../../../support/world.ts';

const p = 'projects.p';

/** A project `p` that is ours, what it holds unmanaged, and what is configured. */
const found = (account: Omit<LiveProjectInput, 'name'>, config: ProjectConfig): World =>
  makeWorld({
    config: { p: config },
    account: { projects: { 'p-1': { name: 'p', ...account } } },
    memory: { resources: { [p]: 'p-1' } },
  });

/** A network of ours, `n-1`, is gone, and these of its name are not ours. */
const lost = (ids: readonly string[]): World =>
  makeWorld({
    config: { p: { networks: { lan: {} } } },
    account: {
      projects: {
        'p-1': { name: 'p', networks: Object.fromEntries(ids.map((id) => [id, { name: 'lan' }])) },
      },
    },
    memory: { resources: { [p]: 'p-1', [`${p}.networks.lan`]: 'n-1' } },
  });

/** A VM of ours is gone, and the address that it brought stands there still. */
const lostVm = makeWorld({
  config: { p: { vms: { web: { publicIp: 'new' } } } },
  account: {
    projects: { 'p-1': { name: 'p', vms: { 'vm-9': { name: 'web' } }, publicIps: { 'ip-1': {} } } },
  },
  memory: {
    resources: { [p]: 'p-1', [`${p}.vms.web`]: { id: 'vm-1', allocatedPublicIpId: 'ip-1' } },
  },
});

/** `vms.web = id vm-1`, `vms.web = name www`. */
function importing(world: World, ...entries: string[]): World {
  const imports = entries.map((entry, index): ImportEntry => {
    const [to = '', how = ''] = entry.split(' = ');
    const [by = '', ...rest] = how.split(' ');
    const line = index + 1;
    return {
      to: to === 'p' ? p : `${p}.${to}`,
      ...(by === 'id' ? { id: rest.join(' ') } : { name: rest.join(' ') }),
      source: { file: 'main.yaml', line, column: 5, endLine: line, endColumn: 6 },
    };
  });
  return { ...world, desired: { ...world.desired, imports } };
}

const adopting = (world: World): World => ({
  ...world,
  planOptions: { ...noPlanOptions, adoptsAll: true },
});

/** `vms.web is vm-1`: what the plan adopts. */
function adopted(world: World): string[] {
  const { changes } = planOf(world);
  const imported = changes.filter(({ isImported }) => isImported);
  for (const { address, id } of imported) {
    expect(rearrangedWorld(world).state.resources.get(address)?.id).toBe(id);
  }
  return imported.map(({ address, id }) => `${address.replace(`${p}.`, '')} is ${id ?? 'nothing'}`);
}

const findings = (world: World) => planOf(world).findings.map(findingLine);

describe('an imports entry', () => {
  const twoNamed = { vms: { 'vm-1': { name: 'web' }, 'vm-2': { name: 'web' } } };
  const web: ProjectConfig = { vms: { web: {} } };
  const applied = afterApply({ p: { vms: { web: {}, db: {} } } });
  const away = reconfigure(applied, { p: web });
  const inProject = { 'p-7': { name: 'p', vms: { 'vm-7': { name: 'web' } } } };
  const elsewhere = {
    'p-1': { name: 'p' },
    'p-2': { name: 'q', vms: { 'vm-1': { name: 'web' } } },
  };
  const replaced = { 'vm-1': { name: 'web-aside' }, 'vm-2': { name: 'web' } };
  const withNew = { vms: { a: { publicIp: 'new' } } };
  const bothNamedWeb = forget(touch(applied, `${p}.vms.db`, { name: 'web' }), `${p}.vms.web`);
  const worlds: Readonly<Record<string, World>> = {
    ...{ applied, away, two: found(twoNamed, web), lost: lost(['n-9']) },
    ...{ empty: found({}, web), unwanted: found(twoNamed, {}), lostTwo: lost(['n-8', 'n-9']) },
    old: found({ vms: { 'vm-1': { name: 'old' } } }, web),
    network: found({ networks: { 'n-1': { name: 'n' } } }, web),
    one: found({ vms: { 'vm-1': { name: 'web' } } }, { vms: { web: {}, db: {} } }),
    noProject: makeWorld({ config: { p: web } }),
    oldProject: makeWorld({ config: { p: {} }, account: { projects: { 'p-7': { name: 'old' } } } }),
    project: makeWorld({ config: { p: web }, account: { projects: inProject } }),
    elsewhere: makeWorld({
      ...{ config: { p: web }, account: { projects: elsewhere } },
      memory: { resources: { [p]: 'p-1' } },
    }),
    replaced: makeWorld({
      ...{ config: { p: web }, account: { projects: { 'p-1': { name: 'p', vms: replaced } } } },
      memory: { resources: { [p]: 'p-1', [`${p}.vms.web`]: { id: 'vm-2', deposed: ['vm-1'] } } },
    }),
    going: reconfigure(touch(applied, `${p}.vms.db`, { status: 'deleting' }), { p: web }),
    dbForgotten: forget(applied, `${p}.vms.db`),
    webForgotten: forget(applied, `${p}.vms.web`),
    oneLeft: reconfigure(bothNamedWeb, { p: { vms: { web: {}, db: { name: 'web-of-db' } } } }),
    address: reconfigure(afterApply({ p: withNew }), {
      p: { ...withNew, publicIps: { edge: {} } },
    }),
  };
  const another = 'already-managed: projects.p.vms.web is in the state already, as vm-p-web';
  /** What is said, without its place and what all of its code say. */
  const say = (line: string) =>
    line
      .replace(/ at 1:5 p\.\S+:/, ':')
      .replace(/ that \S+ could be$| is managed under another.*|, and its imports entry.*/, '');

  it.each(
    readRows(`
    none | two |  |  |
    by id | two | vms.web = id vm-2 | vms.web is vm-2 |
    by name | old | vms.web = name old | vms.web is vm-1 |
    a project by its name | oldProject | p = name old | projects.p is p-7 |
    a project, and what stands in it | project | vms.web = name web, p = id p-7 | projects.p is p-7, vms.web is vm-7 |
    to an address whose resource is gone | lost | networks.lan = id n-9 | networks.lan is n-9 |
    done by an earlier run, of what is gone by now | lost | networks.lan = id n-1 |  |
    of two, to an address whose resource is gone | lostTwo | networks.lan = name lan |  | error import-ambiguous: The project has 2 resources that are a network named "lan"
    done by an earlier run: nothing more | applied | vms.web = id vm-p-web |  |
    done by an earlier run, before its resource was replaced | replaced | vms.web = id vm-1 |  |
    done by an earlier run, of what the service still deletes | going | vms.web = id vm-p-db |  |
    of an id that nothing manages, to an address that is managed | dbForgotten | vms.web = id vm-p-db |  | error ${another}
    of an id whose own block is gone, to an address that is managed | away | vms.web = id vm-p-db |  | error ${another}
    of a name whose own block is gone, to an address that is managed | away | vms.web = name db |  | error ${another}
    of a name that has passed to another configured resource | applied | vms.web = name db |  | warning ${another}
    that names nothing configured: nothing | unwanted | vms.web = id vm-1 |  |
    of an id that nothing has | empty | vms.web = id vm-9 |  | error import-not-found: The account has no VM with the id vm-9
    of an id of another kind | network | vms.web = id n-1 |  | error import-not-found: The account has no VM with the id n-1
    of an id in another project | elsewhere | vms.web = id vm-1 |  | error import-elsewhere: The VM with the id vm-1 is not in projects.p
    of a name that nothing has | empty | vms.web = name www |  | error import-not-found: The account has no VM named "www"
    of a name, in a project that is not there yet | noProject | vms.web = name web |  | error import-not-found: The account has no VM named "web"
    of a name that two have | two | vms.web = name web |  | error import-ambiguous: The project has 2 resources that are a VM named "web"
    of an id that another address has | webForgotten | vms.web = id vm-p-db |  | error import-taken: The VM with the id vm-p-db
    twice of one id: the first has it | one | vms.db = id vm-1, vms.web = id vm-1 | vms.web is vm-1 | error import-taken: The VM with the id vm-1
    of one of two names where the other is ours | oneLeft | vms.web = name web | vms.web is vm-p-web |
    of the address that came with a VM of ours | address | publicIps.edge = id ip-of-vm-p-a |  | error import-taken: The public IP with the id ip-of-vm-p-a
  `),
  )('%s', (_what, name, entries, bound, said) => {
    const world = importing(worlds[name]!, ...readList(entries));
    expect(adopted(world).sort()).toEqual(readList(bound).sort());
    // Beside what is said of single entries nothing is said.
    expect(findings(world).map(say).join()).toBe(said);
  });

  it('gives ids and a way out', () => {
    const [ambiguous] = planOf(importing(found(twoNamed, web), 'vms.web = name web')).findings;
    expect(ambiguous).toMatchObject({
      detail: 'Their ids: vm-1, vm-2.',
      hint: 'Give the id of one of them.',
    });
  });

  it('by a name where the id belongs gives the id of that name', () => {
    const world = found({ vms: { 'vm-1': { name: 'www' } } }, web);
    const [misnamed] = planOf(importing(world, 'vms.web = id www')).findings;
    expect(misnamed).toMatchObject({
      code: 'import-not-found',
      detail: 'There is one of this name. Its id: vm-1.',
      hint: 'Give that id.',
    });
  });

  it('is compared at once: what differs is changed', () => {
    const world = importing(
      found(twoNamed, { vms: { web: { name: 'site' } } }),
      'vms.web = id vm-1',
    );
    expect(changeLines(planOf(world))).toEqual(['update p.vms.web: name']);
    expect(planOf(world).changes.find(({ isImported }) => isImported)?.drift).toBeUndefined();
    expect(taskLines(planOf(world))).toEqual(['p.vms.web#apply: renameVm']);
  });

  it('is nothing where everything is to be destroyed', () => {
    const world = importing(found(twoNamed, web), 'vms.web = id vm-1');
    expect(adopted({ ...world, mode: 'destroy' })).toEqual([]);
  });
});

describe('--adopt', () => {
  const shop: ProjectConfig = {
    sshKeys: { alice: {} },
    networks: { lan: {} },
    publicIps: { edge: { https: { publicPort: 443, vm: 'web' } }, spare: {} },
    vms: {
      web: { networks: ['lan'], sshKeys: ['alice'], publicIp: 'edge' },
      db: { publicIp: 'new' },
    },
  };
  const applied = afterApply({ p: shop });
  const everything = forget(applied, ...applied.state.resources.keys());

  it('takes everything that is as configured, and leaves nothing to do', () => {
    const world = adopting(everything);
    expect(adopted(world)).toHaveLength(applied.state.resources.size);
    expect(findings(world)).toEqual([]);
    expect(changeLines(planOf(world))).toEqual([]);
    for (const [address, { id, allocatedPublicIpId, publicIpId }] of applied.state.resources) {
      expect(rearrangedWorld(world).state.resources.get(address)).toMatchObject({
        ...{ id, attributes: {} },
        ...(allocatedPublicIpId !== undefined && { allocatedPublicIpId }),
        ...(publicIpId !== undefined && { publicIpId }),
      });
    }
  });

  it('takes nothing unless asked to', () => expect(adopted(everything)).toEqual([]));

  const lan = { networks: { lan: {} } };
  const alike = 'publicIps: { edge, side }';
  const http = (vm: string, port = 80) => `{ publicPort: ${port}, vm: ${vm} }`;
  const toWeb = (forward: string) =>
    `publicIps: { ip-1: { forwards: { f-1: ${forward} } } }, vms: { vm-1: { name: web } }`;
  it.each(
    readRows(`
    not what goes away | networks: { n-1: { name: lan, status: deleting } } | networks: { lan } |
    two spare addresses that are alike: any of them | publicIps: { ip-1: {}, ip-2: {} } | ${alike} | publicIps.edge is ip-1, publicIps.side is ip-2
    one spare address for two: the other is made | publicIps: { ip-1: {} } | ${alike} | publicIps.edge is ip-1
    addresses by all of their ports, in any order | publicIps: { ip-1: { forwards: { f-1: ${http('vm-1', 443)} } }, ip-2: { forwards: { f-2: ${http('vm-1', 443)}, f-3: ${http('vm-1')} } } }, vms: { vm-1: { name: web } } | vms: { web }, publicIps: { edge: { a: ${http('web')}, b: ${http('web', 443)} } } | publicIps.edge is ip-2, publicIps.edge.forwards.a is f-3, publicIps.edge.forwards.b is f-2, vms.web is vm-1
    addresses by who holds them | publicIps: { ip-1: {}, ip-2: {} }, vms: { vm-1: { name: web, publicIp: ip-2 } } | publicIps: { edge, spare }, vms: { web: { publicIp: edge } } | publicIps.edge is ip-2, publicIps.spare is ip-1, vms.web is vm-1
    no address that somebody else holds | publicIps: { ip-1: {} }, vms: { vm-1: { name: other, publicIp: ip-1 } } | publicIps: { edge } |
    no address with other ports | ${toWeb(http('vm-1', 8080))} | vms: { web }, publicIps: { edge: { http: ${http('web')} } } | vms.web is vm-1
    no forward of another protocol | ${toWeb('{ publicPort: 53, vm: vm-1, protocol: udp }')} | vms: { web }, publicIps: { edge: { dns: ${http('web', 53)} } } | vms.web is vm-1
    the address that came with a VM, with it | publicIps: { ip-1: {} }, vms: { vm-1: { name: web, publicIp: ip-1 } } | vms: { web: { publicIp: new } } | vms.web is vm-1
  `),
  )('%s', (_what, account, config, bound) => {
    expectAdopted(
      found(readProject(account) as LiveProjectInput, readProject(config)),
      readList(bound),
    );
  });

  const elsewhere = { name: 'q', networks: { 'n-2': { name: 'lan' } } };
  const inAnother = makeWorld({
    config: { p: lan },
    account: { projects: { 'p-1': { name: 'p' }, 'p-2': elsewhere } },
  });
  it.each<[string, World, string[]]>([
    ['what is ours already', applied, []],
    ['what is not there', makeWorld({ config: { p: shop } }), []],
    ['what has the name of something of ours that is gone', lost(['n-9']), ['networks.lan is n-9']],
    ['nothing in place of a VM that left its address behind', lostVm, []],
    ['of one name in another project: not this one', inAnother, ['projects.p is p-1']],
  ])('%s', (_what, world, bound) => expectAdopted(world, bound));

  function expectAdopted(world: World, bound: readonly string[]) {
    expect(adopted(adopting(world)).sort()).toEqual([...bound].sort());
    expect(findings(adopting(world))).toEqual([]);
  }

  it('one of a name, where two have it: a person has to say', () => {
    const world = adopting(
      found({ networks: { 'n-1': { name: 'lan' }, 'n-2': { name: 'lan' } } }, lan),
    );
    expect(adopted(world)).toEqual([]);
    expect(findings(world)).toEqual([
      'error ambiguous-adoption at 2:1 p.networks.lan: 2 live resources could be projects.p.networks.lan',
    ]);
  });

  it('prefers what an entry says', () => {
    const world = found(
      { networks: { 'n-1': { name: 'lan' }, 'n-2': { name: 'wan' } } },
      { networks: { lan: {} } },
    );
    expect(adopted(adopting(importing(world, 'networks.lan = id n-2')))).toEqual([
      'networks.lan is n-2',
    ]);
  });
});

describe('--adopt of what reads what the service assigned', () => {
  const config = {
    networks: { lan: {}, wan: { name: 'of-n-1' } },
    vms: { web: { name: 'n-web' } },
  };
  const account = {
    networks: { 'n-1': { name: 'lan' }, 'n-2': { name: 'of-n-1' } },
    vms: { 'vm-1': { name: 'n-web' } },
  };
  const late = (text: string, references: readonly string[]) => {
    const world = found(account, config);
    return adopting(defer(world, `${p}.networks.wan`, 'name', expressionOf(text, references)));
  };

  it('takes a name that is made of what was adopted before it', () => {
    const lan = `${p}.networks.lan`;
    let world = late(`"of-" + ${lan}.id`, [`${lan}.id`]);
    const wan = `${p}.networks.wan`;
    const name = expressionOf(`${wan}.name == "of-n-1" ? "n-web" : "?"`, [`${wan}.name`]);
    world = defer(world, `${p}.vms.web`, 'name', name);
    const { changes } = planOf(world);
    expect(changeLines({ changes })).toEqual([]);
    expect(changes.filter(({ isImported }) => isImported).map(({ id }) => id)).toEqual([
      'n-1',
      'n-2',
      'vm-1',
    ]);
  });

  it('leaves alone what cannot be worked out yet', () => {
    const web = `${p}.vms.other`;
    const world = adopting(
      defer(
        found(account, { ...config, vms: { other: {} } }),
        `${p}.networks.wan`,
        'name',
        expressionOf(`"of-" + ${web}.id`, [`${web}.id`]),
      ),
    );
    expect(changeLines(planOf(world))).toEqual(['create p.networks.wan', 'create p.vms.other']);
  });
});

it.each([
  [['n-1'], `1 live network could be ${p}.networks.lan`, 'or used for. Its id: n-1.'],
  [['n-1', 'n-2'], `2 live networks could be ${p}.networks.lan`, 'Their ids: n-1, n-2.'],
])('resources whose names are untold are told together: %j', (ids, summary, detail) => {
  const networks = Object.fromEntries(ids.map((id) => [id, { name: id }]));
  const world = adopting(found({ networks }, { networks: { lan: {} } }));
  const untold = Object.fromEntries(ids.map((id) => [id, ['name']]));
  const { findings } = planOf({ ...world, live: leaveUntold(world.live, untold) });
  const ambiguous = findings.filter(({ code }) => code === 'ambiguous-adoption');
  expect(ambiguous).toMatchObject([{ summary, detail: expect.stringContaining(detail) as string }]);
});
