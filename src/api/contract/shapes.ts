/**
 * Generated from schemas/openapi.yaml by `npm run generate`. Do not edit.
 */

import type { OperationId } from './routes.ts';

/** Evidence: the interface specification states it, public documentation does, or nothing. */
export type Evidence = 'specified' | 'published' | 'assumed';

/** A member of a record. */
export type MemberShape = (
  | { readonly type: 'text' | 'number' | 'boolean' | 'time' | 'any' }
  /** The id of a record of that name. */
  | { readonly type: 'id'; readonly of: string }
  | { readonly type: 'enum'; readonly enum: string }
  | { readonly type: 'record'; readonly record: string }
) & {
  /** A list of such. */
  readonly isList?: boolean;
  readonly isNullable?: boolean;
  /** Set for a member that may be left out. */
  readonly isOptional?: boolean;
  readonly evidence?: Evidence;
};

/** The parameters, the body and the answer of an operation. */
export interface OperationShape {
  /** Parameters of the path, outermost first. */
  readonly params: readonly string[];
  readonly query: readonly string[];
  /** The record that its body is. */
  readonly body?: string;
  /** The record that it answers, or answers a list of. */
  readonly answer?: string;
  readonly isList?: boolean;
  readonly evidence: Evidence;
}

/** The objects of the contract and their members. */
// prettier-ignore
export const recordShapes: Readonly<Record<string, Readonly<Record<string, MemberShape>>>> = {
  commandAccepted: {
    commandId: { type: 'id', of: 'command', evidence: 'specified' },
  },
  renameRequest: {
    name: { type: 'text', evidence: 'assumed' },
  },
  problem: {
    type: { type: 'text', evidence: 'assumed' },
    title: { type: 'text', evidence: 'assumed' },
    status: { type: 'number', evidence: 'assumed' },
    detail: { type: 'text', isOptional: true, evidence: 'assumed' },
    instance: { type: 'text', isOptional: true, evidence: 'assumed' },
    errors: { type: 'any', isOptional: true, evidence: 'assumed' },
  },
  apiProblem: {
    type: { type: 'text', evidence: 'assumed' },
    title: { type: 'text', evidence: 'assumed' },
    status: { type: 'number', evidence: 'assumed' },
    detail: { type: 'text', isOptional: true, evidence: 'assumed' },
    instance: { type: 'text', isOptional: true, evidence: 'assumed' },
    errors: { type: 'any', isOptional: true, evidence: 'assumed' },
    code: { type: 'text', isOptional: true, evidence: 'specified' },
  },
  resourceQuota: {
    limit: { type: 'number', evidence: 'specified' },
    used: { type: 'number', evidence: 'specified' },
    remaining: { type: 'number', evidence: 'specified' },
  },
  vmResourceLimits: {
    cpu: { type: 'record', record: 'resourceQuota', evidence: 'specified' },
    ram: { type: 'record', record: 'resourceQuota', evidence: 'specified' },
    disk: { type: 'record', record: 'resourceQuota', evidence: 'specified' },
  },
  limits: {
    projects: { type: 'record', record: 'resourceQuota', evidence: 'specified' },
    accessTokens: { type: 'record', record: 'resourceQuota', evidence: 'specified' },
    networks: { type: 'record', record: 'resourceQuota', evidence: 'specified' },
    publicIps: { type: 'record', record: 'resourceQuota', evidence: 'specified' },
    vmResources: { type: 'record', record: 'vmResourceLimits', evidence: 'specified' },
    maxSshKeysPerProject: { type: 'number', evidence: 'specified' },
  },
  nameLengthLimits: {
    maxProjectNameLength: { type: 'number', evidence: 'specified' },
    maxNetworkNameLength: { type: 'number', evidence: 'specified' },
    maxVmNameLength: { type: 'number', evidence: 'specified' },
    maxSshKeyNameLength: { type: 'number', evidence: 'specified' },
    maxSshKeyPublicKeyLength: { type: 'number', evidence: 'specified' },
    maxAccessTokenNameLength: { type: 'number', evidence: 'specified' },
  },
  account: {
    email: { type: 'text', evidence: 'assumed' },
    locale: { type: 'text', evidence: 'assumed' },
    createdAt: { type: 'time', evidence: 'assumed' },
  },
  localeUpdate: {
    locale: { type: 'text', evidence: 'assumed' },
  },
  token: {
    id: { type: 'id', of: 'token', evidence: 'assumed' },
    name: { type: 'text', evidence: 'assumed' },
    scopes: { type: 'enum', enum: 'tokenScope', isList: true, evidence: 'assumed' },
    expiresAt: { type: 'time', isNullable: true, evidence: 'assumed' },
    createdAt: { type: 'time', evidence: 'assumed' },
    lastUsedAt: { type: 'time', isNullable: true, evidence: 'assumed' },
  },
  createdToken: {
    id: { type: 'id', of: 'token', evidence: 'assumed' },
    name: { type: 'text', evidence: 'assumed' },
    scopes: { type: 'enum', enum: 'tokenScope', isList: true, evidence: 'assumed' },
    expiresAt: { type: 'time', isNullable: true, evidence: 'assumed' },
    createdAt: { type: 'time', evidence: 'assumed' },
    lastUsedAt: { type: 'time', isNullable: true, evidence: 'assumed' },
    value: { type: 'text', evidence: 'assumed' },
  },
  tokenCreate: {
    name: { type: 'text', evidence: 'assumed' },
    scopes: { type: 'enum', enum: 'tokenScope', isList: true, evidence: 'assumed' },
    expiresAt: { type: 'time', isNullable: true, isOptional: true, evidence: 'assumed' },
  },
  projectResourceCounts: {
    vms: { type: 'number', evidence: 'specified' },
    networks: { type: 'number', isOptional: true, evidence: 'assumed' },
    publicIps: { type: 'number', isOptional: true, evidence: 'assumed' },
    sshKeys: { type: 'number', isOptional: true, evidence: 'assumed' },
  },
  project: {
    id: { type: 'id', of: 'project', evidence: 'assumed' },
    name: { type: 'text', evidence: 'assumed' },
    vmCount: { type: 'number', isOptional: true, evidence: 'specified' },
    resourceCounts: { type: 'record', record: 'projectResourceCounts', evidence: 'specified' },
    createdAt: { type: 'time', evidence: 'assumed' },
  },
  projectCreate: {
    name: { type: 'text', evidence: 'assumed' },
  },
  renameProjectRequest: {
    name: { type: 'text', evidence: 'assumed' },
  },
  operation: {
    id: { type: 'id', of: 'operation', evidence: 'assumed' },
    type: { type: 'enum', enum: 'resourceOperation', evidence: 'assumed' },
    status: { type: 'enum', enum: 'apiOperationStatus', evidence: 'assumed' },
    resourceType: { type: 'enum', enum: 'resourceType', evidence: 'assumed' },
    resourceId: { type: 'id', of: 'resource', evidence: 'assumed' },
    createdAt: { type: 'time', evidence: 'assumed' },
    completedAt: { type: 'time', isNullable: true, evidence: 'assumed' },
    failureCode: { type: 'enum', enum: 'operationFailureCode', isNullable: true, evidence: 'specified' },
  },
  sshKey: {
    id: { type: 'id', of: 'sshKey', evidence: 'assumed' },
    name: { type: 'text', evidence: 'specified' },
    publicKey: { type: 'text', evidence: 'specified' },
    fingerprint: { type: 'text', evidence: 'assumed' },
    createdAt: { type: 'time', evidence: 'assumed' },
  },
  sshKeyCreate: {
    name: { type: 'text', evidence: 'specified' },
    publicKey: { type: 'text', evidence: 'specified' },
  },
  network: {
    id: { type: 'id', of: 'network', evidence: 'assumed' },
    name: { type: 'text', evidence: 'specified' },
    status: { type: 'enum', enum: 'resourceStatus', evidence: 'specified' },
    cidr: { type: 'text', isNullable: true, evidence: 'published' },
    createdAt: { type: 'time', evidence: 'assumed' },
  },
  networkCreate: {
    name: { type: 'text', evidence: 'specified' },
  },
  attachment: {
    vmId: { type: 'id', of: 'vm', evidence: 'published' },
    internalIp: { type: 'text', isNullable: true, evidence: 'published' },
  },
  attachmentCreate: {
    vmId: { type: 'id', of: 'vm', evidence: 'published' },
  },
  attachmentUpdate: {
    internalIp: { type: 'text', evidence: 'published' },
  },
  publicIp: {
    id: { type: 'id', of: 'publicIp', evidence: 'assumed' },
    status: { type: 'enum', enum: 'resourceStatus', evidence: 'specified' },
    address: { type: 'text', isNullable: true, evidence: 'assumed' },
    vmId: { type: 'id', of: 'vm', isNullable: true, evidence: 'assumed' },
    saleId: { type: 'id', of: 'sale', isNullable: true, evidence: 'assumed' },
    createdAt: { type: 'time', evidence: 'assumed' },
  },
  portForward: {
    id: { type: 'id', of: 'portForward', evidence: 'assumed' },
    protocol: { type: 'enum', enum: 'portProtocol', evidence: 'assumed' },
    publicPort: { type: 'number', evidence: 'assumed' },
    vmId: { type: 'id', of: 'vm', evidence: 'assumed' },
    vmPort: { type: 'number', evidence: 'assumed' },
    status: { type: 'enum', enum: 'resourceStatus', evidence: 'assumed' },
  },
  portForwardCreate: {
    protocol: { type: 'enum', enum: 'portProtocol', evidence: 'assumed' },
    publicPort: { type: 'number', evidence: 'assumed' },
    vmId: { type: 'id', of: 'vm', evidence: 'assumed' },
    vmPort: { type: 'number', evidence: 'assumed' },
  },
  portForwardUpdate: {
    publicPort: { type: 'number', isOptional: true, evidence: 'assumed' },
    vmId: { type: 'id', of: 'vm', isOptional: true, evidence: 'assumed' },
    vmPort: { type: 'number', isOptional: true, evidence: 'assumed' },
  },
  vmNetwork: {
    networkId: { type: 'id', of: 'network', evidence: 'published' },
    internalIp: { type: 'text', isNullable: true, evidence: 'published' },
  },
  vm: {
    id: { type: 'id', of: 'vm', evidence: 'published' },
    name: { type: 'text', evidence: 'published' },
    status: { type: 'enum', enum: 'resourceStatus', evidence: 'specified' },
    operation: { type: 'enum', enum: 'resourceOperation', isNullable: true, evidence: 'specified' },
    operationStatus: { type: 'enum', enum: 'apiOperationStatus', isNullable: true, evidence: 'specified' },
    bootStatus: { type: 'enum', enum: 'vmBootStatus', evidence: 'published' },
    configurationId: { type: 'id', of: 'configuration', evidence: 'assumed' },
    imageId: { type: 'id', of: 'image', evidence: 'assumed' },
    tariffId: { type: 'id', of: 'tariff', evidence: 'assumed' },
    cpu: { type: 'number', evidence: 'published' },
    ram: { type: 'number', evidence: 'published' },
    disk: { type: 'number', evidence: 'published' },
    networks: { type: 'record', record: 'vmNetwork', isList: true, evidence: 'published' },
    publicIpId: { type: 'id', of: 'publicIp', isNullable: true, evidence: 'assumed' },
    sshKeyIds: { type: 'id', of: 'sshKey', isList: true, evidence: 'assumed' },
    plugins: { type: 'text', isList: true, evidence: 'assumed' },
    saleId: { type: 'id', of: 'sale', isNullable: true, evidence: 'assumed' },
    createdAt: { type: 'time', evidence: 'assumed' },
  },
  vmCreate: {
    name: { type: 'text', evidence: 'published' },
    imageId: { type: 'id', of: 'image', evidence: 'published' },
    tariffId: { type: 'id', of: 'tariff', evidence: 'published' },
    configurationId: { type: 'id', of: 'configuration', evidence: 'published' },
    sshKeyIds: { type: 'id', of: 'sshKey', isList: true, isOptional: true, evidence: 'published' },
    sshPublicKeys: { type: 'text', isList: true, isOptional: true, evidence: 'published' },
    publicIpMode: { type: 'enum', enum: 'publicIpMode', isOptional: true, evidence: 'published' },
    publicIpId: { type: 'id', of: 'publicIp', isOptional: true, evidence: 'assumed' },
    plugins: { type: 'text', isList: true, isOptional: true, evidence: 'published' },
  },
  rebuildVmRequest: {
    deleteBackups: { type: 'boolean', isOptional: true, evidence: 'specified' },
    imageId: { type: 'id', of: 'image', isOptional: true, evidence: 'assumed' },
    sshKeyIds: { type: 'id', of: 'sshKey', isList: true, isOptional: true, evidence: 'assumed' },
  },
  resizeVmRequest: {
    configurationId: { type: 'id', of: 'configuration', isOptional: true, evidence: 'assumed' },
  },
  vmStatusCounts: {
    creating: { type: 'number', evidence: 'assumed' },
    active: { type: 'number', evidence: 'assumed' },
    updating: { type: 'number', evidence: 'assumed' },
    deleting: { type: 'number', evidence: 'assumed' },
    failed: { type: 'number', evidence: 'assumed' },
  },
  vmPowerStateCounts: {
    running: { type: 'number', evidence: 'assumed' },
    stopped: { type: 'number', evidence: 'assumed' },
    starting: { type: 'number', evidence: 'assumed' },
    stopping: { type: 'number', evidence: 'assumed' },
    rebooting: { type: 'number', evidence: 'assumed' },
  },
  vmStateCounts: {
    status: { type: 'record', record: 'vmStatusCounts', evidence: 'assumed' },
    powerState: { type: 'record', record: 'vmPowerStateCounts', evidence: 'assumed' },
  },
  metricPoint: {
    at: { type: 'time', evidence: 'assumed' },
    value: { type: 'number', evidence: 'assumed' },
  },
  metricSeries: {
    name: { type: 'text', evidence: 'assumed' },
    unit: { type: 'text', evidence: 'assumed' },
    points: { type: 'record', record: 'metricPoint', isList: true, evidence: 'assumed' },
  },
  vmMetrics: {
    series: { type: 'record', record: 'metricSeries', isList: true, evidence: 'assumed' },
  },
  backup: {
    id: { type: 'id', of: 'backup', evidence: 'assumed' },
    status: { type: 'enum', enum: 'resourceStatus', evidence: 'assumed' },
    createdAt: { type: 'time', evidence: 'assumed' },
    size: { type: 'number', evidence: 'assumed' },
    sourceImageId: { type: 'id', of: 'image', isNullable: true, evidence: 'specified' },
  },
  configuration: {
    id: { type: 'id', of: 'configuration', evidence: 'assumed' },
    name: { type: 'text', evidence: 'assumed' },
    cpu: { type: 'number', evidence: 'assumed' },
    ram: { type: 'number', evidence: 'assumed' },
    disk: { type: 'number', evidence: 'assumed' },
    availability: { type: 'enum', enum: 'configurationAvailability', evidence: 'specified' },
    maxCount: { type: 'number', evidence: 'specified' },
  },
  image: {
    id: { type: 'id', of: 'image', evidence: 'assumed' },
    name: { type: 'text', evidence: 'assumed' },
    os: { type: 'text', evidence: 'assumed' },
  },
  tariff: {
    id: { type: 'id', of: 'tariff', evidence: 'assumed' },
    name: { type: 'text', evidence: 'assumed' },
    price: { type: 'number', evidence: 'assumed' },
    currency: { type: 'text', evidence: 'assumed' },
    period: { type: 'text', evidence: 'assumed' },
  },
  notification: {
    id: { type: 'id', of: 'notification', evidence: 'assumed' },
    type: { type: 'text', evidence: 'assumed' },
    title: { type: 'text', evidence: 'assumed' },
    message: { type: 'text', evidence: 'assumed' },
    resourceType: { type: 'enum', enum: 'resourceType', isNullable: true, evidence: 'assumed' },
    resourceId: { type: 'id', of: 'resource', isNullable: true, evidence: 'assumed' },
    projectId: { type: 'id', of: 'project', isNullable: true, evidence: 'assumed' },
    read: { type: 'boolean', evidence: 'assumed' },
    createdAt: { type: 'time', evidence: 'assumed' },
  },
  unreadCount: {
    count: { type: 'number', evidence: 'assumed' },
  },
  notificationPreferences: {
    operationSucceeded: { type: 'boolean', evidence: 'assumed' },
    operationFailed: { type: 'boolean', evidence: 'assumed' },
    quotaLow: { type: 'boolean', evidence: 'assumed' },
  },
  notificationPreferencesUpdate: {
    operationSucceeded: { type: 'boolean', evidence: 'assumed' },
    operationFailed: { type: 'boolean', evidence: 'assumed' },
    quotaLow: { type: 'boolean', evidence: 'assumed' },
  },
  sale: {
    id: { type: 'id', of: 'sale', evidence: 'assumed' },
    resourceType: { type: 'enum', enum: 'resourceType', evidence: 'assumed' },
    resourceId: { type: 'id', of: 'resource', evidence: 'assumed' },
    tariffId: { type: 'id', of: 'tariff', evidence: 'assumed' },
    renewal: { type: 'enum', enum: 'renewalState', evidence: 'assumed' },
    paidUntil: { type: 'time', evidence: 'assumed' },
  },
};

