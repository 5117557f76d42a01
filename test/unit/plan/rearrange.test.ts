import { describe, expect, it } from 'vitest';
import type { LivePortForward } from '../../../src/kinds/port-forward/model.ts';
import type { DesiredGraph } from '../../../src/model/resource.ts';
import type { ManagedResource } from '../../../src/model/state/state.ts';
import type { LiveProjectInput } from '../../support/account.ts';
import type { ProjectConfig } from '../../support/desired.ts';
import { findingsOf } from '../../support/findings.ts';
import { changeLines, planOf, rearrangedWorld, taskLines } from '../../support/plan-lines.ts';
import { applyPlan } from '../../support/simulate.ts';
import {
  afterApply,
  destroyAll,
  makeWorld,
  reconfigure,
  touch,
  type World,
} from '../../support/world.ts';

const p = 'projects.p';
const source = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };

const saying = (world: World, graph: Partial<DesiredGraph>): World => ({
  ...world,
  desired: { ...world.desired, ...graph },
});
/** `vms.web` is forgotten, `!vms.web` destroyed. */
const removing = (world: World, ...names: string[]): World =>
  saying(world, {
    removed: names.map((name) => {
      const below = name.replace('!', '');
      return { from: below === 'p' ? p : `${p}.${below}`, destroy: name.startsWith('!'), source };
    }),
  });

describe('removed', () => {
  const shop: ProjectConfig = {
    networks: { lan: {} },
    publicIps: { edge: { https: { publicPort: 443, vm: 'web' } } },
    vms: { web: {}, 'web-2': {}, 'app[0]': {}, 'app[1]': {} },
  };
  const left = (config: ProjectConfig) => reconfigure(afterApply({ p: shop }), { p: config });
  const none = left({});
  const rest = (...names: string[]) => names.map((name) => `delete p.${name} (not-configured)`);
  const noApp = { ...shop, vms: { web: {}, 'web-2': {} } };
  const apps = { 'app[0]': {}, 'app[1]': {} };

  it.each<[string, ProjectConfig, string, string[]]>([
    [
      'one, and not what is called alike',
      { ...shop, publicIps: { edge: {} }, vms: apps },
      'vms.web',
      ['forget p.vms.web', ...rest('publicIps.edge.forwards.https', 'vms.web-2')],
    ],
    ['every instance', noApp, 'vms.app', ['forget p.vms.app[0]', 'forget p.vms.app[1]']],
    ['one instance', noApp, 'vms.app[1]', ['forget p.vms.app[1]', ...rest('vms.app[0]')]],
    [
      'with what stands below it',
      { ...shop, publicIps: {} },
      'publicIps.edge',
      ['forget p.publicIps.edge', 'forget p.publicIps.edge.forwards.https'],
    ],
    ['to be destroyed', { ...shop, networks: {} }, '!networks.lan', rest('networks.lan')],
    ['what is not in the state', shop, 'vms.nobody', []],
  ])('%s', (_what, config, removed, lines) => {
    expect(changeLines(planOf(removing(left(config), removed))).sort()).toEqual([...lines].sort());
  });

  it('leaves the state, and stays in the account', () => {
    const world = removing(reconfigure(none, {}), 'p');
    const plan = planOf(world);
    expect(new Set(plan.changes.map(({ action }) => action))).toEqual(new Set(['forget']));
    expect(plan.tasks).toEqual([]);
    expect(rearrangedWorld(world).state.resources.size).toBe(0);
    const change = plan.changes.find(({ address }) => address === `${p}.vms.web`);
    expect(change).toMatchObject({ id: 'vm-p-web', project: p, after: null, losses: [] });
    expect(change?.before).toMatchObject({ name: 'web' });
  });

  it('holds as well where everything is to be destroyed', () => {
    const world = destroyAll(removing(none, 'vms.web', '!vms.web-2', 'vms.app[1]'));
    const lines = changeLines(planOf(world)).filter((line) => line.includes('.vms.'));
    expect(lines).toEqual([
      'delete p.vms.app[0] (not-configured)',
      'forget p.vms.app[1]',
      'forget p.vms.web',
      'delete p.vms.web-2 (not-configured)',
    ]);
    expect(findingsOf(world, 'project-not-empty')).toMatchObject([
      {
        hint: "Remove or adopt them, and plan again; or keep this one with --exclude 'projects.p'.",
      },
    ]);
  });

  it('comes after moves: it is the new address that is meant', () => {
    const moved = [{ from: `${p}.vms.web`, to: `${p}.vms.old`, source }];
    const world = removing(
      saying(left({ ...shop, publicIps: {}, vms: {} }), { moved }),
      'vms.old',
      'vms.app',
      'vms.web-2',
    );
    expect(changeLines(planOf(world))).toContain('forget p.vms.old');
  });
});

