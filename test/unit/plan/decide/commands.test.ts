import { expect, it } from 'vitest';
import type { Config, ProjectConfig, VmConfig } from '../../../support/desired.ts';
import { planOf } from '../../../support/plan-lines.ts';
import { readRows } from '../../../support/read-rows.ts';
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

const base: ProjectConfig = {
  sshKeys: { alice: { publicKey: 'ssh-ed25519 A' }, bob: { publicKey: 'ssh-ed25519 B' } },
  networks: { lan: {}, wan: {} },
  publicIps: { edge: { https: { publicPort: 443, vm: 'web', vmPort: 8443 } } },
  vms: { web: { sshKeys: ['alice'], networks: ['lan'] }, db: {} },
};
const applied = afterApply({ p: base });
const empty = (project: ProjectConfig) => makeWorld({ config: { p: project } });
const withVm = (patch: Partial<VmConfig>): World =>
  reconfigure(applied, {
    p: { ...base, vms: { ...base.vms, web: { ...base.vms?.web, ...patch } } },
  });
const withPublicIp = (publicIp: string): Config => ({
  p: { publicIps: { edge: {} }, vms: { web: { publicIp } } },
});

/** `@p.vms.web` is what the plan makes; an id is of what stands. */
function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return 'idOf' in value
    ? `@${String(value.idOf).replace('projects.', '')}`
    : Object.values(value).join();
}
/** The commands of one task: `renameVm vm=vm-p-web name=www`. The project is left out where it is the usual one. */
function commandsOf(world: World, local: string): string {
  const task = planOf(world).tasks.find((one) => one.id === `${p}${local}`);
  expect(task, local).toBeDefined();
  const lines = (task?.commands ?? []).map(({ kind, ...fields }) =>
    [kind, ...Object.entries(fields).map(([name, value]) => `${name}=${show(value)}`)].join(' '),
  );
  return lines.join('; ').replaceAll(` project=${local.endsWith('destroy') ? 'p-p' : '@p'}`, '');
}

const createWeb =
  'createVm name=web imageId=img-ubuntu-24-04 configurationId=cfg-c1r1d20 tariffId=trf-monthly';
const everything: VmConfig = {
  ...{ sshKeys: ['bob', 'alice'], networks: ['wan', 'lan'], plugins: ['monitoring'] },
  ...{ publicIp: 'edge', power: 'stopped' },
};
const fresh: Readonly<Record<string, World>> = {
  base: empty(base),
  everything: empty({ ...base, publicIps: { edge: {} }, vms: { web: everything } }),
  new: empty(withPublicIp('new').p!),
  ids: empty({
    vms: { web: { image: 'img-debian-12', configuration: 'huge', tariff: 'trf-yearly' } },
  }),
};

it.each(
  readRows(`
  a project | base | #apply | createProject name=p
  an SSH key | base | .sshKeys.alice#apply | createSshKey name=alice publicKey=ssh-ed25519 A
  a network | base | .networks.lan#apply | createNetwork name=lan
  a public IP | base | .publicIps.edge#apply | createPublicIp
  a port forward | base | .publicIps.edge.forwards.https#apply | createPortForward protocol=tcp publicIp=@p.publicIps.edge publicPort=443 vm=@p.vms.web vmPort=8443
  a VM with all that it can have | everything | .vms.web#apply | ${createWeb} sshKeys=[@p.sshKeys.bob,@p.sshKeys.alice] publicIp=@p.publicIps.edge plugins=[monitoring]; attachVm vm=@p.vms.web network=@p.networks.wan; attachVm vm=@p.vms.web network=@p.networks.lan; stopVm vm=@p.vms.web
  a VM with a new public IP | new | .vms.web#apply | ${createWeb} sshKeys=[] publicIp=new plugins=[]
  a VM from ids, and from what the catalog does not know | ids | .vms.web#apply | createVm name=web imageId=img-debian-12 configurationId=huge tariffId=trf-yearly sshKeys=[] publicIp=none plugins=[]
`),
)('making: %s', (_what, world, task, commands) =>
  expect(commandsOf(fresh[world]!, task)).toBe(commands),
);

const rebuild = (image: string, key = 'alice', deletes = false) =>
  `rebuildVm vm=vm-p-web imageId=${image} sshKeys=[@p.sshKeys.${key}] deleteBackups=${deletes}`;
const [detachLan, attachWan] = [
  'detachVm vm=vm-p-web network=@p.networks.lan',
  'attachVm vm=vm-p-web network=@p.networks.wan',
];
const debian = { image: 'debian-13' };

it.each<[string, VmConfig, string]>([
  ['its name', { name: 'www' }, 'renameVm vm=vm-p-web name=www'],
  ['its power, off', { power: 'stopped' }, 'stopVm vm=vm-p-web'],
  ['its networks: it lets go before it takes', { networks: ['wan'] }, `${detachLan}; ${attachWan}`],
  ['its image: its power is set again', debian, `${rebuild('img-debian-13')}; startVm vm=vm-p-web`],
  [
    'its keys',
    { sshKeys: ['bob'], rebuildOn: ['image', 'sshKeys'] },
    `${rebuild('img-ubuntu-24-04', 'bob')}; startVm vm=vm-p-web`,
  ],
  [
    'its image, and its backups go',
    { ...debian, deleteBackupsOnRebuild: true },
    `${rebuild('img-debian-13', 'alice', true)}; startVm vm=vm-p-web`,
  ],
  [
    'its image, and a backup goes before that',
    { ...debian, backupBeforeRebuild: true },
    `createBackup vm=vm-p-web; ${rebuild('img-debian-13')}; startVm vm=vm-p-web`,
  ],
  [
    'everything at once, in an order that works',
    { ...debian, name: 'www', networks: ['wan'], power: 'stopped' },
    `${detachLan}; renameVm vm=vm-p-web name=www; ${rebuild('img-debian-13')}; ${attachWan}; stopVm vm=vm-p-web`,
  ],
])('changing a VM: %s', (_what, patch, commands) =>
  expect(commandsOf(withVm(patch), '.vms.web#apply')).toBe(commands),
);

