// Needs of the operations of the contract, and the consequence at a service that lacks one.
import type { OperationId } from './routes.ts';

/** Purpose for which Hostwright needs an operation of the contract, and the consequence where a service lacks the operation. */
export interface OperationPurpose {
  /** Noun for the feature that needs the operation, for a message where the service lacks it. */
  readonly neededFor: string;
  /** The consequence of its absence, a sentence without its full stop; absent where what needs it cannot be done. */
  readonly without?: string;
  /** A member without which it does harm: a rebuild without its image loses the disk, and changes nothing. */
  readonly essential?: string;
}

/** Purpose of each operation of the contract, for messages about a service that lacks it. */
// prettier-ignore
export const operationPurposes: Readonly<Record<OperationId, OperationPurpose>> = {
  getLimits: { neededFor: 'quotas', without: 'Quotas are not proven before an apply' },
  getNameLengthLimits: { neededFor: 'the maximum lengths of names', without: 'The lengths of names are not proven before an apply' },
  getAccount: { neededFor: 'the account' },
  updateAccountLocale: { neededFor: 'the locale of the account' },
  listTokens: { neededFor: 'access tokens', without: 'None is known, and a plan with access tokens in it fails' },
  createToken: { neededFor: 'new access tokens' },
  getToken: { neededFor: 'one access token', without: 'It is looked for in the list' },
  deleteToken: { neededFor: 'the deletion of access tokens' },
  renameToken: { neededFor: 'the renaming of access tokens' },
  listProjects: { neededFor: 'everything' },
  createProject: { neededFor: 'new projects' },
  getProject: { neededFor: 'one project', without: 'It is looked for in the list' },
  deleteProject: { neededFor: 'the deletion of projects' },
  renameProject: { neededFor: 'the renaming of projects' },
  listOperations: { neededFor: 'the outcome of what takes time', without: 'Outcomes are judged by what the resources show, and a lost create is found by its list alone' },
  getOperation: { neededFor: 'the outcome of one operation', without: 'It is looked for among the newest operations of its project' },
  listSshKeys: { neededFor: 'SSH keys', without: 'None is known, and a plan with SSH keys in it fails' },
  createSshKey: { neededFor: 'new SSH keys' },
  getSshKey: { neededFor: 'one SSH key', without: 'It is looked for in the list' },
  deleteSshKey: { neededFor: 'the deletion of SSH keys' },
  renameSshKey: { neededFor: 'the renaming of SSH keys' },
  listNetworks: { neededFor: 'networks', without: 'None is known, and a plan with networks in it fails' },
  createNetwork: { neededFor: 'new networks' },
  getNetwork: { neededFor: 'one network', without: 'It is looked for in the list' },
  deleteNetwork: { neededFor: 'the deletion of networks' },
  renameNetwork: { neededFor: 'the renaming of networks' },
  listNetworkVms: { neededFor: 'the VMs of a network', without: 'Nothing needs it but the command that lists them' },
  attachVm: { neededFor: 'the attachment of VMs to networks' },
  updateAttachment: { neededFor: 'internal addresses' },
  detachVm: { neededFor: 'the detachment of VMs from networks' },
  listPublicIps: { neededFor: 'public IPs', without: 'None is known, and a plan with public IPs in it fails' },
  createPublicIp: { neededFor: 'new public IPs' },
  getPublicIp: { neededFor: 'one public IP', without: 'It is looked for in the list' },
  deletePublicIp: { neededFor: 'the release of public IPs' },
  listPortForwards: { neededFor: 'port forwards', without: 'None is known, and a plan with port forwards in it fails' },
  createPortForward: { neededFor: 'new port forwards' },
  getPortForward: { neededFor: 'one port forward', without: 'It is looked for in the list' },
  updatePortForward: { neededFor: 'changes of port forwards' },
  deletePortForward: { neededFor: 'the deletion of port forwards' },
  listVms: { neededFor: 'VMs', without: 'None is known, and a plan with VMs in it fails' },
  createVm: { neededFor: 'new VMs' },
  getVmStateCounts: { neededFor: 'the counts of VMs', without: 'Nothing needs it' },
  getVm: { neededFor: 'one VM', without: 'It is looked for in the list' },
  deleteVm: { neededFor: 'the deletion of VMs' },
  renameVm: { neededFor: 'the renaming of VMs' },
  startVm: { neededFor: 'the start of VMs' },
  stopVm: { neededFor: 'the stop of VMs' },
  rebootVm: { neededFor: 'the reboot of VMs' },
  rebuildVm: { neededFor: 'rebuilds', essential: 'imageId' },
  resizeVm: { neededFor: 'nothing: the service refuses it', without: 'Nothing needs it' },
  getVmMetrics: { neededFor: 'the metrics of VMs', without: 'Nothing needs it but the command that shows them' },
  listBackups: { neededFor: 'backups', without: 'How many backups a plan loses is not known' },
  createBackup: { neededFor: 'new backups' },
  getBackup: { neededFor: 'one backup', without: 'It is looked for in the list' },
  deleteBackup: { neededFor: 'the deletion of backups' },
  restoreBackup: { neededFor: 'the restoration of backups' },
  listConfigurations: { neededFor: 'the configurations of VMs', without: 'A configuration is written by its id, and is not proven' },
  getConfiguration: { neededFor: 'one configuration', without: 'It is looked for in the list' },
  listImages: { neededFor: 'images', without: 'An image is written by its id, and is not proven' },
  getImage: { neededFor: 'one image', without: 'It is looked for in the list' },
  listTariffs: { neededFor: 'tariffs', without: 'A tariff is written by its id, and neither it nor what it costs is proven' },
  getTariff: { neededFor: 'one tariff', without: 'It is looked for in the list' },
  listNotifications: { neededFor: 'notifications' },
  getUnreadNotificationCount: { neededFor: 'the count of unread notifications', without: 'Nothing needs it' },
  markNotificationRead: { neededFor: 'the reading of notifications' },
  markAllNotificationsRead: { neededFor: 'the reading of all notifications' },
  getNotificationPreferences: { neededFor: 'the preferences of notifications' },
  updateNotificationPreferences: { neededFor: 'changes of those preferences' },
  listSales: { neededFor: 'sales and renewals', without: 'What renews is not known' },
  getSale: { neededFor: 'one sale', without: 'It is looked for in the list' },
  cancelSaleRenewal: { neededFor: 'the end of renewals' },
  resumeSaleRenewal: { neededFor: 'the renewal of sales' },
};