/** Records that are another one, and more. */
export const recordBases: Readonly<Record<string, string>> = {
  apiProblem: 'problem',
  createdToken: 'token',
};

/** The words of the contract's enums. */
// prettier-ignore
export const enumWords: Readonly<Record<string, readonly string[]>> = {
  portProtocol: ['tcp', 'udp'],
  resourceStatus: ['creating', 'active', 'updating', 'deleting', 'failed'],
  apiOperationStatus: ['Queued', 'Running', 'InProgress', 'Succeeded', 'Failed'],
  resourceOperation: ['Provision', 'CreateBackup', 'Start', 'Stop', 'Reboot', 'Rebuild', 'Delete', 'RestoreBackup', 'DeleteBackup', 'AttachNetwork', 'DetachNetwork', 'UpdateAttachment', 'CreateNetwork', 'DeleteNetwork', 'AllocatePublicIp', 'ReleasePublicIp', 'CreatePortForward', 'UpdatePortForward', 'DeletePortForward'],
  vmBootStatus: ['Running', 'Stopped', 'Starting', 'Stopping', 'Rebooting'],
  operationFailureCode: ['insufficientCapacity', 'timeout', 'internal'],
  resourceType: ['vm', 'network', 'publicIp', 'portForward', 'backup'],
  tokenScope: ['full', 'read', 'compute', 'network', 'account', 'tokens'],
  configurationAvailability: ['available', 'limited', 'unavailable'],
  publicIpMode: ['new', 'existing', 'none'],
  renewalState: ['active', 'cancelled'],
};

