import type { LiveRecordOfKind, LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';
import type { Backup } from '../../model/account/vm-work.ts';
import type { KindName } from '../../model/kind-places.ts';
import { copyMirroredAttachment } from '../rules/attachments.ts';
import { chooseNextNetworkCidr } from '../rules/networks.ts';
import { publicIpTariffId } from '../store/catalog.ts';
import { choosePublicAddress } from '../rules/public-addresses.ts';
import { createSandboxId } from '../store/ids.ts';
import type {
  SandboxPortForwardRow,
  SandboxResourceStatus,
  SandboxResourceType,
  SandboxSaleRow,
} from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxStore } from '../store/store.ts';
import type { MirrorContext } from './mirror-context.ts';

/** Copies one resource. Those of the kinds that it names are there by then. */
type Copiers = {
  readonly [K in KindName]: (context: MirrorContext, live: LiveRecordOfKind<K>) => void;
};

const statuses: readonly string[] = [
  'creating',
  'active',
  'updating',
  'deleting',
  'failed',
] satisfies SandboxResourceStatus[];

/**
 * Converts the status of a live resource: a status that the contract does not have counts as "not settled yet", and one
 * that the service does not report as settled.
 */
export const toSandboxRowStatus = (
  status: ReportedOrUntoldField<string> = 'active',
): SandboxResourceStatus =>
  statuses.includes(status) ? (status as SandboxResourceStatus) : 'updating';

/** Columns of a sandbox row that all kinds within a project have. */
const rowOf = ({ id, projectId, createdAt }: LiveResource) => ({
  id,
  projectId,
  createdAt: createdAt ?? 0,
});

/** Adds the sale of a resource that costs something; its `paidUntil` is invented, since no plan depends on it. */
function addSale(
  { store, seed, now }: MirrorContext,
  resourceType: SandboxResourceType,
  resourceId: string,
  terms: Pick<SandboxSaleRow, 'tariffId' | 'renewal'>,
): string {
  const id = createSandboxId(store, seed, 'sale');
  const paidUntil = now + 30 * 86_400_000;
  store.insert(sandboxTables.sales, {
    id,
    resourceType,
    resourceId,
    ...terms,
    paidUntil,
    createdAt: now,
  });
  return id;
}

/** The public IP's own address; a free one where the service does not tell it, or another row has it. */
function chooseAddress(store: SandboxStore, address: ReportedOrUntoldField<string | null>): string {
  const isUsable =
    typeof address === 'string' && !store.first(sandboxTables.publicIps, { address });
  return isUsable ? address : choosePublicAddress(store);
}

/**
 * Makes the columns of a VM's row, for a copy and for the effects of running operations on it. Attributes that the
 * service does not report stay empty, and read back as not reported.
 */
export const makeMirroredVmColumns = (live: LiveRecordOfKind<'vm'>) => ({
  name: live.name ?? '',
  status: toSandboxRowStatus(live.status),
  bootStatus: (live.bootStatus ?? 'Running') as 'Running',
  configurationId: live.configurationId ?? '',
  imageId: live.imageId ?? '',
  tariffId: live.tariffId ?? '',
  cpu: live.cpu ?? 0,
  ram: live.ram ?? 0,
  disk: live.disk ?? 0,
  sshKeyIds: JSON.stringify(live.sshKeyIds ?? []),
  plugins: JSON.stringify(live.plugins ?? []),
});

/** Makes the columns of a port forward's row, for a copy and for the effects of running operations on it. */
export const makeMirroredForwardColumns = (live: LiveRecordOfKind<'portForward'>) => ({
  status: toSandboxRowStatus(live.status),
  protocol: live.protocol as SandboxPortForwardRow['protocol'],
  publicPort: live.publicPort ?? 0,
  vmId: live.vmId ?? '',
  vmPort: live.vmPort ?? 0,
});

