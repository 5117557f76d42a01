// Representations: rows of the data spelled as JSON of answers, here, in `vm-representations.ts` and in
// `problem-representations.ts`. No other file of the sandbox names a field of an answer.

import type {
  WireAccount,
  WireAttachment,
  WireBackup,
  WireCommandAccepted,
  WireConfiguration,
  WireCreatedToken,
  WireImage,
  WireLimits,
  WireNameLengthLimits,
  WireNetwork,
  WireNotification,
  WireNotificationPreferences,
  WireOperation,
  WirePortForward,
  WireProject,
  WirePublicIp,
  WireSale,
  WireSshKey,
  WireTariff,
  WireToken,
  WireTokenScope,
  WireUnreadCount,
} from '../../api/contract/types.ts';
import type { VmConfiguration, SandboxImage, SandboxTariff } from '../store/catalog.ts';
import { remainingCapacity } from '../rules/capacity.ts';
import { operationStatus } from '../rules/operations.ts';
import { showQuota } from '../rules/quotas.ts';
import type {
  AccountRow,
  AttachmentRow,
  BackupRow,
  NetworkRow,
  NotificationRow,
  OperationRow,
  PortForwardRow,
  ProjectRow,
  PublicIpRow,
  SaleRow,
  SshKeyRow,
  TokenRow,
} from '../store/rows.ts';
import { paidUntil } from '../rules/sales.ts';
import type { SandboxWorld } from '../store/world.ts';

export const inIso = (ms: number): string => new Date(ms).toISOString();
const inIsoOrNull = (ms: number | null): string | null => (ms === null ? null : inIso(ms));
export const showItems = (json: string): string[] => JSON.parse(json) as string[];

export function showLimits(world: SandboxWorld): WireLimits {
  return {
    projects: showQuota(world, 'projects'),
    accessTokens: showQuota(world, 'accessTokens'),
    networks: showQuota(world, 'networks'),
    publicIps: showQuota(world, 'publicIps'),
    vmResources: {
      cpu: showQuota(world, 'cpu'),
      ram: showQuota(world, 'ram'),
      disk: showQuota(world, 'disk'),
    },
    maxSshKeysPerProject: world.rules.quotas.maxSshKeysPerProject,
  };
}

export function showNameLengths({ rules: { nameLengths } }: SandboxWorld): WireNameLengthLimits {
  return {
    maxProjectNameLength: nameLengths.project,
    maxNetworkNameLength: nameLengths.network,
    maxVmNameLength: nameLengths.vm,
    maxSshKeyNameLength: nameLengths.sshKey,
    maxSshKeyPublicKeyLength: nameLengths.sshPublicKey,
    maxAccessTokenNameLength: nameLengths.accessToken,
  };
}

export const showAccount = ({ email, locale, createdAt }: AccountRow): WireAccount => ({
  email,
  locale,
  createdAt: inIso(createdAt),
});

export const showToken = (token: Omit<TokenRow, 'seq'>): WireToken => ({
  id: token.id,
  name: token.name,
  scopes: showItems(token.scopes) as WireTokenScope[],
  expiresAt: inIsoOrNull(token.expiresAt),
  createdAt: inIso(token.createdAt),
  lastUsedAt: inIsoOrNull(token.lastUsedAt),
});

/** Shows a new token with its value, which no later answer contains. */
export const showCreatedToken = (
  token: Omit<TokenRow, 'seq'>,
  value: string,
): WireCreatedToken => ({
  ...showToken(token),
  value,
});

export function showProject(
  { store }: SandboxWorld,
  project: Omit<ProjectRow, 'seq'>,
): WireProject {
  const vms = store.tally(project.id, 'vms');
  // The contract still has the deprecated count beside the one that replaces it.
  const deprecated = { vmCount: vms };
  return {
    ...deprecated,
    id: project.id,
    name: project.name,
    resourceCounts: {
      vms,
      networks: store.tally(project.id, 'networks'),
      publicIps: store.tally(project.id, 'publicIps'),
      sshKeys: store.tally(project.id, 'sshKeys'),
    },
    createdAt: inIso(project.createdAt),
  };
}

