// What people do to a configuration between two plans, each by a name and two numbers that say to what.
import type { Config, ForwardConfig, ProjectConfig, VmConfig } from './desired.ts';
import { makeDesired } from './desired.ts';
import { NonsenseError } from './nonsense.ts';

type Edit = (project: ProjectConfig, a: number, b: number) => ProjectConfig;
type Named = Readonly<Record<string, { readonly name?: string }>>;

const at = <T>(items: readonly T[], index: number): T | undefined =>
  items.length === 0 ? undefined : items[index % items.length];
const pick = (record: object | undefined, index: number) => at(Object.keys(record ?? {}), index);

/** Gives every entry the name of the next one: a swap of two, a circle of more. */
function rotate<R extends Named>(record: R | undefined): R {
  const entries = Object.entries(record ?? {});
  return Object.fromEntries(
    entries.map(([key, one], index) => {
      const next = entries[(index + 1) % entries.length];
      return [key, { ...one, name: next?.[1].name ?? next?.[0] ?? key }];
    }),
  ) as R;
}

const without = <V>(record: Readonly<Record<string, V>> | undefined, key: string | undefined) =>
  Object.fromEntries(Object.entries(record ?? {}).filter(([one]) => one !== key));

/** Another key for the same thing; its name stays, so that the new one takes what the old one lets go of. */
const rekey = <V>(record: Readonly<Record<string, V>> | undefined, from: string, to: string) =>
  Object.fromEntries(
    Object.entries(record ?? {}).map(([key, value]) => [key === from ? to : key, value]),
  );

const mapVms = (project: ProjectConfig, change: (vm: VmConfig, key: string) => VmConfig) => ({
  ...project,
  vms: Object.fromEntries(
    Object.entries(project.vms ?? {}).map(([key, vm]) => [key, change(vm, key)]),
  ),
});

const mapForwards = (
  project: ProjectConfig,
  change: (forward: ForwardConfig) => ForwardConfig | undefined,
) => ({
  ...project,
  publicIps: Object.fromEntries(
    Object.entries(project.publicIps ?? {}).map(([key, forwards]) => [
      key,
      Object.fromEntries(
        Object.entries(forwards).flatMap(([name, forward]) => {
          const changed = change(forward);
          return changed ? [[name, changed]] : [];
        }),
      ),
    ]),
  ),
});

const setVm = (project: ProjectConfig, index: number, patch: VmConfig) => {
  const wanted = pick(project.vms, index);
  return mapVms(project, (vm, key) => (key === wanted ? { ...vm, ...patch } : vm));
};

/** Renames or drops a key in the lists of every VM. */
const relist = (field: 'sshKeys' | 'networks', from: string | undefined, to?: string) => {
  return (vm: VmConfig): VmConfig => {
    const list = vm[field];
    if (!list) return vm;
    return { ...vm, [field]: list.flatMap((key) => (key !== from ? [key] : to ? [to] : [])) };
  };
};

const toggle = (list: readonly string[] | undefined, key: string | undefined) => {
  if (key === undefined) return list ?? [];
  return list?.includes(key) === true ? list.filter((one) => one !== key) : [...(list ?? []), key];
};

const toggleIn =
  (field: 'sshKeys' | 'networks'): Edit =>
  (project, a, b) => {
    const wanted = pick(project.vms, a);
    return mapVms(project, (vm, key) =>
      key === wanted ? { ...vm, [field]: toggle(vm[field], pick(project[field], b)) } : vm,
    );
  };

const omit = (vm: VmConfig, field: keyof VmConfig): VmConfig =>
  without(vm as Readonly<Record<string, never>>, field);

