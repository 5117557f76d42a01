import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/model/account/command.ts';
import type { Config, ProjectConfig, VmConfig } from '../../../support/desired.ts';
import { planOf } from '../../../support/plan-lines.ts';
import {
  afterApply,
  destroyAll,
  lose,
  makeWorld,
  reconfigure,
  touch,
  type World,
} from '../../../support/world.ts';

const p = 'projects.p';
const web = `${p}.vms.web`;
const edge = `${p}.publicIps.edge`;
/** References to what the plan makes, and to what stands. */
const to = (idOf: string) => ({ idOf });
const id = (text: string) => ({ id: text });

const base: ProjectConfig = {
  sshKeys: { alice: { publicKey: 'ssh-ed25519 A' }, bob: { publicKey: 'ssh-ed25519 B' } },
  networks: { lan: {}, wan: {} },
  publicIps: { edge: { https: { publicPort: 443, vm: 'web', vmPort: 8443 } } },
  vms: { web: { sshKeys: ['alice'], networks: ['lan'] }, db: {} },
};
const applied = afterApply({ p: base });
const empty = (config: Config = { p: base }) => makeWorld({ config });
const withVm = (patch: Partial<VmConfig>): World =>
  reconfigure(applied, {
    p: { ...base, vms: { ...base.vms, web: { ...base.vms?.web, ...patch } } },
  });
const withPublicIp = (publicIp: string): Config => ({
  p: { publicIps: { edge: {} }, vms: { web: { publicIp } } },
});

/** The commands of one task. */
function commandsOf(world: World, taskId: string): readonly Command[] {
  const task = planOf(world).tasks.find((one) => one.id === taskId);
  expect(task, taskId).toBeDefined();
  return task?.commands ?? [];
}

/** What every VM of these tests is made with unless it says otherwise. */
const createWeb = {
  kind: 'createVm',
  project: to(p),
  name: 'web',
  imageId: 'img-ubuntu-24-04',
  configurationId: 'cfg-c1r1d20',
  tariffId: 'trf-monthly',
  sshKeys: [],
  publicIp: 'none',
  plugins: [],
} as const;
const self = { project: to(p), vm: id('vm-p-web') };
const rebuild = {
  kind: 'rebuildVm',
  ...self,
  imageId: 'img-ubuntu-24-04',
  sshKeys: [to(`${p}.sshKeys.alice`)],
  deleteBackups: false,
} as const;
const startWeb = { kind: 'startVm', ...self } as const;

it.each<[string, World, string, Command[]]>([
  ['a project', empty(), `${p}#apply`, [{ kind: 'createProject', name: 'p' }]],
  [
    'an SSH key',
    empty(),
    `${p}.sshKeys.alice#apply`,
    [{ kind: 'createSshKey', project: to(p), name: 'alice', publicKey: 'ssh-ed25519 A' }],
  ],
  [
    'a network',
    empty(),
    `${p}.networks.lan#apply`,
    [{ kind: 'createNetwork', project: to(p), name: 'lan' }],
  ],
  ['a public IP', empty(), `${edge}#apply`, [{ kind: 'createPublicIp', project: to(p) }]],
  [
    'a port forward',
    empty(),
    `${edge}.forwards.https#apply`,
    [
      {
        kind: 'createPortForward',
        project: to(p),
        publicIp: to(edge),
        protocol: 'tcp',
        publicPort: 443,
        vm: to(web),
        vmPort: 8443,
      },
    ],
  ],
  [
    'a VM with all that it can have: attached, and stopped at the end',
    empty({
      p: {
        ...base,
        publicIps: { edge: {} },
        vms: {
          web: {
            sshKeys: ['bob', 'alice'],
            networks: ['wan', 'lan'],
            publicIp: 'edge',
            plugins: ['monitoring'],
            power: 'stopped',
          },
        },
      },
    }),
    `${web}#apply`,
    [
      {
        ...createWeb,
        sshKeys: [to(`${p}.sshKeys.bob`), to(`${p}.sshKeys.alice`)],
        publicIp: to(edge),
        plugins: ['monitoring'],
      },
      { kind: 'attachVm', project: to(p), vm: to(web), network: to(`${p}.networks.wan`) },
      { kind: 'attachVm', project: to(p), vm: to(web), network: to(`${p}.networks.lan`) },
      { kind: 'stopVm', project: to(p), vm: to(web) },
    ],
  ],
  [
    'a VM with a new public IP',
    empty(withPublicIp('new')),
    `${web}#apply`,
    [{ ...createWeb, publicIp: 'new' }],
  ],
  [
    'a VM from ids, and from what the catalog does not know',
    empty({
      p: {
        vms: { web: { image: 'img-debian-12', configuration: 'huge', tariff: 'trf-yearly' } },
      },
    }),
    `${web}#apply`,
    [{ ...createWeb, imageId: 'img-debian-12', configurationId: 'huge', tariffId: 'trf-yearly' }],
  ],
])('making: %s', (_what, world, task, commands) =>
  expect(commandsOf(world, task)).toEqual(commands),
);