describe('what is attached to something that is given up', () => {
  const project: ProjectConfig = {
    networks: { lan: {}, wan: {} },
    publicIps: { edge: {} },
    vms: { web: { networks: ['lan', 'wan'], publicIp: 'edge' } },
  };
  const applied = afterApply({ p: project });
  const without = (world: World) =>
    removing(
      reconfigure(world, { p: { networks: { wan: {} }, vms: { web: {} } } }),
      'networks.lan',
      'publicIps.edge',
    );
  const lines = [
    'forget p.networks.lan',
    'forget p.publicIps.edge',
    'replace p.vms.web: networks, publicIp!',
  ];

  it('was not changed outside', () => {
    const plan = planOf(without(applied));
    expect(changeLines(plan)).toEqual(lines);
    expect(plan.changes.filter(({ drift }) => drift)).toEqual([]);
    expect(plan).not.toHaveProperty('drift');
  });

  it('was, where somebody took it off', () => {
    const world = without(touch(applied, `${p}.vms.web`, { networks: [] }));
    const { drift } = planOf(world);
    expect(drift).toMatchObject([{ address: `${p}.vms.web`, names: ['internalIp', 'networks'] }]);
  });
});

describe('moved to where it cannot go', () => {
  const q = 'projects.q';
  const edge = { https: { publicPort: 443, vm: 'web' } };
  const moving = (from: string, to: string): Partial<DesiredGraph> => ({
    moved: [{ from, to, source }],
  });
  const vms = reconfigure(afterApply({ p: { vms: { web: {} } }, q: {} }), {
    p: {},
    q: { vms: { web: {} } },
  });
  const moved = saying(vms, moving(`${p}.vms.web`, `${q}.vms.web`));
  const forwards = { vms: { web: {} }, publicIps: { edge, other: {} } };
  const forward = saying(
    reconfigure(afterApply({ p: forwards }), {
      p: { ...forwards, publicIps: { edge: {}, other: edge } },
    }),
    moving(`${p}.publicIps.edge.forwards.https`, `${p}.publicIps.other.forwards.https`),
  );

  /** As these, and the same plan makes the place. */
  const made = saying(
    reconfigure(afterApply({ p: { vms: { web: {} } } }), { p: {}, q: { vms: { web: {} } } }),
    moving(`${p}.vms.web`, `${q}.vms.web`),
  );
  const forwardMade = {
    ...afterApply({ p: { vms: { web: {} }, publicIps: { edge } } }),
    desired: forward.desired,
  };

  const another = 'replace q.vms.web (parent-changed)';
  const otherAddress = 'replace p.publicIps.other.forwards.https (parent-changed)';
  it.each<[string, World, string]>([
    ['another project', moved, another],
    ['a project that is made', made, another],
    [
      'a project that is made, and an earlier run had noted it',
      { ...made, state: rearrangedWorld(made).state },
      another,
    ],
    ['a public IP that is made', forwardMade, otherAddress],
    [
      'another project, and an earlier run had noted it',
      { ...vms, state: rearrangedWorld(moved).state },
      another,
    ],
    ['another public IP', forward, otherAddress],
  ])('%s', (_what, world, line) => {
    const lines = changeLines(planOf(world));
    expect(lines.filter((one) => !one.startsWith('create '))).toEqual([line]);
  });

  it('loses what it holds, which a guard refuses', () => {
    const guards = { dataLoss: 'deny' as const, source };
    const [finding] = findingsOf(saying(made, { guards }), 'data-loss');
    expect(finding).toMatchObject({ severity: 'error', source });
  });
});

