import type { AccessToken } from '../../model/account/account.ts';
import {
  accountId,
  type CatalogConfiguration,
  type CatalogEntry,
  type LiveAccessToken,
  type LiveAttachment,
  type LiveNetwork,
  type LivePortForward,
  type LiveProject,
  type LivePublicIp,
  type LiveSshKey,
  type LiveVm,
  type Place,
} from '../../model/account/live.ts';
import type {
  WireConfiguration,
  WireImage,
  WireNetwork,
  WireOperation,
  WirePortForward,
  WireProject,
  WirePublicIp,
  WireSshKey,
  WireToken,
  WireVm,
  WireVmNetwork,
} from '../contract/types.ts';
import {
  isRecord,
  readCreation,
  readId,
  readItems,
  readNumber,
  readRecord,
  readReference,
  readText,
  readTexts,
  readTime,
} from '../../model/wire/decode-fields.ts';
import type { LiveOperation } from '../../model/account/operation.ts';

// Wire to model, one function a record. A missing field becomes null, '', 0 or []; an unknown one is left behind; an
// unknown value of an enumeration stays as it came. Each throws UnreadableAnswer for what is no record or has no id.

/** The status of a record that has none, where the service promises one: never taken for settled. */
const missingStatus = 'unknown';

export function decodeProject(wire: unknown): LiveProject {
  const record = readRecord<WireProject>(wire, 'a project');
  const id = readId(record.id, 'a project');
  return {
    kind: 'project',
    id,
    projectId: id,
    name: readText(record.name) ?? '',
    ...readCreation(wire),
  };
}

export function decodeSshKey(wire: unknown, { projectId }: Place): LiveSshKey {
  const record = readRecord<WireSshKey>(wire, 'an SSH key');
  return {
    kind: 'sshKey',
    id: readId(record.id, 'an SSH key'),
    projectId,
    name: readText(record.name) ?? '',
    publicKey: readText(record.publicKey) ?? '',
    fingerprint: readText(record.fingerprint),
    ...readCreation(wire),
  };
}

export function decodeNetwork(wire: unknown, { projectId }: Place): LiveNetwork {
  const record = readRecord<WireNetwork>(wire, 'a network');
  return {
    kind: 'network',
    id: readId(record.id, 'a network'),
    projectId,
    name: readText(record.name) ?? '',
    status: readText(record.status) ?? missingStatus,
    cidr: readText(record.cidr),
    ...readCreation(wire),
  };
}

export function decodePublicIp(wire: unknown, { projectId }: Place): LivePublicIp {
  const record = readRecord<WirePublicIp>(wire, 'a public IP');
  return {
    kind: 'publicIp',
    id: readId(record.id, 'a public IP'),
    projectId,
    status: readText(record.status) ?? missingStatus,
    address: readText(record.address),
    vmId: readReference(record.vmId),
    ...readCreation(wire),
  };
}

export function decodePortForward(
  wire: unknown,
  { projectId, publicIpId }: Place,
): LivePortForward {
  const record = readRecord<WirePortForward>(wire, 'a port forward');
  return {
    kind: 'portForward',
    id: readId(record.id, 'a port forward'),
    projectId,
    publicIpId: publicIpId ?? '',
    // That forwards have a status at all is assumed: without one, being listed is being active.
    status: readText(record.status) ?? 'active',
    protocol: readText(record.protocol) ?? '',
    publicPort: readNumber(record.publicPort) ?? 0,
    vmId: readReference(record.vmId) ?? '',
    vmPort: readNumber(record.vmPort) ?? 0,
    ...readCreation(wire),
  };
}

export function decodeVm(wire: unknown, { projectId }: Place): LiveVm {
  const record = readRecord<WireVm>(wire, 'a VM');
  return {
    kind: 'vm',
    id: readId(record.id, 'a VM'),
    projectId,
    name: readText(record.name) ?? '',
    status: readText(record.status) ?? missingStatus,
    operation: readText(record.operation),
    operationStatus: readText(record.operationStatus),
    bootStatus: readText(record.bootStatus),
    configurationId: readReference(record.configurationId) ?? '',
    imageId: readReference(record.imageId) ?? '',
    tariffId: readReference(record.tariffId) ?? '',
    cpu: readNumber(record.cpu) ?? 0,
    ram: readNumber(record.ram) ?? 0,
    disk: readNumber(record.disk) ?? 0,
    networks: readItems(record.networks).flatMap(decodeAttachment),
    publicIpId: readReference(record.publicIpId),
    sshKeyIds: readTexts(record.sshKeyIds),
    plugins: readTexts(record.plugins),
    ...readCreation(wire),
  };
}

function decodeAttachment(wire: unknown): LiveAttachment[] {
  if (!isRecord(wire)) return [];
  const record = readRecord<WireVmNetwork>(wire, 'an attachment');
  const networkId = readReference(record.networkId);
  return networkId === null ? [] : [{ networkId, internalIp: readText(record.internalIp) }];
}

export function decodeOperation(wire: unknown): LiveOperation {
  const record = readRecord<WireOperation>(wire, 'an operation');
  return {
    id: readId(record.id, 'an operation'),
    type: readText(record.type) ?? '',
    status: readText(record.status) ?? '',
    resourceType: readText(record.resourceType),
    resourceId: readReference(record.resourceId),
    createdAt: readTime(record.createdAt),
    completedAt: readTime(record.completedAt),
    failureCode: readText(record.failureCode),
  };
}

/** An image or a tariff: what the two have in common. */
export function decodeCatalogEntry(wire: unknown): CatalogEntry {
  const record = readRecord<WireImage>(wire, 'a catalog entry');
  const id = readId(record.id, 'a catalog entry');
  return { id, name: readText(record.name) ?? id };
}

export function decodeConfiguration(wire: unknown): CatalogConfiguration {
  const record = readRecord<WireConfiguration>(wire, 'a configuration');
  return {
    ...decodeCatalogEntry(wire),
    cpu: readNumber(record.cpu) ?? 0,
    ram: readNumber(record.ram) ?? 0,
    disk: readNumber(record.disk) ?? 0,
    availability: readText(record.availability),
    maxCount: readNumber(record.maxCount),
  };
}

/** An access token, without its value. */
export function decodeToken(wire: unknown): AccessToken {
  const record = readRecord<WireToken>(wire, 'a token');
  return {
    id: readId(record.id, 'a token'),
    name: readText(record.name) ?? '',
    scopes: readTexts(record.scopes),
    expiresAt: readTime(record.expiresAt),
    createdAt: readTime(record.createdAt),
    lastUsedAt: readTime(record.lastUsedAt),
  };
}

/** The same as a resource, which lies in no project. */
export function decodeLiveToken(wire: unknown): LiveAccessToken {
  return { kind: 'accessToken', projectId: accountId, ...decodeToken(wire) };
}
