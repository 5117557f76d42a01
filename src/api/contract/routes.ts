/**
 * Generated from schemas/openapi.yaml by `npm run generate`. Do not edit.
 */

import type { operations } from './schema.ts';

export type OperationId = keyof operations;

export interface Route {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the base address; `{name}` stands for a path parameter. */
  readonly path: string;
  /** The status of success; null for an operation that never succeeds. */
  readonly success: 200 | 201 | 202 | 204 | null;
}

// prettier-ignore
export const routes = {
  getLimits: { method: 'GET', path: '/limits', success: 200 },
  getNameLengthLimits: { method: 'GET', path: '/limits/name-lengths', success: 200 },
  getAccount: { method: 'GET', path: '/account', success: 200 },
  updateAccountLocale: { method: 'PUT', path: '/account/locale', success: 200 },
  listTokens: { method: 'GET', path: '/tokens', success: 200 },
  createToken: { method: 'POST', path: '/tokens', success: 201 },
  getToken: { method: 'GET', path: '/tokens/{tokenId}', success: 200 },
  deleteToken: { method: 'DELETE', path: '/tokens/{tokenId}', success: 204 },
  renameToken: { method: 'PATCH', path: '/tokens/{tokenId}/rename', success: 200 },
  listProjects: { method: 'GET', path: '/projects', success: 200 },
  createProject: { method: 'POST', path: '/projects', success: 201 },
  getProject: { method: 'GET', path: '/projects/{projectId}', success: 200 },
  deleteProject: { method: 'DELETE', path: '/projects/{projectId}', success: 204 },
  renameProject: { method: 'PATCH', path: '/projects/{projectId}/rename', success: 200 },
  listOperations: { method: 'GET', path: '/projects/{projectId}/operations', success: 200 },
  getOperation: { method: 'GET', path: '/projects/{projectId}/operations/{operationId}', success: 200 },
  listSshKeys: { method: 'GET', path: '/projects/{projectId}/ssh-keys', success: 200 },
  createSshKey: { method: 'POST', path: '/projects/{projectId}/ssh-keys', success: 201 },
  getSshKey: { method: 'GET', path: '/projects/{projectId}/ssh-keys/{sshKeyId}', success: 200 },
  deleteSshKey: { method: 'DELETE', path: '/projects/{projectId}/ssh-keys/{sshKeyId}', success: 204 },
  renameSshKey: { method: 'PATCH', path: '/projects/{projectId}/ssh-keys/{sshKeyId}/rename', success: 200 },
  listNetworks: { method: 'GET', path: '/projects/{projectId}/networks', success: 200 },
  createNetwork: { method: 'POST', path: '/projects/{projectId}/networks', success: 202 },
  getNetwork: { method: 'GET', path: '/projects/{projectId}/networks/{networkId}', success: 200 },
  deleteNetwork: { method: 'DELETE', path: '/projects/{projectId}/networks/{networkId}', success: 202 },
  renameNetwork: { method: 'PATCH', path: '/projects/{projectId}/networks/{networkId}/rename', success: 200 },
  listNetworkVms: { method: 'GET', path: '/projects/{projectId}/networks/{networkId}/vms', success: 200 },
  attachVm: { method: 'POST', path: '/projects/{projectId}/networks/{networkId}/vms', success: 202 },
  updateAttachment: { method: 'PATCH', path: '/projects/{projectId}/networks/{networkId}/vms/{vmId}', success: 202 },
  detachVm: { method: 'DELETE', path: '/projects/{projectId}/networks/{networkId}/vms/{vmId}', success: 202 },
  listPublicIps: { method: 'GET', path: '/projects/{projectId}/public-ips', success: 200 },
  createPublicIp: { method: 'POST', path: '/projects/{projectId}/public-ips', success: 202 },
  getPublicIp: { method: 'GET', path: '/projects/{projectId}/public-ips/{publicIpId}', success: 200 },
  deletePublicIp: { method: 'DELETE', path: '/projects/{projectId}/public-ips/{publicIpId}', success: 202 },
  listPortForwards: { method: 'GET', path: '/projects/{projectId}/public-ips/{publicIpId}/port-forwards', success: 200 },
  createPortForward: { method: 'POST', path: '/projects/{projectId}/public-ips/{publicIpId}/port-forwards', success: 202 },
  getPortForward: { method: 'GET', path: '/projects/{projectId}/public-ips/{publicIpId}/port-forwards/{portForwardId}', success: 200 },
  updatePortForward: { method: 'PATCH', path: '/projects/{projectId}/public-ips/{publicIpId}/port-forwards/{portForwardId}', success: 202 },
  deletePortForward: { method: 'DELETE', path: '/projects/{projectId}/public-ips/{publicIpId}/port-forwards/{portForwardId}', success: 202 },
  listVms: { method: 'GET', path: '/projects/{projectId}/vms', success: 200 },
  createVm: { method: 'POST', path: '/projects/{projectId}/vms', success: 202 },
  getVmStateCounts: { method: 'GET', path: '/projects/{projectId}/vms/state-counts', success: 200 },
  getVm: { method: 'GET', path: '/projects/{projectId}/vms/{vmId}', success: 200 },
  deleteVm: { method: 'DELETE', path: '/projects/{projectId}/vms/{vmId}', success: 202 },
  renameVm: { method: 'PATCH', path: '/projects/{projectId}/vms/{vmId}/rename', success: 200 },
  startVm: { method: 'POST', path: '/projects/{projectId}/vms/{vmId}/start', success: 202 },
  stopVm: { method: 'POST', path: '/projects/{projectId}/vms/{vmId}/stop', success: 202 },
  rebootVm: { method: 'POST', path: '/projects/{projectId}/vms/{vmId}/reboot', success: 202 },
  rebuildVm: { method: 'POST', path: '/projects/{projectId}/vms/{vmId}/rebuild', success: 202 },
  resizeVm: { method: 'POST', path: '/projects/{projectId}/vms/{vmId}/resize', success: null },
  getVmMetrics: { method: 'GET', path: '/projects/{projectId}/vms/{vmId}/metrics', success: 200 },
  listBackups: { method: 'GET', path: '/projects/{projectId}/vms/{vmId}/backups', success: 200 },
  createBackup: { method: 'POST', path: '/projects/{projectId}/vms/{vmId}/backups', success: 202 },
  getBackup: { method: 'GET', path: '/projects/{projectId}/vms/{vmId}/backups/{backupId}', success: 200 },
  deleteBackup: { method: 'DELETE', path: '/projects/{projectId}/vms/{vmId}/backups/{backupId}', success: 202 },
  restoreBackup: { method: 'POST', path: '/projects/{projectId}/vms/{vmId}/backups/{backupId}/restore', success: 202 },
  listConfigurations: { method: 'GET', path: '/configurations', success: 200 },
  getConfiguration: { method: 'GET', path: '/configurations/{configurationId}', success: 200 },
  listImages: { method: 'GET', path: '/images', success: 200 },
  getImage: { method: 'GET', path: '/images/{imageId}', success: 200 },
  listTariffs: { method: 'GET', path: '/tariffs', success: 200 },
  getTariff: { method: 'GET', path: '/tariffs/{tariffId}', success: 200 },
  listNotifications: { method: 'GET', path: '/notifications', success: 200 },
  getUnreadNotificationCount: { method: 'GET', path: '/notifications/unread-count', success: 200 },
  markNotificationRead: { method: 'POST', path: '/notifications/{notificationId}/read', success: 204 },
  markAllNotificationsRead: { method: 'POST', path: '/notifications/read-all', success: 204 },
  getNotificationPreferences: { method: 'GET', path: '/notifications/preferences', success: 200 },
  updateNotificationPreferences: { method: 'PUT', path: '/notifications/preferences', success: 200 },
  listSales: { method: 'GET', path: '/sales', success: 200 },
  getSale: { method: 'GET', path: '/sales/{saleId}', success: 200 },
  cancelSaleRenewal: { method: 'POST', path: '/sales/{saleId}/renewal/cancel', success: 200 },
  resumeSaleRenewal: { method: 'POST', path: '/sales/{saleId}/renewal/resume', success: 200 },
} as const satisfies Record<OperationId, Route>;
