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
  WireUnreadCount,
} from '../../api/contract/types.ts';
import type { SandboxVmConfiguration, SandboxImage, SandboxTariff } from '../store/catalog.ts';
import { countRemainingVmCapacity } from '../rules/capacity.ts';
import { findOperationStatus } from '../rules/operations.ts';
import { readLaggingQuota } from '../rules/quotas.ts';
import type {
  SandboxAccountRow,
  SandboxAttachmentRow,
  SandboxBackupRow,
  SandboxNetworkRow,
  SandboxNotificationRow,
  SandboxOperationRow,
  SandboxPortForwardRow,
  SandboxProjectRow,
  SandboxPublicIpRow,
  SandboxSaleRow,
  SandboxSshKeyRow,
  SandboxTokenRow,
} from '../store/rows.ts';
import { findPaidUntil } from '../rules/sales.ts';
import type { SandboxContext } from '../store/world.ts';
import { listGrantedScopes } from '../rules/auth.ts';

export const representTime = (ms: number): string => new Date(ms).toISOString();
const inIsoOrNull = (ms: number | null): string | null => (ms === null ? null : representTime(ms));
export const parseStoredTextList = (json: string): string[] => JSON.parse(json) as string[];

export function representLimits(world: SandboxContext): WireLimits {
  return {
    projects: readLaggingQuota(world, 'projects'),
    accessTokens: readLaggingQuota(world, 'accessTokens'),
    networks: readLaggingQuota(world, 'networks'),
    publicIps: readLaggingQuota(world, 'publicIps'),
    vmResources: {
      cpu: readLaggingQuota(world, 'cpu'),
      ram: readLaggingQuota(world, 'ram'),
      disk: readLaggingQuota(world, 'disk'),
    },
    maxSshKeysPerProject: world.rules.quotas.maxSshKeysPerProject,
  };
}

export function representNameLengths({
  rules: { nameLengths },
}: SandboxContext): WireNameLengthLimits {
  return {
    maxProjectNameLength: nameLengths.project,
    maxNetworkNameLength: nameLengths.network,
    maxVmNameLength: nameLengths.vm,
    maxSshKeyNameLength: nameLengths.sshKey,
    maxSshKeyPublicKeyLength: nameLengths.sshPublicKey,
    maxAccessTokenNameLength: nameLengths.accessToken,
  };
}

export const representAccount = ({ email, locale, createdAt }: SandboxAccountRow): WireAccount => ({
  email,
  locale,
  createdAt: representTime(createdAt),
});

export const representAccessToken = (token: Omit<SandboxTokenRow, 'seq'>): WireToken => ({
  id: token.id,
  name: token.name,
  scopes: [...listGrantedScopes(token)],
  expiresAt: inIsoOrNull(token.expiresAt),
  createdAt: representTime(token.createdAt),
  lastUsedAt: inIsoOrNull(token.lastUsedAt),
});

/** Shows a new token with its value, which no later answer contains. */
export const representCreatedAccessToken = (
  token: Omit<SandboxTokenRow, 'seq'>,
  value: string,
): WireCreatedToken => ({
  ...representAccessToken(token),
  value,
});

export function representProject(
  { store }: SandboxContext,
  project: Omit<SandboxProjectRow, 'seq'>,
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
    createdAt: representTime(project.createdAt),
  };
}

export function representOperation(
  { rules, now }: SandboxContext,
  operation: SandboxOperationRow,
): WireOperation {
  const status = findOperationStatus(operation, now, rules.recordLagMs);
  const hasEnded = status === 'Succeeded' || status === 'Failed';
  return {
    id: operation.id,
    type: operation.type,
    status,
    resourceType: operation.resourceType,
    resourceId: operation.resourceId,
    createdAt: representTime(operation.createdAt),
    completedAt: hasEnded ? inIsoOrNull(operation.completedAt) : null,
    failureCode: hasEnded ? operation.failureCode : null,
  };
}

/** Represents an accepted command; its `commandId` cannot be looked up anywhere. */
export const representAcceptedCommand = ({
  commandId,
}: {
  commandId: string;
}): WireCommandAccepted => ({
  commandId,
});

export const representSshKey = (key: Omit<SandboxSshKeyRow, 'seq'>): WireSshKey => ({
  id: key.id,
  name: key.name,
  publicKey: key.publicKey,
  fingerprint: key.fingerprint,
  createdAt: representTime(key.createdAt),
});

export const representNetwork = (network: SandboxNetworkRow): WireNetwork => ({
  id: network.id,
  name: network.name,
  status: network.status,
  cidr: network.status === 'creating' ? null : network.cidr,
  createdAt: representTime(network.createdAt),
});

export const representAttachment = ({
  vmId,
  internalIp,
}: SandboxAttachmentRow): WireAttachment => ({
  vmId,
  internalIp,
});

export const representPublicIp = (ip: SandboxPublicIpRow): WirePublicIp => ({
  id: ip.id,
  status: ip.status,
  address: ip.status === 'creating' ? null : ip.address,
  vmId: ip.vmId,
  saleId: ip.saleId,
  createdAt: representTime(ip.createdAt),
});

export const representPortForward = (forward: SandboxPortForwardRow): WirePortForward => ({
  id: forward.id,
  protocol: forward.protocol,
  publicPort: forward.publicPort,
  vmId: forward.vmId,
  vmPort: forward.vmPort,
  status: forward.status,
});

export const representBackup = (backup: SandboxBackupRow): WireBackup => ({
  id: backup.id,
  status: backup.status,
  createdAt: representTime(backup.createdAt),
  size: backup.size,
  sourceImageId: backup.sourceImageId,
});

/** Free places from which on a configuration is shown as available without reserve. */
const ampleCount = 5;

export function representVmConfiguration(
  world: SandboxContext,
  configuration: SandboxVmConfiguration,
): WireConfiguration {
  const { id, name, cpu, ram, disk } = configuration;
  const maxCount = countRemainingVmCapacity(world, configuration);
  const availability =
    maxCount === 0 ? 'unavailable' : maxCount < ampleCount ? 'limited' : 'available';
  return { id, name, cpu, ram, disk, availability, maxCount };
}

export const representImage = ({ id, name, os }: SandboxImage): WireImage => ({ id, name, os });

export const representTariff = ({
  id,
  name,
  price,
  currency,
  period,
}: SandboxTariff): WireTariff => ({
  id,
  name,
  price,
  currency,
  period,
});

export const representNotification = (notification: SandboxNotificationRow): WireNotification => ({
  id: notification.id,
  type: notification.kind,
  title: notification.title,
  message: notification.message,
  resourceType: notification.resourceType,
  resourceId: notification.resourceId,
  projectId: notification.projectId,
  read: notification.readAt !== null,
  createdAt: representTime(notification.createdAt),
});

export const representUnreadCount = (count: number): WireUnreadCount => ({ count });

/** Shows the preferences as they were sent and validated. */
export const representNotificationPreferences = ({
  preferences,
}: SandboxAccountRow): WireNotificationPreferences =>
  JSON.parse(preferences) as WireNotificationPreferences;

export const representSale = (world: SandboxContext, sale: SandboxSaleRow): WireSale => ({
  id: sale.id,
  resourceType: sale.resourceType,
  resourceId: sale.resourceId,
  tariffId: sale.tariffId,
  renewal: sale.renewal,
  paidUntil: representTime(findPaidUntil(world, sale)),
});
