import { whole } from './whole.ts';
import {
  accountPlaceholderId,
  quotaNames,
  type Catalog,
  type LiveRecordOfKind,
  type LiveResource,
  type LiveSnapshot,
  type MaximumNameLengths,
  type Quota,
  type QuotaName,
} from '../../src/model/account/live.ts';
import type { LiveAccessToken } from '../../src/kinds/access-token/model.ts';
import { isKindOutsideProjects, type KindName } from '../../src/model/kind-places.ts';
import type { Backup } from '../../src/model/account/vm-work.ts';
import {
  sandboxVmConfigurations,
  sandboxImages,
  sandboxTariffs,
} from '../../src/sandbox/store/catalog.ts';
import { defaultNameLengths, defaultQuotas } from '../../src/sandbox/store/world.ts';
import { publicKeyOf } from './desired.ts';
import { claim, expectSense, refuseUnknownKeys } from './nonsense.ts';

export interface LiveVmInput {
  readonly name: string;
  readonly image?: string;
  readonly configuration?: string;
  readonly tariff?: string;
  /** Ids, like every mention of another resource here. */
  readonly sshKeys?: readonly string[];
  readonly networks?: readonly string[];
  readonly publicIp?: string;
  readonly plugins?: readonly string[];
  readonly power?: 'running' | 'stopped';
  readonly status?: string;
  readonly bootStatus?: string;
  readonly operation?: string;
  readonly operationStatus?: string;
  /** How many backups it has, a day apart from 2026 on, or until then where it is negative; they are read for nobody unless given. */
  readonly backups?: number;
  /** What its sale says; not read unless given. */
  readonly renewal?: string;
}

export interface LiveForwardInput {
  readonly protocol?: string;
  readonly publicPort: number;
  readonly vm: string;
  readonly vmPort?: number;
  readonly status?: string;
}

export interface LiveIpInput {
  readonly address?: string;
  readonly status?: string;
  readonly forwards?: Readonly<Record<string, LiveForwardInput>>;
}

export interface LiveProjectInput {
  readonly name: string;
  /** False for a project whose contents nobody asked for. */
  readonly isRead?: boolean;
  readonly sshKeys?: Readonly<Record<string, { name: string; publicKey?: string }>>;
  readonly networks?: Readonly<Record<string, { name: string; status?: string; cidr?: string }>>;
  readonly publicIps?: Readonly<Record<string, LiveIpInput>>;
  /** What each of its VMs has unless it says otherwise. */
  readonly everyVm?: Omit<LiveVmInput, 'name'>;
  readonly vms?: Readonly<Record<string, LiveVmInput>>;
}

/** An account as a person writes it down: everything by its id. What is not said is as on a fresh sandbox. */
export interface AccountInput {
  /** Its access tokens by id; not read unless given. */
  readonly tokens?: Readonly<Record<string, Partial<Omit<LiveAccessToken, 'kind' | 'id'>>>>;
  /** Its settings; not read unless given. */
  readonly account?: {
    readonly locale?: string;
    readonly notifications?: Readonly<Record<string, boolean>>;
  };
  readonly projects?: Readonly<Record<string, LiveProjectInput>>;
  /** Ids that may be mentioned although nothing has them any more. */
  readonly gone?: readonly string[];
  /** Quotas: a limit, or limit and use. Use that is not given is what the account holds. */
  readonly quotas?: Readonly<Partial<Record<QuotaName, number | Partial<Quota> | null>>>;
  readonly maxSshKeysPerProject?: number | null;
  readonly nameLengths?: Readonly<Partial<MaximumNameLengths>>;
  readonly catalog?: Partial<Catalog>;
}

/** What the sandbox offers. */
export const defaultCatalog: Catalog = {
  configurations: sandboxVmConfigurations.map(({ id, name, cpu, ram, disk }) => ({
    ...{ id, name, cpu, ram, disk },
    availability: 'available',
    maxCount: null,
  })),
  images: sandboxImages.map(({ id, name }) => ({ id, name })),
  tariffs: sandboxTariffs.map(({ id, name }) => ({ id, name })),
};