export function showOperation(
  { rules, now }: SandboxWorld,
  operation: OperationRow,
): WireOperation {
  const status = operationStatus(operation, now, rules.recordLagMs);
  const hasEnded = status === 'Succeeded' || status === 'Failed';
  return {
    id: operation.id,
    type: operation.type,
    status,
    resourceType: operation.resourceType,
    resourceId: operation.resourceId,
    createdAt: inIso(operation.createdAt),
    completedAt: hasEnded ? inIsoOrNull(operation.completedAt) : null,
    failureCode: hasEnded ? operation.failureCode : null,
  };
}

/** Shows an accepted command; its `commandId` cannot be looked up anywhere. */
export const showAccepted = ({ commandId }: { commandId: string }): WireCommandAccepted => ({
  commandId,
});

export const showSshKey = (key: Omit<SshKeyRow, 'seq'>): WireSshKey => ({
  id: key.id,
  name: key.name,
  publicKey: key.publicKey,
  fingerprint: key.fingerprint,
  createdAt: inIso(key.createdAt),
});

export const showNetwork = (network: NetworkRow): WireNetwork => ({
  id: network.id,
  name: network.name,
  status: network.status,
  cidr: network.status === 'creating' ? null : network.cidr,
  createdAt: inIso(network.createdAt),
});

export const showAttachment = ({ vmId, internalIp }: AttachmentRow): WireAttachment => ({
  vmId,
  internalIp,
});

export const showPublicIp = (ip: PublicIpRow): WirePublicIp => ({
  id: ip.id,
  status: ip.status,
  address: ip.status === 'creating' ? null : ip.address,
  vmId: ip.vmId,
  saleId: ip.saleId,
  createdAt: inIso(ip.createdAt),
});

export const showPortForward = (forward: PortForwardRow): WirePortForward => ({
  id: forward.id,
  protocol: forward.protocol,
  publicPort: forward.publicPort,
  vmId: forward.vmId,
  vmPort: forward.vmPort,
  status: forward.status,
});

export const showBackup = (backup: BackupRow): WireBackup => ({
  id: backup.id,
  status: backup.status,
  createdAt: inIso(backup.createdAt),
  size: backup.size,
  sourceImageId: backup.sourceImageId,
});

/** Free places from which on a configuration is shown as available without reserve. */
const ampleCount = 5;

export function showConfiguration(
  world: SandboxWorld,
  configuration: VmConfiguration,
): WireConfiguration {
  const { id, name, cpu, ram, disk } = configuration;
  const maxCount = remainingCapacity(world, configuration);
  const availability =
    maxCount === 0 ? 'unavailable' : maxCount < ampleCount ? 'limited' : 'available';
  return { id, name, cpu, ram, disk, availability, maxCount };
}

export const showImage = ({ id, name, os }: SandboxImage): WireImage => ({ id, name, os });

export const showTariff = ({ id, name, price, currency, period }: SandboxTariff): WireTariff => ({
  id,
  name,
  price,
  currency,
  period,
});

export const showNotification = (notification: NotificationRow): WireNotification => ({
  id: notification.id,
  type: notification.kind,
  title: notification.title,
  message: notification.message,
  resourceType: notification.resourceType,
  resourceId: notification.resourceId,
  projectId: notification.projectId,
  read: notification.readAt !== null,
  createdAt: inIso(notification.createdAt),
});

export const showUnreadCount = (count: number): WireUnreadCount => ({ count });

/** Shows the preferences as they were sent and validated. */
export const showPreferences = ({ preferences }: AccountRow): WireNotificationPreferences =>
  JSON.parse(preferences) as WireNotificationPreferences;

export const showSale = (world: SandboxWorld, sale: SaleRow): WireSale => ({
  id: sale.id,
  resourceType: sale.resourceType,
  resourceId: sale.resourceId,
  tariffId: sale.tariffId,
  renewal: sale.renewal,
  paidUntil: inIso(paidUntil(world, sale)),
});