const copiers: Copiers = {
  project: ({ store }, { id, name = '', createdAt }) =>
    store.insert(sandboxTables.projects, { id, name, createdAt: createdAt ?? 0 }),

  sshKey: ({ store }, live) => {
    const { name = '', publicKey = '', fingerprint } = live;
    store.insert(sandboxTables.sshKeys, {
      ...rowOf(live),
      name,
      publicKey,
      fingerprint: fingerprint ?? '',
    });
  },

  network: ({ store, networkPrefix }, live) => {
    const { name = '', status, cidr, projectId } = live;
    store.insert(sandboxTables.networks, {
      ...rowOf(live),
      name,
      status: toSandboxRowStatus(status),
      cidr: cidr ?? chooseNextNetworkCidr(store, projectId, networkPrefix),
    });
  },

  publicIp: (context, live) => {
    const terms = { tariffId: publicIpTariffId, renewal: 'active' } as const;
    context.store.insert(sandboxTables.publicIps, {
      ...rowOf(live),
      status: toSandboxRowStatus(live.status),
      address: chooseAddress(context.store, live.address),
      vmId: live.vmId ?? null,
      saleId: addSale(context, 'publicIp', live.id, terms),
    });
  },

  vm: (context, live) => {
    const { store } = context;
    const renewal = live.renewal === 'cancelled' ? 'cancelled' : 'active';
    store.insert(sandboxTables.vms, {
      ...rowOf(live),
      ...makeMirroredVmColumns(live),
      sshPublicKeys: '[]',
      saleId: addSale(context, 'vm', live.id, { tariffId: live.tariffId ?? '', renewal }),
      operationId: null,
    });
    for (const one of live.networks ?? []) copyMirroredAttachment(store, live.id, one, 'active');
    // The list of public IPs may lag, so the VM itself tells which one it has.
    const { publicIpId: id } = live;
    if (typeof id === 'string')
      store.update(sandboxTables.publicIps, { id, vmId: null }, { vmId: live.id });
  },

  portForward: ({ store }, live) => {
    const { publicIpId } = live;
    const row = { ...rowOf(live), ...makeMirroredForwardColumns(live) };
    store.insert(sandboxTables.portForwards, { ...row, publicIpId, reservedPort: null });
  },

  account: ({ store, now }, { id, locale = '', notifications }) =>
    store.insert(sandboxTables.accounts, {
      id,
      email: '',
      locale,
      createdAt: now,
      preferences: JSON.stringify(notifications),
    }),

  accessToken: ({ store }, live) => {
    const { id, name = '', scopes = [], expiresAt = null, createdAt, lastUsedAt } = live;
    store.insert(sandboxTables.tokens, {
      id,
      name,
      expiresAt,
      lastUsedAt,
      createdAt: createdAt ?? 0,
      scopes: JSON.stringify(scopes),
      // The value of the real account's token is unknown, so that no token matches this hash.
      valueHash: `of ${id}`,
    });
  },
};

/** Order of the kinds: resources that a VM names come before it, and those that point to a VM after it. */
const order: readonly KindName[] = [
  ...(['project', 'sshKey', 'network', 'publicIp', 'vm'] as const),
  ...(['portForward', 'account', 'accessToken'] as const),
];

/** Copies all resources that were read from the account, except those of kinds that the sandbox does not have. */
export function copyAccountResources(context: MirrorContext, live: LiveSnapshot): void {
  const { store, now } = context;
  const all: readonly LiveResource[] = [...live.projects, ...live.resources];
  for (const kind of order) {
    const copy = copiers[kind] as (context: MirrorContext, live: LiveResource) => void;
    for (const one of all) if (one.kind === kind) copy(context, one);
  }
  for (const [vmId, backups] of live.backups ?? []) copyBackups(context, vmId, backups);
  if (store.first(sandboxTables.accounts, { id: 'account' })) return;
  const defaults = { email: '', locale: 'en', preferences: '{"operationFailed":true}' };
  store.insert(sandboxTables.accounts, { id: 'account', ...defaults, createdAt: now });
}

function copyBackups({ store }: MirrorContext, vmId: string, backups: readonly Backup[]): void {
  const { projectId } = store.first(sandboxTables.vms, { id: vmId }) ?? {};
  if (projectId === undefined) return;
  const oldestFirst = [...backups].sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
  for (const { id, status, createdAt, size, sourceImageId } of oldestFirst) {
    store.insert(sandboxTables.backups, {
      id,
      projectId,
      vmId,
      createdAt: createdAt ?? 0,
      size: size ?? 0,
      sourceImageId,
      status: toSandboxRowStatus(status),
    });
  }
}