describe('changing', () => {
  const rename = (config: ProjectConfig) => reconfigure(applied, { p: { ...base, ...config } });
  it.each<[string, World, string, Command[]]>([
    [
      'the name of a project',
      rename({ name: 'q' }),
      `${p}#apply`,
      [{ kind: 'renameProject', project: id('p-p'), name: 'q' }],
    ],
    [
      'the name of an SSH key',
      rename({ sshKeys: { ...base.sshKeys, bob: { name: 'rob', publicKey: 'ssh-ed25519 B' } } }),
      `${p}.sshKeys.bob#apply`,
      [{ kind: 'renameSshKey', project: to(p), sshKey: id('k-p-bob'), name: 'rob' }],
    ],
    [
      'the name of a network',
      rename({ networks: { ...base.networks, wan: { name: 'www' } } }),
      `${p}.networks.wan#apply`,
      [{ kind: 'renameNetwork', project: to(p), network: id('n-p-wan'), name: 'www' }],
    ],
    [
      'a port forward, to all that it has',
      rename({ publicIps: { edge: { https: { publicPort: 8443, vm: 'db' } } } }),
      `${edge}.forwards.https#apply`,
      [
        {
          kind: 'updatePortForward',
          project: to(p),
          publicIp: to(edge),
          portForward: id('f-p-edge-https'),
          publicPort: 8443,
          vm: to(`${p}.vms.db`),
          vmPort: 8443,
        },
      ],
    ],
    [
      'the name of a VM',
      withVm({ name: 'www' }),
      `${web}#apply`,
      [{ kind: 'renameVm', ...self, name: 'www' }],
    ],
    ['its power, off', withVm({ power: 'stopped' }), `${web}#apply`, [{ kind: 'stopVm', ...self }]],
    ['its power, on', touch(applied, web, { bootStatus: 'Stopped' }), `${web}#apply`, [startWeb]],
    [
      'its networks: it lets go before it takes',
      withVm({ networks: ['wan'] }),
      `${web}#apply`,
      [
        { kind: 'detachVm', ...self, network: to(`${p}.networks.lan`) },
        { kind: 'attachVm', ...self, network: to(`${p}.networks.wan`) },
      ],
    ],
    [
      'a network that it was attached to by hand',
      touch(applied, web, {
        networks: [
          { networkId: 'n-p-lan', internalIp: null },
          { networkId: 'n-p-wan', internalIp: null },
        ],
      }),
      `${web}#apply`,
      [{ kind: 'detachVm', ...self, network: to(`${p}.networks.wan`) }],
    ],
    [
      'its image: its power is set again',
      withVm({ image: 'debian-13' }),
      `${web}#apply`,
      [{ ...rebuild, imageId: 'img-debian-13' }, startWeb],
    ],
    [
      'its keys',
      withVm({ sshKeys: ['bob'], rebuildOn: ['image', 'sshKeys'] }),
      `${web}#apply`,
      [{ ...rebuild, sshKeys: [to(`${p}.sshKeys.bob`)] }, startWeb],
    ],
    [
      'its image, and its backups go',
      withVm({ image: 'debian-13', deleteBackupsOnRebuild: true }),
      `${web}#apply`,
      [{ ...rebuild, imageId: 'img-debian-13', deleteBackups: true }, startWeb],
    ],
    [
      'its image, and a backup goes before that',
      withVm({ image: 'debian-13', backupBeforeRebuild: true }),
      `${web}#apply`,
      [{ kind: 'createBackup', ...self }, { ...rebuild, imageId: 'img-debian-13' }, startWeb],
    ],
    [
      'everything at once, in an order that works',
      withVm({ name: 'www', image: 'debian-13', networks: ['wan'], power: 'stopped' }),
      `${web}#apply`,
      [
        { kind: 'detachVm', ...self, network: to(`${p}.networks.lan`) },
        { kind: 'renameVm', ...self, name: 'www' },
        { ...rebuild, imageId: 'img-debian-13' },
        { kind: 'attachVm', ...self, network: to(`${p}.networks.wan`) },
        { kind: 'stopVm', ...self },
      ],
    ],
    [
      'a VM that steps aside in a swap',
      reconfigure(afterApply({ p: { vms: { a: { name: 'x' }, b: { name: 'y' } } } }), {
        p: { vms: { a: { name: 'y', power: 'stopped' }, b: { name: 'x' } } },
      }),
      `${p}.vms.a#prepare`,
      [{ kind: 'renameVm', project: to(p), vm: id('vm-p-a'), name: 'y-aside' }],
    ],
    [
      'a VM whose network is replaced lets go of the old one by its id',
      touch(applied, `${p}.networks.lan`, { status: 'failed' }),
      `${web}#prepare`,
      [{ kind: 'detachVm', ...self, network: id('n-p-lan') }],
    ],
    [
      '… and takes the new one',
      touch(applied, `${p}.networks.lan`, { status: 'failed' }),
      `${web}#apply`,
      [{ kind: 'attachVm', ...self, network: to(`${p}.networks.lan`) }],
    ],
    [
      'nothing: what is not settled is waited for',
      touch(applied, `${p}.networks.lan`, { status: 'creating' }),
      `${p}.networks.lan#apply`,
      [],
    ],
  ])('%s', (_what, world, task, commands) => expect(commandsOf(world, task)).toEqual(commands));
});