describe('an exclusive project', () => {
  const ours: ProjectConfig = {
    publicIps: { edge: { https: { publicPort: 443, vm: 'web' } } },
    vms: { web: {} },
  };
  const memory = {
    resources: {
      [p]: 'p-1',
      [`${p}.publicIps.edge`]: 'ip-1',
      [`${p}.publicIps.edge.forwards.https`]: 'f-1',
      [`${p}.vms.web`]: 'vm-1',
    },
  };
  const ourForwards = { 'f-1': { publicPort: 443, vm: 'vm-1' } };
  const holding = (
    more: Omit<LiveProjectInput, 'name'>,
    forwards: Record<string, { publicPort: number; vm: string }> = {},
  ): World => {
    const { vms, publicIps, ...others } = more;
    return makeWorld({
      config: { p: ours },
      account: {
        projects: {
          'p-1': {
            name: 'p',
            ...others,
            publicIps: { 'ip-1': { forwards: { ...ourForwards, ...forwards } }, ...publicIps },
            vms: { 'vm-1': { name: 'web' }, ...vms },
          },
          'p-2': { name: 'q', networks: { 'n-q': { name: 'theirs' } } },
        },
      },
      memory,
    });
  };
  const exclusive = (world: World) => saying(world, { exclusive: [p] });
  const gone = (...names: string[]) => names.map((name) => `delete p.${name} (not-exclusive)`);

  it.each<[string, World, string[]]>([
    ['holds only what is configured', exclusive(holding({})), []],
    ['is none unless it says so', holding({ networks: { 'n-9': { name: 'x' } } }), []],
    [
      'loses what nobody configured',
      exclusive(
        holding({
          networks: { 'n-9': { name: 'x' } },
          sshKeys: { 'k-9': { name: 'x' } },
          vms: { 'vm-9': { name: 'x', networks: ['n-9'] } },
        }),
      ),
      gone('networks.(outside)["n-9"]', 'sshKeys.(outside)["k-9"]', 'vms.(outside)["vm-9"]'),
    ],
    [
      'loses a forward on an address of ours',
      exclusive(holding({}, { 'f-9': { publicPort: 22, vm: 'vm-1' } })),
      gone('publicIps.edge.forwards.(outside)["f-9"]'),
    ],
    [
      'loses an address with its forwards',
      exclusive(
        holding({ publicIps: { 'ip-9': { forwards: { 'f-9': { publicPort: 22, vm: 'vm-1' } } } } }),
      ),
      gone('publicIps.(outside)["ip-9"]', 'publicIps.(outside)["ip-9"].forwards.(outside)["f-9"]'),
    ],
    [
      'that is not there yet loses nothing',
      exclusive(makeWorld({ config: { p: ours } })),
      changeLines(planOf(makeWorld({ config: { p: ours } }))),
    ],
  ])('%s', (_what, world, lines) => {
    expect(changeLines(planOf(world)).sort()).toEqual([...lines].sort());
    const after = applyPlan(rearrangedWorld(world), planOf(world), (count) => count - 1);
    expect(changeLines(planOf(after))).toEqual([]);
  });

  it('leaves alone the address that came with a VM of ours', () => {
    const applied = afterApply({ p: { vms: { web: { publicIp: 'new' } } } });
    expect(changeLines(planOf(exclusive(applied)))).toEqual([]);
  });

  it('loses a forward on the address that came with a VM of ours, and keeps the address', () => {
    const applied = afterApply({ p: { vms: { web: { publicIp: 'new' } } } });
    const publicIpId = 'ip-of-vm-p-web';
    const intruder: LivePortForward = {
      kind: 'portForward',
      id: 'f-9',
      projectId: 'p-p',
      publicIpId,
      status: 'active',
      protocol: 'tcp',
      publicPort: 22,
      vmId: 'vm-p-web',
      vmPort: 22,
    };
    const live = { ...applied.live, resources: [...applied.live.resources, intruder] };
    const world = exclusive({ ...applied, live });
    const above = `publicIps.(outside)["${publicIpId}"]`;
    expect(changeLines(planOf(world))).toEqual(gone(`${above}.forwards.(outside)["f-9"]`));
    const after = applyPlan(rearrangedWorld(world), planOf(world));
    expect(after.live.resources.map(({ id }) => id)).not.toContain('f-9');
    expect(after.live.resources.map(({ id }) => id)).toContain(publicIpId);
  });

  it('leaves alone what is configured under a key that reads like its mark', () => {
    const config = { p: { vms: { '_outside["a"]': {}, '_outside["b"]': {} } } };
    const world = exclusive(afterApply(config));
    expect(changeLines(planOf(world))).toEqual([]);
    expect([...rearrangedWorld(world).state.resources.keys()]).toContain(`${p}.vms._outside["a"]`);
  });

  it('gives up what an earlier plan has made an address for', () => {
    const world = holding({ networks: { 'n-9': { name: 'x' } } });
    const address = `${p}.networks.(outside)["n-9"]`;
    const stray: ManagedResource = {
      ...{ address, kind: 'network' as const, id: 'n-9', projectId: 'p' },
      ...{ attributes: {}, configured: [] },
    };
    const resources = new Map([...world.state.resources, [address, stray]]);
    const known = { ...world, state: { ...world.state, resources } };
    expect(changeLines(planOf(known))).toEqual([]);
    expect(changeLines(planOf(exclusive(known)))).toEqual(gone('networks.(outside)["n-9"]'));
  });

  describe('and an entry of removed with destroy: false', () => {
    const wanted = { networks: { lan: {} }, vms: { web: { publicIp: 'new' as const } } };
    const given = reconfigure(afterApply({ p: wanted }), { p: {} });
    const said = (world: World) =>
      findingsOf(world, 'forgotten-in-exclusive').map(({ address, detail }) => ({
        address,
        detail,
      }));
    const detail = 'What is not configured in an exclusive project is destroyed by the next plan.';

    it.each([
      { from: ['vms.web', 'networks.lan'], addresses: [`${p}.vms.web`, `${p}.networks.lan`] },
      { from: ['vms'], addresses: [`${p}.vms.web`] },
      { from: ['!vms.web', '!networks.lan'], addresses: [] },
      { from: ['vms.other'], addresses: [] },
      { from: ['p'], addresses: [] },
    ])('contradict each other, and nothing is destroyed: $from', ({ from, addresses }) => {
      const world = exclusive(removing(given, ...from));
      expect(said(world)).toEqual(addresses.map((address) => ({ address, detail })));
      for (const address of addresses) {
        expect(changeLines(planOf(world))).toContain(`forget ${address.slice('projects.'.length)}`);
      }
      const others = changeLines(planOf(world)).filter((line) => line.includes('(outside)'));
      expect(others).toEqual([]);
    });

    it('agree on what is ignored', () => {
      const left = removing(given, 'vms.web', 'networks.lan');
      const ignored = [{ project: p, patterns: ['web', 'lan', 'ip-*'] }];
      const world = saying(exclusive(left), { ignored });
      expect(said(world)).toEqual([]);
      expect(changeLines(planOf(world))).toEqual(['forget p.networks.lan', 'forget p.vms.web']);
    });
  });

  it('orders the deletes of what it did not make', () => {
    const world = exclusive(
      holding({
        networks: { 'n-9': { name: 'x' } },
        vms: { 'vm-9': { name: 'x', networks: ['n-9'] } },
      }),
    );
    expect(taskLines(planOf(world))).toEqual([
      'p.vms.(outside)["vm-9"]#destroy: deleteVm',
      'p.networks.(outside)["n-9"]#destroy: deleteNetwork after p.vms.(outside)["vm-9"]#destroy',
    ]);
  });

  it('adopts before it destroys', () => {
    const world = exclusive(holding({ networks: { 'n-9': { name: 'x' } } }));
    const wanted = reconfigure(world, { p: { ...ours, networks: { lan: { name: 'x' } } } });
    const imports = [{ to: `${p}.networks.lan`, id: 'n-9', source }];
    expect(changeLines(planOf(exclusive(saying(wanted, { imports }))))).toEqual([]);
  });

  it('does not say that it leaves alone what it destroys', () => {
    const world = holding({ networks: { 'n-9': { name: 'x' } } });
    expect(findingsOf(world, 'unmanaged-resources')).toHaveLength(1);
    expect(findingsOf(exclusive(world), 'unmanaged-resources')).toEqual([]);
  });
});
