import { describe, expect, it } from 'vitest';
import type { ResourceAddress } from '../../../../src/model/address.ts';
import { InternalError } from '../../../../src/model/errors.ts';
import { indexAccount } from '../../../../src/plan/account-index.ts';
import { decideAddressChange } from '../../../../src/plan/decide/decide.ts';
import type { ChangeDecision, DecisionContext } from '../../../../src/plan/decide/decision.ts';
import { makeUnrearrangedState } from '../../../../src/plan/reconcile/rearrange-state.ts';
import { readKnownExpressionValues } from '../../../../src/plan/values/read-order.ts';
import { orderTasks } from '../../../../src/plan/order/order.ts';
import { defer, expressionOf } from '../../../support/defer.ts';
import { expectTasks } from '../../../support/expect-tasks.ts';
import { planOf } from '../../../support/plan-lines.ts';
import { readRows } from '../../../support/read-rows.ts';
import { readStories, readWorld } from '../../../support/read-stories.ts';
import {
  afterApply,
  destroyAll,
  editProject,
  makeWorld,
  type World,
} from '../../../support/world.ts';

const p = 'projects.p';
const lanId = expressionOf(`${p}.networks.lan.id`, [`${p}.networks.lan.id`]);

/** The configurations that several stories are about. */
const full = `sshKeys: {alice}, networks: {lan}, publicIps: {edge: {https: {publicPort: 443, vm: web}}}, vms: {web: {sshKeys: [alice], networks: [lan], publicIp: edge}}`;
const inLan = 'networks: {lan}, vms: {web: {networks: [lan]}}';
const forwardTo = (vm: string) => `publicIps: {edge: {https: {publicPort: 443, vm: ${vm}}}}`;
const keyed = (key: string, vm = '') =>
  `sshKeys: {alice: {publicKey: ssh-ed25519 ${key}}}, vms: {web: {sshKeys: [alice]${vm}}}`;
const by = (...names: string[]) =>
  `{replaceTriggeredBy: [${names.map((one) => `"${p}.${one}"`).join(', ')}]}`;
const byFirst = by('networks.lan').replace('{', '{createBeforeDestroy: true, ');