// prettier-ignore
export const operationShapes: Readonly<Record<OperationId, OperationShape>> = {
  getLimits: { params: [], query: [], answer: 'limits', evidence: 'specified' },
  getNameLengthLimits: { params: [], query: [], answer: 'nameLengthLimits', evidence: 'specified' },
  getAccount: { params: [], query: [], answer: 'account', evidence: 'assumed' },
  updateAccountLocale: { params: [], query: [], body: 'localeUpdate', answer: 'account', evidence: 'specified' },
  listTokens: { params: [], query: [], answer: 'token', isList: true, evidence: 'specified' },
  createToken: { params: [], query: [], body: 'tokenCreate', answer: 'createdToken', evidence: 'assumed' },
  getToken: { params: ['tokenId'], query: [], answer: 'token', evidence: 'assumed' },
  deleteToken: { params: ['tokenId'], query: [], evidence: 'assumed' },
  renameToken: { params: ['tokenId'], query: [], body: 'renameRequest', answer: 'token', evidence: 'assumed' },
  listProjects: { params: [], query: ['page', 'pageSize'], answer: 'project', isList: true, evidence: 'specified' },
  createProject: { params: [], query: [], body: 'projectCreate', answer: 'project', evidence: 'assumed' },
  getProject: { params: ['projectId'], query: [], answer: 'project', evidence: 'assumed' },
  deleteProject: { params: ['projectId'], query: [], evidence: 'assumed' },
  renameProject: { params: ['projectId'], query: [], body: 'renameProjectRequest', answer: 'project', evidence: 'specified' },
  listOperations: { params: ['projectId'], query: ['resourceId', 'status', 'page', 'pageSize'], answer: 'operation', isList: true, evidence: 'specified' },
  getOperation: { params: ['projectId', 'operationId'], query: [], answer: 'operation', evidence: 'specified' },
  listSshKeys: { params: ['projectId'], query: [], answer: 'sshKey', isList: true, evidence: 'assumed' },
  createSshKey: { params: ['projectId'], query: [], body: 'sshKeyCreate', answer: 'sshKey', evidence: 'assumed' },
  getSshKey: { params: ['projectId', 'sshKeyId'], query: [], answer: 'sshKey', evidence: 'assumed' },
  deleteSshKey: { params: ['projectId', 'sshKeyId'], query: [], evidence: 'assumed' },
  renameSshKey: { params: ['projectId', 'sshKeyId'], query: [], body: 'renameRequest', answer: 'sshKey', evidence: 'assumed' },
  listNetworks: { params: ['projectId'], query: ['page', 'pageSize'], answer: 'network', isList: true, evidence: 'published' },
  createNetwork: { params: ['projectId'], query: [], body: 'networkCreate', evidence: 'published' },
  getNetwork: { params: ['projectId', 'networkId'], query: [], answer: 'network', evidence: 'assumed' },
  deleteNetwork: { params: ['projectId', 'networkId'], query: [], evidence: 'assumed' },
  renameNetwork: { params: ['projectId', 'networkId'], query: [], body: 'renameRequest', answer: 'network', evidence: 'assumed' },
  listNetworkVms: { params: ['projectId', 'networkId'], query: [], answer: 'attachment', isList: true, evidence: 'assumed' },
  attachVm: { params: ['projectId', 'networkId'], query: [], body: 'attachmentCreate', evidence: 'published' },
  updateAttachment: { params: ['projectId', 'networkId', 'vmId'], query: [], body: 'attachmentUpdate', evidence: 'published' },
  detachVm: { params: ['projectId', 'networkId', 'vmId'], query: [], evidence: 'published' },
  listPublicIps: { params: ['projectId'], query: ['page', 'pageSize'], answer: 'publicIp', isList: true, evidence: 'published' },
  createPublicIp: { params: ['projectId'], query: [], evidence: 'published' },
  getPublicIp: { params: ['projectId', 'publicIpId'], query: [], answer: 'publicIp', evidence: 'published' },
  deletePublicIp: { params: ['projectId', 'publicIpId'], query: [], evidence: 'published' },
  listPortForwards: { params: ['projectId', 'publicIpId'], query: [], answer: 'portForward', isList: true, evidence: 'published' },
  createPortForward: { params: ['projectId', 'publicIpId'], query: [], body: 'portForwardCreate', evidence: 'published' },
  getPortForward: { params: ['projectId', 'publicIpId', 'portForwardId'], query: [], answer: 'portForward', evidence: 'assumed' },
  updatePortForward: { params: ['projectId', 'publicIpId', 'portForwardId'], query: [], body: 'portForwardUpdate', evidence: 'published' },
  deletePortForward: { params: ['projectId', 'publicIpId', 'portForwardId'], query: [], evidence: 'published' },
  listVms: { params: ['projectId'], query: ['page', 'pageSize'], answer: 'vm', isList: true, evidence: 'published' },
  createVm: { params: ['projectId'], query: [], body: 'vmCreate', evidence: 'published' },
  getVmStateCounts: { params: ['projectId'], query: [], answer: 'vmStateCounts', evidence: 'specified' },
  getVm: { params: ['projectId', 'vmId'], query: [], answer: 'vm', evidence: 'specified' },
  deleteVm: { params: ['projectId', 'vmId'], query: [], evidence: 'assumed' },
  renameVm: { params: ['projectId', 'vmId'], query: [], body: 'renameRequest', answer: 'vm', evidence: 'assumed' },
  startVm: { params: ['projectId', 'vmId'], query: [], evidence: 'published' },
  stopVm: { params: ['projectId', 'vmId'], query: [], evidence: 'published' },
  rebootVm: { params: ['projectId', 'vmId'], query: [], evidence: 'published' },
  rebuildVm: { params: ['projectId', 'vmId'], query: [], body: 'rebuildVmRequest', evidence: 'specified' },
  resizeVm: { params: ['projectId', 'vmId'], query: [], body: 'resizeVmRequest', evidence: 'specified' },
  getVmMetrics: { params: ['projectId', 'vmId'], query: [], answer: 'vmMetrics', evidence: 'specified' },
  listBackups: { params: ['projectId', 'vmId'], query: [], answer: 'backup', isList: true, evidence: 'specified' },
  createBackup: { params: ['projectId', 'vmId'], query: [], evidence: 'specified' },
  getBackup: { params: ['projectId', 'vmId', 'backupId'], query: [], answer: 'backup', evidence: 'published' },
  deleteBackup: { params: ['projectId', 'vmId', 'backupId'], query: [], evidence: 'specified' },
  restoreBackup: { params: ['projectId', 'vmId', 'backupId'], query: [], evidence: 'published' },
  listConfigurations: { params: [], query: [], answer: 'configuration', isList: true, evidence: 'specified' },
  getConfiguration: { params: ['configurationId'], query: [], answer: 'configuration', evidence: 'assumed' },
  listImages: { params: [], query: [], answer: 'image', isList: true, evidence: 'published' },
  getImage: { params: ['imageId'], query: [], answer: 'image', evidence: 'assumed' },
  listTariffs: { params: [], query: [], answer: 'tariff', isList: true, evidence: 'published' },
  getTariff: { params: ['tariffId'], query: [], answer: 'tariff', evidence: 'assumed' },
  listNotifications: { params: [], query: ['page', 'pageSize'], answer: 'notification', isList: true, evidence: 'specified' },
  getUnreadNotificationCount: { params: [], query: [], answer: 'unreadCount', evidence: 'specified' },
  markNotificationRead: { params: ['notificationId'], query: [], evidence: 'specified' },
  markAllNotificationsRead: { params: [], query: [], evidence: 'assumed' },
  getNotificationPreferences: { params: [], query: [], answer: 'notificationPreferences', evidence: 'specified' },
  updateNotificationPreferences: { params: [], query: [], body: 'notificationPreferencesUpdate', answer: 'notificationPreferences', evidence: 'specified' },
  listSales: { params: [], query: [], answer: 'sale', isList: true, evidence: 'assumed' },
  getSale: { params: ['saleId'], query: [], answer: 'sale', evidence: 'assumed' },
  cancelSaleRenewal: { params: ['saleId'], query: [], answer: 'sale', evidence: 'specified' },
  resumeSaleRenewal: { params: ['saleId'], query: [], answer: 'sale', evidence: 'specified' },
};
