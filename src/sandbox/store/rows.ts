// Rows of the data file's tables. Times are milliseconds since the Unix epoch; lists are JSON text.
// `seq` orders rows by creation and is never reused.

import type {
  WireOperationFailureCode,
  WirePortProtocol,
  WireRenewalState,
  WireResourceOperation,
  WireResourceStatus,
  WireResourceType,
  WireVmBootStatus,
} from '../../api/contract/types.ts';

/** A table of the data file and, in the type alone, the shape of its rows. */
export interface SandboxTable<Row> {
  readonly name: string;
  readonly row?: Row;
}

const table = <Row>(name: string): SandboxTable<Row> => ({ name });

export type SandboxResourceStatus = WireResourceStatus;
export type VmBootStatus = WireVmBootStatus;
export type OperationFailureCode = WireOperationFailureCode;
export type SandboxResourceType = WireResourceType;
export type SandboxOperationType = WireResourceOperation;

/** A database row of the sandbox that belongs to a project and has an id. */
export interface SandboxProjectContentRow {
  readonly seq: number;
  readonly id: string;
  readonly projectId: string;
  readonly createdAt: number;
}

export interface SandboxAccountRow {
  readonly id: string;
  readonly email: string;
  readonly locale: string;
  readonly preferences: string;
  readonly createdAt: number;
}

export interface SandboxTokenRow {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the value: the value itself is shown once and not kept. */
  readonly valueHash: string;
  readonly scopes: string;
  readonly expiresAt: number | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export interface SandboxProjectRow {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
}

export interface SandboxSshKeyRow extends SandboxProjectContentRow {
  readonly name: string;
  readonly publicKey: string;
  readonly fingerprint: string;
}

export interface SandboxNetworkRow extends SandboxProjectContentRow {
  readonly name: string;
  readonly status: SandboxResourceStatus;
  readonly cidr: string;
}

export interface SandboxAttachmentRow {
  readonly seq: number;
  readonly networkId: string;
  readonly vmId: string;
  /** Host number of the VM's internal address. */
  readonly host: number;
  /** Host number that a running update holds, so that no other attachment takes it meanwhile. */
  readonly reservedHost: number | null;
  readonly internalIp: string;
  /** Status of the attachment; one in `creating` is reserved and not shown yet. */
  readonly status: SandboxResourceStatus;
}

export interface SandboxPublicIpRow extends SandboxProjectContentRow {
  readonly status: SandboxResourceStatus;
  readonly address: string;
  readonly vmId: string | null;
  readonly saleId: string;
}

export interface SandboxPortForwardRow extends SandboxProjectContentRow {
  readonly publicIpId: string;
  readonly status: SandboxResourceStatus;
  readonly protocol: WirePortProtocol;
  readonly publicPort: number;
  /** Public port that a running update holds, so that no other forward takes it meanwhile. */
  readonly reservedPort: number | null;
  readonly vmId: string;
  readonly vmPort: number;
}

export interface SandboxVmRow extends SandboxProjectContentRow {
  readonly name: string;
  readonly status: SandboxResourceStatus;
  readonly bootStatus: VmBootStatus;
  readonly configurationId: string;
  readonly imageId: string;
  readonly tariffId: string;
  readonly cpu: number;
  readonly ram: number;
  readonly disk: number;
  readonly sshKeyIds: string;
  readonly sshPublicKeys: string;
  readonly plugins: string;
  readonly saleId: string;
  /** The VM's newest operation: what its deprecated status fields show. */
  readonly operationId: string | null;
}

export interface SandboxBackupRow extends SandboxProjectContentRow {
  readonly vmId: string;
  readonly status: SandboxResourceStatus;
  readonly size: number;
  readonly sourceImageId: string | null;
}

export interface SandboxOperationRow extends SandboxProjectContentRow {
  /** Names the request that was accepted; shown once, queryable nowhere. */
  readonly commandId: string;
  readonly type: SandboxOperationType;
  readonly resourceType: SandboxResourceType;
  readonly resourceId: string;
  /** Id of the VM that the operation locks; null for none. */
  readonly vmId: string | null;
  readonly startsAt: number;
  readonly completesAt: number;
  /** Failure code, decided when the operation is accepted and shown when it ends. */
  readonly failureCode: OperationFailureCode | null;
  /** Changes of the data that the operation makes when it ends: `SandboxOperationEffects` as JSON. */
  readonly effects: string;
  /** End of the operation; null until its effects are applied. */
  readonly completedAt: number | null;
}

export interface SandboxNotificationRow {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly message: string;
  readonly projectId: string | null;
  readonly resourceType: SandboxResourceType | null;
  readonly resourceId: string | null;
  readonly createdAt: number;
  readonly readAt: number | null;
}

export interface SandboxSaleRow {
  readonly seq: number;
  readonly id: string;
  readonly resourceType: SandboxResourceType;
  readonly resourceId: string;
  readonly tariffId: string;
  readonly renewal: WireRenewalState;
  /** End of the first paid period, or of the one in which renewal was cancelled. */
  readonly paidUntil: number;
  readonly createdAt: number;
}

/** A count kept by triggers, so that no count ever scans its rows. */
export interface RowCountRow {
  readonly owner: string;
  readonly kind: string;
  readonly amount: number;
}

export interface SandboxSettingRow {
  readonly name: string;
  readonly value: string;
}

export interface SandboxCounterRow {
  readonly name: string;
  readonly value: number;
}

export const sandboxTables = {
  settings: table<SandboxSettingRow>('settings'),
  counters: table<SandboxCounterRow>('counters'),
  tallies: table<RowCountRow>('tallies'),
  accounts: table<SandboxAccountRow>('accounts'),
  tokens: table<SandboxTokenRow>('tokens'),
  projects: table<SandboxProjectRow>('projects'),
  sshKeys: table<SandboxSshKeyRow>('sshKeys'),
  networks: table<SandboxNetworkRow>('networks'),
  attachments: table<SandboxAttachmentRow>('attachments'),
  publicIps: table<SandboxPublicIpRow>('publicIps'),
  portForwards: table<SandboxPortForwardRow>('portForwards'),
  vms: table<SandboxVmRow>('vms'),
  backups: table<SandboxBackupRow>('backups'),
  operations: table<SandboxOperationRow>('operations'),
  notifications: table<SandboxNotificationRow>('notifications'),
  sales: table<SandboxSaleRow>('sales'),
};

export type SandboxTableName = keyof typeof sandboxTables;