describe.each([
  [
    'the tasks of a plan, each with what it waits for',
    `
    none where nothing changes
      ${full}
    creates stand behind what they need
      empty => ${full}
      p#apply: createProject
      p.networks.lan#apply: createNetwork after p#apply
      p.publicIps.edge#apply: createPublicIp after p#apply
      p.sshKeys.alice#apply: createSshKey after p#apply
      p.vms.web#apply: createVm, attachVm after p#apply, p.networks.lan#apply, p.publicIps.edge#apply, p.sshKeys.alice#apply
      p.publicIps.edge.forwards.https#apply: createPortForward after p#apply, p.publicIps.edge#apply, p.vms.web#apply
    deletes go the other way round
      ${full} & destroy
      p.publicIps.edge.forwards.https#destroy: deletePortForward
      p.vms.web#destroy: deleteVm after p.publicIps.edge.forwards.https#destroy
      p.networks.lan#destroy: deleteNetwork after p.vms.web#destroy
      p.publicIps.edge#destroy: deletePublicIp after p.publicIps.edge.forwards.https#destroy, p.vms.web#destroy
      p.sshKeys.alice#destroy: deleteSshKey after p.vms.web#destroy
      p#destroy: deleteProject after p.networks.lan#destroy, p.publicIps.edge#destroy, p.publicIps.edge.forwards.https#destroy, p.sshKeys.alice#destroy, p.vms.web#destroy
    what stands in a project waits for its rename
      vms: {web} => name: q, vms: {web: {power: stopped}}
      p#apply: renameProject
      p.vms.web#apply: stopVm after p#apply
    what the service is not finished with is waited for
      networks: {lan}, vms: {web} => ${inLan} & networks.lan is {status: creating}
      p.networks.lan#apply: wait
      p.vms.web#apply: attachVm after p.networks.lan#apply
    `,
  ],
  [
    'a network that goes',
    `
    waits for the VM to be detached
      ${inLan} => vms: {web: {networks: []}}
      p.vms.web#apply: detachVm
      p.networks.lan#destroy: deleteNetwork after p.vms.web#apply
    goes last, when the VM moves to another: so long the VM is never without
      ${inLan} => networks: {wan}, vms: {web: {networks: [wan]}}
      p.networks.wan#apply: createNetwork
      p.vms.web#apply: detachVm, attachVm after p.networks.wan#apply
      p.networks.lan#destroy: deleteNetwork after p.vms.web#apply
    goes first, when the other one takes its name: the VM lets go before
      ${inLan} => networks: {wan: {name: lan}}, vms: {web: {networks: [wan]}}
      p.vms.web#prepare: detachVm
      p.networks.lan#destroy: deleteNetwork after p.vms.web#prepare
      p.networks.wan#apply: createNetwork after p.networks.lan#destroy
      p.vms.web#apply: attachVm after p.networks.wan#apply, p.vms.web#prepare
    goes first, when it is replaced
      ${inLan} & networks.lan is {status: failed}
      p.vms.web#prepare: detachVm
      p.networks.lan#destroy: deleteNetwork after p.vms.web#prepare
      p.networks.lan#apply: createNetwork after p.networks.lan#destroy
      p.vms.web#apply: attachVm after p.networks.lan#apply, p.vms.web#prepare
    waits for all of a VM that steps aside, not only for its first step
      networks: {lan}, vms: {a: {name: x, networks: [lan]}, b: {name: y, networks: [lan]}} => vms: {a: {name: y, networks: []}, b: {name: x, networks: []}}
      p.vms.a#prepare: renameVm
      p.vms.b#apply: detachVm, renameVm after p.vms.a#prepare
      p.vms.a#apply: detachVm, renameVm after p.vms.a#prepare, p.vms.b#apply
      p.networks.lan#destroy: deleteNetwork after p.vms.a#apply, p.vms.b#apply
    `,
  ],
  [
    'an SSH key',
    `
    goes when the VM does not have it any more
      ${keyed('A')} => vms: {web: {sshKeys: [], rebuildOn: [sshKeys]}}
      p.vms.web#apply: rebuildVm, startVm
      p.sshKeys.alice#destroy: deleteSshKey after p.vms.web#apply
    goes first when it is another: both have one name
      ${keyed('A')} => ${keyed('B', ', rebuildOn: [sshKeys]')}
      p.sshKeys.alice#destroy: deleteSshKey
      p.sshKeys.alice#apply: createSshKey after p.sshKeys.alice#destroy
      p.vms.web#apply: rebuildVm, startVm after p.sshKeys.alice#apply
    goes first when another one takes its name
      ${keyed('A')} => sshKeys: {bob: {name: alice, publicKey: ssh-ed25519 A}}, vms: {web: {sshKeys: [bob], rebuildOn: [sshKeys]}}
      p.sshKeys.alice#destroy: deleteSshKey
      p.sshKeys.bob#apply: createSshKey after p.sshKeys.alice#destroy
      p.vms.web#apply: rebuildVm, startVm after p.sshKeys.bob#apply
    `,
  ],
  [
    'a VM that goes',
    `
    waits for the forward that points at it to point at another
      vms: {a, b}, ${forwardTo('a')} => vms: {b}, ${forwardTo('b')}
      p.publicIps.edge.forwards.https#apply: updatePortForward
      p.vms.a#destroy: deleteVm after p.publicIps.edge.forwards.https#apply
    goes first when the other one takes its name: its forward outlives it
      vms: {a: {name: web}}, ${forwardTo('a')} => vms: {b: {name: web}}, ${forwardTo('b')}
      p.vms.a#destroy: deleteVm
      p.vms.b#apply: createVm after p.vms.a#destroy
      p.publicIps.edge.forwards.https#apply: updatePortForward after p.vms.b#apply
    is let go of where waiting for its forward would close a circle
      sshKeys: {k: {name: key}}, vms: {a: {sshKeys: [k]}}, ${forwardTo('a')} => sshKeys: {l: {name: key}}, vms: {b: {sshKeys: [l]}}, ${forwardTo('b')}
      p.vms.a#destroy: deleteVm
      p.sshKeys.k#destroy: deleteSshKey after p.vms.a#destroy
      p.sshKeys.l#apply: createSshKey after p.sshKeys.k#destroy
      p.vms.b#apply: createVm after p.sshKeys.l#apply
      p.publicIps.edge.forwards.https#apply: updatePortForward after p.vms.b#apply
    takes the address along that came with it
      vms: {web: {publicIp: new}} =>
      p.vms.web#destroy: deleteVm, deletePublicIp
    and went outside left the address behind that came with it
      vms: {web: {publicIp: new}} & vms.web lost
      p.vms.web#destroy: deletePublicIp
      p.vms.web#apply: createVm after p.vms.web#destroy
    and left it in a project that goes, too
      vms: {web: {publicIp: new}} & vms.web lost & destroy
      p.vms.web#destroy: deletePublicIp
      p#destroy: deleteProject after p.vms.web#destroy
    `,
  ],
  [
    'what `replaceTriggeredBy` names',
    `
    changes before what it replaces is destroyed
      networks: {lan}, vms: {web: ${by('networks.lan')}} => networks: {lan: {name: inner}}, vms: {web: ${by('networks.lan')}}
      p.networks.lan#apply: renameNetwork
      p.vms.web#destroy: deleteVm after p.networks.lan#apply
      p.vms.web#apply: createVm after p.networks.lan#apply, p.vms.web#destroy
    is made before what it would replace
      empty => networks: {lan}, vms: {web: ${by('networks.lan')}}
      p#apply: createProject
      p.networks.lan#apply: createNetwork after p#apply
      p.vms.web#apply: createVm after p#apply, p.networks.lan#apply
    is each instance, where it is all of them
      vms: {'z[0]', 'z[1]', web: ${by('vms.z')}} => vms: {'z[0]': {name: a}, 'z[1]': {name: b}, web: ${by('vms.z')}}
      p.vms.z[0]#apply: renameVm
      p.vms.z[1]#apply: renameVm
      p.vms.web#destroy: deleteVm after p.vms.z[0]#apply, p.vms.z[1]#apply
      p.vms.web#apply: createVm after p.vms.web#destroy, p.vms.z[0]#apply, p.vms.z[1]#apply
    is waited for by what steps aside for its replacement
      networks: {lan}, vms: {web: ${byFirst}} => networks: {lan: {name: inner}}, vms: {web: ${byFirst}}
      p.networks.lan#apply: renameNetwork
      p.vms.web#prepare: renameVm after p.networks.lan#apply
      p.vms.web#apply: createVm after p.networks.lan#apply, p.vms.web#prepare
      p.vms.web#destroy: deleteVm after p.networks.lan#apply, p.vms.web#apply
    is not waited for where it cannot be replaced before: the VM stands in it
      networks: {lan}, vms: {web: ${by('networks.lan').replace('{', '{networks: [lan], ')}} & networks.lan is {status: failed}
      p.vms.web#destroy: deleteVm
      p.networks.lan#destroy: deleteNetwork after p.vms.web#destroy
      p.networks.lan#apply: createNetwork after p.networks.lan#destroy
      p.vms.web#apply: createVm, attachVm after p.networks.lan#apply, p.vms.web#destroy
    `,
  ],
])('%s', (_what, stories) => {
  it.each(readStories(stories))('%s', (_title, world, lines) => {
    expectTasks(readWorld(world), lines);
  });
});