const defaultLimits: Readonly<Record<QuotaName, number>> = {
  projects: defaultQuotas.projects,
  accessTokens: defaultQuotas.accessTokens,
  networks: defaultQuotas.networks,
  publicIps: defaultQuotas.publicIps,
  vmCpu: defaultQuotas.cpu,
  vmRam: defaultQuotas.ram,
  vmDisk: defaultQuotas.disk,
};

const projectKeys = ['name', 'isRead', 'sshKeys', 'networks', 'publicIps', 'everyVm', 'vms'];
const vmKeys = [
  ...['name', 'image', 'configuration', 'tariff', 'sshKeys', 'networks', 'publicIp', 'plugins'],
  ...['power', 'status', 'bootStatus', 'operation', 'operationStatus', 'backups', 'renewal'],
];

/** The snapshot of such an account. @throws NonsenseError when it cannot exist */
export function makeLive(input: AccountInput = {}): LiveSnapshot {
  refuseUnknownKeys(
    input,
    [
      'account',
      'tokens',
      'projects',
      'gone',
      'quotas',
      'maxSshKeysPerProject',
      'nameLengths',
      'catalog',
    ],
    'the account',
  );
  const catalog = { ...defaultCatalog, ...input.catalog };
  const projects: LiveRecordOfKind<'project'>[] = [];
  const resources: LiveResource[] = [];
  const readProjectIds: string[] = [];
  for (const [id, project] of Object.entries(input.projects ?? {})) {
    refuseUnknownKeys(project, projectKeys, id);
    projects.push({ kind: 'project', id, projectId: id, name: project.name });
    const contents = contentsOf(id, project, catalog);
    expectSense(project.isRead !== false || contents.length === 0, `${id} is not read but known`);
    if (project.isRead !== false) readProjectIds.push(id);
    resources.push(...contents);
  }
  if (input.account) {
    resources.push({
      ...{ kind: 'account', id: accountPlaceholderId, projectId: accountPlaceholderId },
      locale: input.account.locale ?? 'en-GB',
      notifications: { operationFailed: true, quotaLow: true, ...input.account.notifications },
    });
  }
  for (const [id, token] of Object.entries(input.tokens ?? {})) {
    resources.push({
      ...{ kind: 'accessToken', id, projectId: accountPlaceholderId, name: id, scopes: ['full'] },
      ...{ expiresAt: null, createdAt: Date.UTC(2026, 0, 1), lastUsedAt: null, ...token },
    });
  }
  const held = countHeld(projects.length, resources);
  const quotas: Partial<Record<QuotaName, Quota>> = {};
  for (const name of quotaNames) {
    const given = input.quotas?.[name];
    if (given === null) continue;
    const { limit = defaultLimits[name], used = held[name] } =
      typeof given === 'number' ? { limit: given } : (given ?? {});
    quotas[name] = { limit, used, remaining: used === null ? null : Math.max(0, limit - used) };
  }
  const live: LiveSnapshot = {
    projects,
    resources,
    readProjectIds,
    catalog,
    limits: {
      quotas,
      maxSshKeysPerProject:
        input.maxSshKeysPerProject === undefined
          ? defaultQuotas.maxSshKeysPerProject
          : input.maxSshKeysPerProject,
    },
    nameLengths: { ...defaultNameLengths, ...input.nameLengths },
    backups: backupsOf(input),
  };
  refuseNonsense(live, new Set(input.gone));
  return live;
}

/** The account of a service that leaves fields of its records untold: those under their ids. */
export function leaveUntold(
  live: LiveSnapshot,
  untold: Readonly<Record<string, readonly string[]>>,
): LiveSnapshot {
  const thin = <L extends LiveResource>(one: L): L => {
    const names = untold[one.id] ?? [];
    for (const name of names) expectSense(name in one, `a ${one.kind} has no ${name}`);
    return { ...one, ...Object.fromEntries(names.map((name) => [name, undefined])) };
  };
  return { ...live, projects: live.projects.map(thin), resources: live.resources.map(thin) };
}