const rename = (config: ProjectConfig) => reconfigure(applied, { p: { ...base, ...config } });
const failedLan = touch(applied, `${p}.networks.lan`, { status: 'failed' });
const attached = (...ids: string[]) => ({
  networks: ids.map((networkId) => ({ networkId, internalIp: null })),
});
const changed: Readonly<Record<string, World>> = {
  project: rename({ name: 'q' }),
  key: rename({ sshKeys: { ...base.sshKeys, bob: { name: 'rob', publicKey: 'ssh-ed25519 B' } } }),
  network: rename({ networks: { ...base.networks, wan: { name: 'www' } } }),
  forward: rename({ publicIps: { edge: { https: { publicPort: 8443, vm: 'db' } } } }),
  stopped: touch(applied, web, { bootStatus: 'Stopped' }),
  attached: touch(applied, web, attached('n-p-lan', 'n-p-wan')),
  swap: reconfigure(afterApply({ p: { vms: { a: { name: 'x' }, b: { name: 'y' } } } }), {
    p: { vms: { a: { name: 'y', power: 'stopped' }, b: { name: 'x' } } },
  }),
  failedLan,
  creating: touch(applied, `${p}.networks.lan`, { status: 'creating' }),
};

it.each(
  readRows(`
  the name of a project | project | #apply | renameProject project=p-p name=q
  the name of an SSH key | key | .sshKeys.bob#apply | renameSshKey sshKey=k-p-bob name=rob
  the name of a network | network | .networks.wan#apply | renameNetwork network=n-p-wan name=www
  a port forward, to all that it has | forward | .publicIps.edge.forwards.https#apply | updatePortForward portForward=f-p-edge-https publicIp=@p.publicIps.edge publicPort=8443 vm=@p.vms.db vmPort=8443
  the power of a VM, on | stopped | .vms.web#apply | startVm vm=vm-p-web
  a network that a VM was attached to by hand | attached | .vms.web#apply | detachVm vm=vm-p-web network=@p.networks.wan
  a VM that steps aside in a swap | swap | .vms.a#prepare | renameVm vm=vm-p-a name=y-aside
  a VM whose network is replaced lets go of the old one by its id | failedLan | .vms.web#prepare | detachVm vm=vm-p-web network=n-p-lan
  … and takes the new one | failedLan | .vms.web#apply | attachVm vm=vm-p-web network=@p.networks.lan
  nothing: what is not settled is waited for | creating | .networks.lan#apply |
`),
)('changing: %s', (_what, world, task, commands) =>
  expect(commandsOf(changed[world]!, task)).toBe(commands),
);

const gone: Readonly<Record<string, World>> = {
  all: destroyAll(applied),
  new: destroyAll(afterApply(withPublicIp('new'))),
  newToOurs: reconfigure(afterApply(withPublicIp('new')), withPublicIp('edge')),
  oursToNew: reconfigure(afterApply(withPublicIp('edge')), withPublicIp('new')),
  lost: lose(afterApply(withPublicIp('new')), web),
};

it.each(
  readRows(`
  a project | all | #destroy | deleteProject
  an SSH key | all | .sshKeys.bob#destroy | deleteSshKey sshKey=k-p-bob
  a network | all | .networks.wan#destroy | deleteNetwork network=n-p-wan
  a public IP | all | .publicIps.edge#destroy | deletePublicIp publicIp=ip-p-edge
  a port forward | all | .publicIps.edge.forwards.https#destroy | deletePortForward publicIp=ip-p-edge portForward=f-p-edge-https
  a VM | all | .vms.web#destroy | deleteVm vm=vm-p-web
  a VM, with the public IP that came with it | new | .vms.web#destroy | deleteVm vm=vm-p-web; deletePublicIp publicIp=ip-of-vm-p-web
  a VM that will have one of ours, with the public IP that came with it | newToOurs | .vms.web#destroy | deleteVm vm=vm-p-web; deletePublicIp publicIp=ip-of-vm-p-web
  a VM, without the public IP that is a resource of its own | oursToNew | .vms.web#destroy | deleteVm vm=vm-p-web
  the public IP that a VM left behind | lost | .vms.web#destroy | deletePublicIp publicIp=ip-of-vm-p-web
`),
)('removing, by ids alone: %s', (_what, world, task, commands) => {
  expect(commandsOf(gone[world]!, task)).toBe(commands);
});

it('replacing removes what stands by its id, and makes the new one with what was left alone', () => {
  const live = { plugins: ['monitoring'], ...attached('n-p-lan') };
  const world = touch(withVm({ configuration: 'c2-r4-d40' }), web, live);
  expect(commandsOf(world, '.vms.web#destroy')).toBe('deleteVm vm=vm-p-web');
  expect(commandsOf(world, '.vms.web#apply')).toBe(
    `${createWeb.replace('c1r1d20', 'c2r4d40')} sshKeys=[@p.sshKeys.alice] publicIp=none plugins=[monitoring]; attachVm vm=@p.vms.web network=@p.networks.lan`,
  );
});