describe('a dependency of later commands alone', () => {
  const laterOf = (world: World) =>
    planOf(world).tasks.flatMap(({ id, dependsOn }) =>
      dependsOn.flatMap(({ on, fromCommand }) =>
        fromCommand === undefined ? [] : [`${id} ${fromCommand} after ${on}`],
      ),
    );
  it('is that of a VM on networks that are made with it', () => {
    const two = 'empty => networks: {lan, wan}, vms: {web: {networks: [lan, wan]}}';
    expect(laterOf(readWorld(two))).toEqual([
      `${p}.vms.web#apply 1 after ${p}.networks.lan#apply`,
      `${p}.vms.web#apply 2 after ${p}.networks.wan#apply`,
    ]);
  });

  it.each([
    ['a network that stands', `networks: {lan} => ${inLan}`],
    ['a VM that stands', `${inLan.replace('[lan]', '[]')} => ${inLan}`],
    ['a network that is replaced', `${inLan} & networks.lan is {status: failed}`],
    ['a key, which the create itself takes', 'empty => sshKeys: {k}, vms: {web: {sshKeys: [k]}}'],
  ])('is there for no other: %s', (_what, world) => expect(laterOf(readWorld(world))).toEqual([]));

  it('is there for no VM with values that are not known yet', () =>
    expect(laterOf(defer(readWorld(`empty => ${inLan}`), `${p}.vms.web`, 'name', lanId))).toEqual(
      [],
    ));
});