const listVms = ({ everyVm, vms = {} }: LiveProjectInput): readonly [string, LiveVmInput][] =>
  Object.entries(vms).map(([id, vm]) => [id, { ...everyVm, ...vm }]);

function contentsOf(projectId: string, input: LiveProjectInput, catalog: Catalog): LiveResource[] {
  const contents: LiveResource[] = [];
  const networkIds = Object.keys(input.networks ?? {});
  for (const [id, { name, publicKey, ...rest }] of Object.entries(input.sshKeys ?? {})) {
    refuseUnknownKeys(rest, [], id);
    const key = publicKey ?? publicKeyOf(name);
    const fingerprint = `SHA256:${id}`;
    contents.push({ kind: 'sshKey', id, projectId, name, publicKey: key, fingerprint });
  }
  for (const [id, { name, status, cidr, ...rest }] of Object.entries(input.networks ?? {})) {
    refuseUnknownKeys(rest, [], id);
    contents.push({
      ...{ kind: 'network', id, projectId, name },
      status: status ?? 'active',
      cidr: cidr ?? `10.${networkIds.indexOf(id)}.0.0/24`,
    });
  }
  const holders = new Map<string, string>();
  const vms = listVms(input);
  for (const [id, vm] of vms) {
    if (vm.publicIp !== undefined) holders.set(vm.publicIp, id);
  }
  for (const [id, publicIp] of Object.entries(input.publicIps ?? {})) {
    refuseUnknownKeys(publicIp, ['address', 'status', 'forwards'], id);
    contents.push({
      ...{ kind: 'publicIp', id, projectId },
      status: publicIp.status ?? 'active',
      address: publicIp.address ?? `203.0.113.${contents.length + 1}`,
      vmId: holders.get(id) ?? null,
    });
    for (const [forwardId, forward] of Object.entries(publicIp.forwards ?? {})) {
      const { protocol, publicPort, vm, vmPort, status, ...rest } = forward;
      refuseUnknownKeys(rest, [], forwardId);
      contents.push({
        ...{ kind: 'portForward', id: forwardId, projectId, publicIpId: id },
        status: status ?? 'active',
        protocol: protocol ?? 'tcp',
        publicPort,
        vmId: vm,
        vmPort: vmPort ?? publicPort,
      });
    }
  }
  for (const [index, [id, vm]] of vms.entries()) {
    refuseUnknownKeys(vm, vmKeys, id);
    contents.push(liveVm(projectId, id, vm, catalog, index + 2, networkIds));
  }
  return contents;
}

function liveVm(
  projectId: string,
  id: string,
  vm: LiveVmInput,
  catalog: Catalog,
  host: number,
  networkIds: readonly string[],
): LiveRecordOfKind<'vm'> {
  const find = <E extends { id: string; name: string }>(entries: readonly E[], wanted: string) =>
    entries.find((entry) => entry.id === wanted || entry.name === wanted);
  const wanted = vm.configuration ?? 'c1-r1-d20';
  const size = find(catalog.configurations, wanted);
  const image = vm.image ?? 'ubuntu-24.04';
  const tariff = vm.tariff ?? 'monthly';
  return {
    ...{ kind: 'vm', id, projectId, name: vm.name },
    status: vm.status ?? 'active',
    operation: vm.operation ?? null,
    operationStatus: vm.operationStatus ?? null,
    bootStatus: vm.bootStatus ?? (vm.power === 'stopped' ? 'Stopped' : 'Running'),
    // What has left the catalog keeps its id.
    configurationId: size?.id ?? wanted,
    imageId: find(catalog.images, image)?.id ?? image,
    tariffId: find(catalog.tariffs, tariff)?.id ?? tariff,
    cpu: size?.cpu ?? 1,
    ram: size?.ram ?? 1,
    disk: size?.disk ?? 20,
    networks: (vm.networks ?? []).map((networkId) => ({
      networkId,
      internalIp: `10.${networkIds.indexOf(networkId)}.0.${host}`,
    })),
    publicIpId: vm.publicIp ?? null,
    sshKeyIds: vm.sshKeys ?? [],
    plugins: vm.plugins ?? [],
    ...(vm.renewal !== undefined && { renewal: vm.renewal }),
  };
}