/** The edits by name. */
export const edits = {
  rotateVmNames: (project) => ({ ...project, vms: rotate(project.vms ?? {}) }),
  rotateNetworkNames: (project) => ({ ...project, networks: rotate(project.networks ?? {}) }),
  rotateKeyNames: (project) => ({ ...project, sshKeys: rotate(project.sshKeys ?? {}) }),
  renameVm: (project, a) => setVm(project, a, { name: `renamed-${a}` }),
  rekeyVm: (project, a) => {
    const from = pick(project.vms, a);
    if (from === undefined) return project;
    const named = mapVms(project, (vm, key) => ({ name: key, ...vm }));
    const moved = { ...named, vms: rekey(named.vms, from, 'fresh') };
    return mapForwards(moved, (forward) =>
      forward.vm === from ? { ...forward, vm: 'fresh' } : forward,
    );
  },
  rekeyNetwork: (project, a) => {
    const from = pick(project.networks, a);
    if (from === undefined) return project;
    const networks = rekey({ ...project.networks, [from]: { name: from } }, from, 'fresh');
    return mapVms({ ...project, networks }, relist('networks', from, 'fresh'));
  },
  rekeyKey: (project, a) => {
    const from = pick(project.sshKeys, a);
    if (from === undefined) return project;
    const given = project.sshKeys?.[from] ?? {};
    const sshKeys = rekey({ ...project.sshKeys, [from]: { name: from, ...given } }, from, 'fresh');
    return mapVms({ ...project, sshKeys }, relist('sshKeys', from, 'fresh'));
  },
  rekeyPublicIp: (project, a) => {
    const from = pick(project.publicIps, a);
    if (from === undefined) return project;
    const moved = { ...project, publicIps: rekey(project.publicIps, from, 'fresh') };
    return mapVms(moved, (vm) => (vm.publicIp === from ? { ...vm, publicIp: 'fresh' } : vm));
  },
  dropVm: (project, a) => {
    const gone = pick(project.vms, a);
    const left = { ...project, vms: without(project.vms, gone) };
    return mapForwards(left, (forward) => (forward.vm === gone ? undefined : forward));
  },
  dropNetwork: (project, a) => {
    const gone = pick(project.networks, a);
    const left = { ...project, networks: without(project.networks, gone) };
    return mapVms(left, relist('networks', gone));
  },
  dropKey: (project, a) => {
    const gone = pick(project.sshKeys, a);
    const left = { ...project, sshKeys: without(project.sshKeys, gone) };
    return mapVms(left, relist('sshKeys', gone));
  },
  dropForwards: (project) => mapForwards(project, () => undefined),
  newKey: (project, a) => {
    const key = pick(project.sshKeys, a);
    if (key === undefined) return project;
    const changed = { ...project.sshKeys?.[key], publicKey: `ssh-ed25519 Rotated${a}` };
    return { ...project, sshKeys: { ...project.sshKeys, [key]: changed } };
  },
  addNetwork: (project, a) => ({
    ...project,
    networks: { ...project.networks, added: { name: `added-${a}` } },
  }),
  addVm: (project, a) => ({ ...project, vms: { ...project.vms, added: { name: `added-${a}` } } }),
  setImage: (project, a) => setVm(project, a, { image: 'debian-13' }),
  setSize: (project, a) => setVm(project, a, { configuration: 'c4-r8-d80' }),
  setPower: (project, a, b) => setVm(project, a, { power: b % 2 === 0 ? 'running' : 'stopped' }),
  setPlugins: (project, a) => setVm(project, a, { plugins: ['backup-agent'] }),
  toggleNetwork: toggleIn('networks'),
  toggleKey: toggleIn('sshKeys'),
  /** The holder lets go, another VM takes it. */
  passPublicIp: (project, a, b) => {
    const publicIp = pick(project.publicIps, a);
    const taker = pick(project.vms, b);
    if (publicIp === undefined || taker === undefined) return project;
    return mapVms(project, (vm, key) => {
      const left = vm.publicIp === publicIp ? omit(vm, 'publicIp') : vm;
      return key === taker ? { ...left, publicIp } : left;
    });
  },
  newPublicIp: (project, a) => setVm(project, a, { publicIp: 'new' }),
  dropPublicIp: (project, a) => {
    const wanted = pick(project.vms, a);
    return mapVms(project, (vm, key) => (key === wanted ? omit(vm, 'publicIp') : vm));
  },
  unsetNetworks: (project) => mapVms(project, (vm) => omit(vm, 'networks')),
  unsetKeys: (project) => mapVms(project, (vm) => omit(vm, 'sshKeys')),
  rotatePorts: (project) => ({
    ...project,
    publicIps: Object.fromEntries(
      Object.entries(project.publicIps ?? {}).map(([key, forwards]) => {
        const entries = Object.entries(forwards);
        const rotated = entries.map(([name, forward], index) => [
          name,
          { ...forward, publicPort: entries[(index + 1) % entries.length]?.[1].publicPort ?? 1 },
        ]);
        return [key, Object.fromEntries(rotated) as typeof forwards];
      }),
    ),
  }),
  retarget: (project, a) => {
    const vm = pick(project.vms, a);
    return vm === undefined ? project : mapForwards(project, (forward) => ({ ...forward, vm }));
  },
} as const satisfies Record<string, Edit>;

export type EditName = keyof typeof edits;
export const editNames = Object.keys(edits) as readonly EditName[];

/** One edit: its name, the project, and what in it. */
export type DrawnEdit = readonly [name: EditName, project: number, a: number, b: number];

/** The configuration after these edits; an edit that its reader would refuse is taken back. */
export function editConfig(config: Config, drawn: readonly DrawnEdit[]): Config {
  let now = config;
  for (const [name, project, a, b] of drawn) {
    const key = pick(now, project);
    const body = key === undefined ? undefined : now[key];
    if (key === undefined || !body) continue;
    const next = { ...now, [key]: edits[name](body, a, b) };
    try {
      makeDesired(next);
      now = next;
    } catch (error) {
      if (!(error instanceof NonsenseError)) throw error;
    }
  }
  return now;
}

/** Every project takes the name of the next. */
export const rotateProjects = (config: Config): Config => rotate(config);