describe('a dependency', () => {
  const reasonsOf = (world: World) =>
    planOf(world).tasks.flatMap(({ id, dependsOn }) =>
      dependsOn.map(({ on, reason }) => `${id} after ${on}: ${reason}`.replaceAll('projects.', '')),
    );

  it.each(
    readRows(`
    on what it lives in | empty => networks: {lan} | p.networks.lan#apply after p#apply: container
    on what it refers to | empty => ${inLan} | p.vms.web#apply after p.networks.lan#apply: reference
    on what refers to it | ${inLan} & destroy | p.networks.lan#destroy after p.vms.web#destroy: dependent
    on whoever has its name | networks: {lan} => networks: {wan: {name: lan}} | p.networks.wan#apply after p.networks.lan#destroy: claim
    on what it replaces | ${inLan} & networks.lan is {status: failed} | p.networks.lan#apply after p.networks.lan#destroy: replacement
    on its own first step | ${inLan} & networks.lan is {status: failed} | p.vms.web#apply after p.vms.web#prepare: step-aside
  `),
  )('%s says so', (_what, world, expected) =>
    expect(reasonsOf(readWorld(world))).toContain(expected),
  );

  it('on what its expressions read says so', () => {
    const world = defer(
      readWorld('empty => networks: {lan, wan}'),
      `${p}.networks.wan`,
      'name',
      lanId,
    );
    expect(reasonsOf(world)).toContain('p.networks.wan#apply after p.networks.lan#apply: value');
  });

  it('on what makes room for it says so', () => {
    const world = readWorld('networks: {lan} => networks: {wan}', { quotas: { networks: 1 } });
    expect(reasonsOf(world)).toContain('p.networks.wan#apply after p.networks.lan#destroy: quota');
  });

  it('that closes a circle is broken, with its circle, and no other is', () => {
    const forwards = (first: string, second: string) =>
      `publicIps: {edge: {https: {publicPort: 443, vm: ${first}}}, side: {http: {publicPort: 80, vm: ${second}}}}`;
    const world = readWorld(
      `sshKeys: {k: {name: key}}, vms: {a: {sshKeys: [k]}, c}, ${forwards('a', 'c')} => sshKeys: {l: {name: key}}, vms: {b: {sshKeys: [l]}, d}, ${forwards('b', 'd')}`,
    );
    expectTasks(world, [
      'p.vms.a#destroy: deleteVm',
      'p.vms.d#apply: createVm',
      'p.sshKeys.k#destroy: deleteSshKey after p.vms.a#destroy',
      'p.publicIps.side.forwards.http#apply: updatePortForward after p.vms.d#apply',
      'p.sshKeys.l#apply: createSshKey after p.sshKeys.k#destroy',
      'p.vms.c#destroy: deleteVm after p.publicIps.side.forwards.http#apply',
      'p.vms.b#apply: createVm after p.sshKeys.l#apply',
      'p.publicIps.edge.forwards.https#apply: updatePortForward after p.vms.b#apply',
    ]);
    expect(
      planOf(world).tasks.flatMap(({ id, broken = [] }) => broken.map((one) => [id, one])),
    ).toEqual([
      [
        `${p}.vms.a#destroy`,
        {
          on: `${p}.publicIps.edge.forwards.https#apply`,
          reason: 'dependent',
          circle: expect.arrayContaining([
            `${p}.vms.a#destroy`,
            `${p}.publicIps.edge.forwards.https#apply`,
            `${p}.vms.b#apply`,
            `${p}.sshKeys.l#apply`,
            `${p}.sshKeys.k#destroy`,
          ]) as string[],
        },
      ],
    ]);
  });
});

describe('a task', () => {
  it('has the timeouts of the configuration', () => {
    const world = makeWorld({ config: { p: {} } });
    const [project] = world.desired.resources;
    const timeouts = { createMs: 1, updateMs: 2, deleteMs: 3 };
    const resources = [{ ...project!, timeouts }];
    expect(planOf({ ...world, desired: { resources } }).tasks).toMatchObject([{ timeouts }]);
  });

  it('has the usual ones when nobody configures it any more', () => {
    const minute = 60_000;
    expect(planOf(destroyAll(afterApply({ p: {} }))).tasks).toMatchObject([
      { timeouts: { createMs: 20 * minute, updateMs: 20 * minute, deleteMs: 10 * minute } },
    ]);
  });

  it('that waits for itself by way of others is a bug, and is told as one', () => {
    const swap = (a: string, b: string) => ({ networks: { a: { name: a }, b: { name: b } } });
    const world = editProject(swap('x', 'y'), swap('y', 'x'));
    const around: DecisionContext = {
      index: indexAccount(world.live, world.state),
      catalog: world.live.catalog,
      decided: new Map<ResourceAddress, ChangeDecision>(),
      changing: new Set<ResourceAddress>(),
      configured: new Map(),
      replaced: new Set<ResourceAddress>(),
      released: new Set<ResourceAddress>(),
      retiring: { isDestroy: false, blocks: new Map(), dropped: [] },
      underway: new Map(),
      removed: new Set(),
      rearranged: makeUnrearrangedState(world.state),
      ...readKnownExpressionValues(new Map(), () => undefined),
    };
    const decisions = world.desired.resources.flatMap(
      (one) => decideAddressChange(one.address, one, around) ?? [],
    );
    // Without the step aside.
    const { live, state } = world;
    expect(() => orderTasks(decisions, { catalog: live.catalog, state })).toThrow(InternalError);
  });
});