/** Backups of the VMs that have any, a day apart. */
function backupsOf({ projects = {} }: AccountInput): ReadonlyMap<string, readonly Backup[]> {
  const vms = Object.values(projects).flatMap(listVms);
  return new Map(
    vms.flatMap(([id, { backups }]) =>
      backups === undefined ? [] : [[id, makeBackups(backups)] as const],
    ),
  );
}

const makeBackups = (count: number): readonly Backup[] =>
  Array.from({ length: Math.abs(count) }, (_, index) => ({
    id: `bkp-${index + 1}`,
    status: 'active',
    createdAt: Date.UTC(2026, 0, index + 1 + Math.min(0, count)),
    size: 8,
    sourceImageId: null,
  }));

/** What an account holds of each quota. */
export function countHeld(
  projects: number,
  resources: readonly LiveResource[],
): Record<QuotaName, number> {
  const held = { projects, accessTokens: 1, networks: 0, publicIps: 0, vmCpu: 0, vmRam: 0 };
  const counts: Record<QuotaName, number> = { ...held, vmDisk: 0 };
  for (const resource of resources) {
    if (resource.kind === 'accessToken') counts.accessTokens += 1;
    if (resource.kind === 'network') counts.networks += 1;
    if (resource.kind === 'publicIp') counts.publicIps += 1;
    if (resource.kind !== 'vm') continue;
    const { cpu, ram, disk } = whole(resource);
    counts.vmCpu += cpu;
    counts.vmRam += ram;
    counts.vmDisk += disk;
  }
  return counts;
}

/** @throws NonsenseError for an account that the service could not hold; `gone` are ids that may dangle */
export function refuseNonsense(live: LiveSnapshot, gone: ReadonlySet<string>): void {
  const byId = new Map<string, LiveResource>();
  const ids = new Set<string>();
  for (const resource of [...live.projects, ...live.resources]) {
    claim(ids, `the id ${resource.id}`);
    byId.set(resource.id, resource);
  }
  const taken = new Set<string>();
  for (const resource of [...live.projects, ...live.resources]) {
    const { id, kind, projectId } = resource;
    if (projectId === accountPlaceholderId) {
      expectSense(isKindOutsideProjects(kind), `${id} is in no project`);
      continue;
    }
    expectSense(byId.get(projectId)?.kind === 'project', `${id} is in no project`);
    const needs = (to: KindName, otherId: string, mayBeGone = false) => {
      if (mayBeGone && gone.has(otherId)) return;
      const other = byId.get(otherId);
      const isThere = other?.kind === to && other.projectId === projectId;
      expectSense(isThere, `${id} mentions the ${to} ${otherId}, which is not in its project`);
    };
    if (kind === 'portForward') {
      const { publicIpId, protocol, publicPort, vmId } = whole(resource);
      needs('publicIp', publicIpId);
      needs('vm', vmId, true);
      claim(taken, `${protocol} port ${publicPort} of ${publicIpId}`);
    }
    if (kind === 'publicIp' && typeof resource.vmId === 'string') {
      needs('vm', resource.vmId);
      const holder = byId.get(resource.vmId) as LiveRecordOfKind<'vm'>;
      expectSense(holder.publicIpId === id, `${id} says it is held by ${holder.id}`);
    }
    if (kind !== 'vm') continue;
    const { networks, sshKeyIds, publicIpId } = whole(resource);
    for (const { networkId } of networks) needs('network', networkId);
    for (const keyId of sshKeyIds) needs('sshKey', keyId, true);
    if (publicIpId === null) continue;
    needs('publicIp', publicIpId);
    const publicIp = byId.get(publicIpId) as LiveRecordOfKind<'publicIp'>;
    expectSense(publicIp.vmId === id, `${id} says it holds ${publicIp.id}`);
  }
}
