import { describe, expect, it } from 'vitest';
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
  planOptions: {
    adoptsAll: true,
    isForced: false,
    replace: [],
    selection: { targets: [], excludes: [] },
  },
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
  const at = (text: string) => `error ${text}`;
  const another = (key: string, id: string) =>
    `already-managed at 1:5 p.${key}: ${p}.${key} is in the state already, as ${id}, and its imports entry names another VM`;

  it.each<[string, World, string[], string[]]>([
    ['none', found(twoNamed, web), [], []],
    ['by id', importing(found(twoNamed, web), 'vms.web = id vm-2'), ['vms.web is vm-2'], []],
    [
      'by name',
      importing(found({ vms: { 'vm-1': { name: 'old' } } }, web), 'vms.web = name old'),
      ['vms.web is vm-1'],
      [],
    ],
    [
      'a project by its name',
      importing(
        makeWorld({ config: { p: {} }, account: { projects: { 'p-7': { name: 'old' } } } }),
        'p = name old',
      ),
      ['projects.p is p-7'],
      [],
    ],
    [
      'a project, and what stands in it',
      importing(
        makeWorld({
          config: { p: web },
          account: { projects: { 'p-7': { name: 'p', vms: { 'vm-7': { name: 'web' } } } } },
        }),
        'vms.web = name web',
        'p = id p-7',
      ),
      ['projects.p is p-7', 'vms.web is vm-7'],
      [],
    ],
    [
      'to an address whose resource is gone',
      importing(lost(['n-9']), 'networks.lan = id n-9'),
      ['networks.lan is n-9'],
      [],
    ],
    [
      'done by an earlier run, of what is gone by now',
      importing(lost(['n-9']), 'networks.lan = id n-1'),
      [],
      [],
    ],
    [
      'of two, to an address whose resource is gone',
      importing(lost(['n-8', 'n-9']), 'networks.lan = name lan'),
      [],
      [
        at(
          'import-ambiguous at 1:5 p.networks.lan: The project has 2 resources that are a network named "lan"',
        ),
      ],
    ],
    ['done by an earlier run: nothing more', importing(applied, 'vms.web = id vm-p-web'), [], []],
    [
      'done by an earlier run, before its resource was replaced',
      importing(
        makeWorld({
          config: { p: web },
          account: {
            projects: {
              'p-1': { name: 'p', vms: { 'vm-1': { name: 'web-aside' }, 'vm-2': { name: 'web' } } },
            },
          },
          memory: {
            resources: { [p]: 'p-1', [`${p}.vms.web`]: { id: 'vm-2', deposed: ['vm-1'] } },
          },
        }),
        'vms.web = id vm-1',
      ),
      [],
      [],
    ],
    [
      'done by an earlier run, of what the service still deletes',
      importing(
        reconfigure(touch(applied, `${p}.vms.db`, { status: 'deleting' }), { p: web }),
        'vms.web = id vm-p-db',
      ),
      [],
      [],
    ],
    [
      'of an id that nothing manages, to an address that is managed',
      importing(forget(applied, `${p}.vms.db`), 'vms.web = id vm-p-db'),
      [],
      [at(another('vms.web', 'vm-p-web'))],
    ],
    [
      'of an id whose own block is gone, to an address that is managed',
      importing(reconfigure(applied, { p: web }), 'vms.web = id vm-p-db'),
      [],
      [at(another('vms.web', 'vm-p-web'))],
    ],
    [
      'of a name whose own block is gone, to an address that is managed',
      importing(reconfigure(applied, { p: web }), 'vms.web = name db'),
      [],
      [at(another('vms.web', 'vm-p-web'))],
    ],
    [
      'of a name that has passed to another configured resource: nothing is lost',
      importing(applied, 'vms.web = name db'),
      [],
      [`warning ${another('vms.web', 'vm-p-web')}`],
    ],
    [
      'that names nothing configured: nothing',
      importing(found(twoNamed, {}), 'vms.web = id vm-1'),
      [],
      [],
    ],
    [
      'of an id that nothing has',
      importing(found({}, web), 'vms.web = id vm-9'),
      [],
      [
        at(
          'import-not-found at 1:5 p.vms.web: The account has no VM with the id vm-9 that projects.p.vms.web could be',
        ),
      ],
    ],
    [
      'of an id of another kind',
      importing(found({ networks: { 'n-1': { name: 'n' } } }, web), 'vms.web = id n-1'),
      [],
      [
        at(
          'import-not-found at 1:5 p.vms.web: The account has no VM with the id n-1 that projects.p.vms.web could be',
        ),
      ],
    ],
    [
      'of an id in another project',
      importing(
        makeWorld({
          config: { p: web },
          account: {
            projects: {
              'p-1': { name: 'p' },
              'p-2': { name: 'q', vms: { 'vm-1': { name: 'web' } } },
            },
          },
          memory: { resources: { [p]: 'p-1' } },
        }),
        'vms.web = id vm-1',
      ),
      [],
      [at('import-elsewhere at 1:5 p.vms.web: The VM with the id vm-1 is not in projects.p')],
    ],
    [
      'of a name that nothing has',
      importing(found({}, web), 'vms.web = name www'),
      [],
      [
        at(
          'import-not-found at 1:5 p.vms.web: The account has no VM named "www" that projects.p.vms.web could be',
        ),
      ],
    ],
    [
      'of a name, in a project that is not there yet',
      importing(makeWorld({ config: { p: web } }), 'vms.web = name web'),
      [],
      [
        at(
          'import-not-found at 1:5 p.vms.web: The account has no VM named "web" that projects.p.vms.web could be',
        ),
      ],
    ],
    [
      'of a name that two have',
      importing(found(twoNamed, web), 'vms.web = name web'),
      [],
      [
        at(
          'import-ambiguous at 1:5 p.vms.web: The project has 2 resources that are a VM named "web"',
        ),
      ],
    ],
    [
      'of an id that another address has',
      importing(forget(applied, `${p}.vms.web`), 'vms.web = id vm-p-db'),
      [],
      [
        at(
          'import-taken at 1:5 p.vms.web: The VM with the id vm-p-db is managed under another address already',
        ),
      ],
    ],
    [
      'twice of one id: the first has it',
      importing(
        found({ vms: { 'vm-1': { name: 'web' } } }, { vms: { web: {}, db: {} } }),
        'vms.db = id vm-1',
        'vms.web = id vm-1',
      ),
      ['vms.web is vm-1'],
      [
        at(
          'import-taken at 1:5 p.vms.db: The VM with the id vm-1 is managed under another address already',
        ),
      ],
    ],
    [
      'of one of two names where the other is ours: the one that is left',
      importing(
        reconfigure(forget(touch(applied, `${p}.vms.db`, { name: 'web' }), `${p}.vms.web`), {
          p: { vms: { web: {}, db: { name: 'web-of-db' } } },
        }),
        'vms.web = name web',
      ),
      ['vms.web is vm-p-web'],
      [],
    ],
    [
      'of the address that came with a VM of ours',
      importing(
        reconfigure(afterApply({ p: { vms: { a: { publicIp: 'new' } } } }), {
          p: { vms: { a: { publicIp: 'new' } }, publicIps: { edge: {} } },
        }),
        'publicIps.edge = id ip-of-vm-p-a',
      ),
      [],
      [
        at(
          'import-taken at 1:5 p.publicIps.edge: The public IP with the id ip-of-vm-p-a is managed under another address already',
        ),
      ],
    ],
  ])('%s', (_what, world, bound, said) => {
    expect(adopted(world).sort()).toEqual([...bound].sort());
    // Beside what is said of single entries nothing is said.
    expect(findings(world).sort()).toEqual([...said].sort());
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

  const ip = (forwards: Record<string, object>) => ({ forwards: forwards as never });
  const http = (vm: string, publicPort = 80) => ({ publicPort, vm });

  it.each<[string, World, string[], string[]]>([
    ['what is ours already', applied, [], []],
    ['what is not there', makeWorld({ config: { p: shop } }), [], []],
    [
      'what has the name of something of ours that is gone',
      lost(['n-9']),
      ['networks.lan is n-9'],
      [],
    ],
    ['nothing in place of a VM that left its address behind', lostVm, [], []],
    [
      'not what goes away',
      found(
        { networks: { 'n-1': { name: 'lan', status: 'deleting' } } },
        { networks: { lan: {} } },
      ),
      [],
      [],
    ],
    [
      'one of a name, where two have it: a person has to say',
      found(
        { networks: { 'n-1': { name: 'lan' }, 'n-2': { name: 'lan' } } },
        { networks: { lan: {} } },
      ),
      [],
      [
        'error ambiguous-adoption at 2:1 p.networks.lan: 2 live resources could be projects.p.networks.lan',
      ],
    ],
    [
      'two spare addresses that are alike: any of them',
      found({ publicIps: { 'ip-1': {}, 'ip-2': {} } }, { publicIps: { edge: {}, side: {} } }),
      ['publicIps.edge is ip-1', 'publicIps.side is ip-2'],
      [],
    ],
    [
      'one spare address for two: the other is made',
      found({ publicIps: { 'ip-1': {} } }, { publicIps: { edge: {}, side: {} } }),
      ['publicIps.edge is ip-1'],
      [],
    ],
    [
      'addresses by their ports',
      found(
        {
          publicIps: {
            'ip-1': ip({ 'f-1': http('vm-1', 80) }),
            'ip-2': ip({ 'f-2': http('vm-1', 443) }),
          },
          vms: { 'vm-1': { name: 'web' } },
        },
        {
          vms: { web: {} },
          publicIps: {
            edge: { https: { publicPort: 443, vm: 'web' } },
            side: { http: { publicPort: 80, vm: 'web' } },
          },
        },
      ),
      [
        'publicIps.edge is ip-2',
        'publicIps.edge.forwards.https is f-2',
        'publicIps.side is ip-1',
        'publicIps.side.forwards.http is f-1',
        'vms.web is vm-1',
      ],
      [],
    ],
    [
      'addresses by all of their ports, in any order',
      found(
        {
          publicIps: {
            'ip-1': ip({ 'f-1': http('vm-1', 443) }),
            'ip-2': ip({ 'f-2': http('vm-1', 443), 'f-3': http('vm-1', 80) }),
          },
          vms: { 'vm-1': { name: 'web' } },
        },
        {
          vms: { web: {} },
          publicIps: {
            edge: { a: { publicPort: 80, vm: 'web' }, b: { publicPort: 443, vm: 'web' } },
          },
        },
      ),
      [
        'publicIps.edge is ip-2',
        'publicIps.edge.forwards.a is f-3',
        'publicIps.edge.forwards.b is f-2',
        'vms.web is vm-1',
      ],
      [],
    ],
    [
      'addresses by who holds them',
      found(
        {
          publicIps: { 'ip-1': {}, 'ip-2': {} },
          vms: { 'vm-1': { name: 'web', publicIp: 'ip-2' } },
        },
        { publicIps: { edge: {}, spare: {} }, vms: { web: { publicIp: 'edge' } } },
      ),
      ['publicIps.edge is ip-2', 'publicIps.spare is ip-1', 'vms.web is vm-1'],
      [],
    ],
    [
      'no address that somebody else holds',
      found(
        { publicIps: { 'ip-1': {} }, vms: { 'vm-1': { name: 'other', publicIp: 'ip-1' } } },
        { publicIps: { edge: {} } },
      ),
      [],
      [],
    ],
    [
      'no address with other ports',
      found(
        {
          publicIps: { 'ip-1': ip({ 'f-1': http('vm-1', 8080) }) },
          vms: { 'vm-1': { name: 'web' } },
        },
        { vms: { web: {} }, publicIps: { edge: { http: { publicPort: 80, vm: 'web' } } } },
      ),
      ['vms.web is vm-1'],
      [],
    ],
    [
      'no forward of another protocol',
      found(
        {
          publicIps: { 'ip-1': ip({ 'f-1': { ...http('vm-1', 53), protocol: 'udp' } }) },
          vms: { 'vm-1': { name: 'web' } },
        },
        { vms: { web: {} }, publicIps: { edge: { dns: { publicPort: 53, vm: 'web' } } } },
      ),
      ['vms.web is vm-1'],
      [],
    ],
    [
      'the address that came with a VM, with it',
      found(
        { publicIps: { 'ip-1': {} }, vms: { 'vm-1': { name: 'web', publicIp: 'ip-1' } } },
        { vms: { web: { publicIp: 'new' } } },
      ),
      ['vms.web is vm-1'],
      [],
    ],
    [
      'of one name in another project: not this one',
      makeWorld({
        config: { p: { networks: { lan: {} } } },
        account: {
          projects: {
            'p-1': { name: 'p' },
            'p-2': { name: 'q', networks: { 'n-2': { name: 'lan' } } },
          },
        },
      }),
      ['projects.p is p-1'],
      [],
    ],
  ])('%s', (_what, world, bound, said) => {
    expect(adopted(adopting(world)).sort()).toEqual([...bound].sort());
    expect(findings(adopting(world))).toEqual(said);
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
  const adopting = (world: World): World => ({
    ...world,
    planOptions: {
      ...{ adoptsAll: true, isForced: false, replace: [] },
      selection: { targets: [], excludes: [] },
    },
  });
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

it.each<[string, readonly string[], object[]]>([
  [
    'are nothing that is created beside',
    ['n-1'],
    [
      {
        summary: `1 live network could be ${p}.networks.lan`,
        detail: 'The service does not tell what it is called or used for. Its id: n-1.',
      },
    ],
  ],
  [
    'are told together',
    ['n-1', 'n-2'],
    [
      {
        summary: `2 live networks could be ${p}.networks.lan`,
        detail: expect.stringContaining('Their ids: n-1, n-2.') as string,
      },
    ],
  ],
])('resources whose names are untold: %s', (_what, ids, expected) => {
  const networks = Object.fromEntries(ids.map((id) => [id, { name: id }]));
  const world = adopting(found({ networks }, { networks: { lan: {} } }));
  const untold = Object.fromEntries(ids.map((id) => [id, ['name']]));
  const { findings } = planOf({ ...world, live: leaveUntold(world.live, untold) });
  expect(findings.filter(({ code }) => code === 'ambiguous-adoption')).toMatchObject(expected);
});