it.each<[string, World, string, Command[]]>([
  [
    'a project',
    destroyAll(applied),
    `${p}#destroy`,
    [{ kind: 'deleteProject', project: id('p-p') }],
  ],
  [
    'an SSH key',
    destroyAll(applied),
    `${p}.sshKeys.bob#destroy`,
    [{ kind: 'deleteSshKey', project: id('p-p'), sshKey: id('k-p-bob') }],
  ],
  [
    'a network',
    destroyAll(applied),
    `${p}.networks.wan#destroy`,
    [{ kind: 'deleteNetwork', project: id('p-p'), network: id('n-p-wan') }],
  ],
  [
    'a public IP',
    destroyAll(applied),
    `${edge}#destroy`,
    [{ kind: 'deletePublicIp', project: id('p-p'), publicIp: id('ip-p-edge') }],
  ],
  [
    'a port forward',
    destroyAll(applied),
    `${edge}.forwards.https#destroy`,
    [
      {
        kind: 'deletePortForward',
        project: id('p-p'),
        publicIp: id('ip-p-edge'),
        portForward: id('f-p-edge-https'),
      },
    ],
  ],
  [
    'a VM',
    destroyAll(applied),
    `${web}#destroy`,
    [{ kind: 'deleteVm', project: id('p-p'), vm: id('vm-p-web') }],
  ],
  [
    'a VM, with the public IP that came with it',
    destroyAll(afterApply(withPublicIp('new'))),
    `${web}#destroy`,
    [
      { kind: 'deleteVm', project: id('p-p'), vm: id('vm-p-web') },
      { kind: 'deletePublicIp', project: id('p-p'), publicIp: id('ip-of-vm-p-web') },
    ],
  ],
  [
    'a VM that will have one of ours, with the public IP that came with it',
    reconfigure(afterApply(withPublicIp('new')), withPublicIp('edge')),
    `${web}#destroy`,
    [
      { kind: 'deleteVm', project: id('p-p'), vm: id('vm-p-web') },
      { kind: 'deletePublicIp', project: id('p-p'), publicIp: id('ip-of-vm-p-web') },
    ],
  ],
  [
    'a VM, without the public IP that is a resource of its own',
    reconfigure(afterApply(withPublicIp('edge')), withPublicIp('new')),
    `${web}#destroy`,
    [{ kind: 'deleteVm', project: id('p-p'), vm: id('vm-p-web') }],
  ],
  [
    'the public IP that a VM left behind',
    lose(afterApply(withPublicIp('new')), web),
    `${web}#destroy`,
    [{ kind: 'deletePublicIp', project: id('p-p'), publicIp: id('ip-of-vm-p-web') }],
  ],
])('removing, by ids alone: %s', (_what, world, task, commands) => {
  expect(commandsOf(world, task)).toEqual(commands);
});

describe('replacing', () => {
  it('removes what stands by its id, and makes the new one with what was left alone', () => {
    const world = touch(withVm({ configuration: 'c2-r4-d40' }), web, {
      plugins: ['monitoring'],
      networks: [{ networkId: 'n-p-lan', internalIp: null }],
    });
    expect(commandsOf(world, `${web}#destroy`)).toEqual([
      { kind: 'deleteVm', project: id('p-p'), vm: id('vm-p-web') },
    ]);
    expect(commandsOf(world, `${web}#apply`)).toEqual([
      {
        ...createWeb,
        configurationId: 'cfg-c2r4d40',
        sshKeys: [to(`${p}.sshKeys.alice`)],
        plugins: ['monitoring'],
      },
      { kind: 'attachVm', project: to(p), vm: to(web), network: to(`${p}.networks.lan`) },
    ]);
  });
});
