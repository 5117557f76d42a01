import type { OperationId } from '../../src/api/contract/routes.ts';
import { publicKey, vmRequest, type Ask, type Bench } from './bench.ts';

/** How one operation is asked for so that it succeeds on a furnished bench. */
export interface HappyCase {
  /** What must be done before. */
  readonly prepare?: (bench: Bench) => Promise<unknown>;
  /** Computed after `prepare`. */
  readonly body?: (bench: Bench) => unknown;
  readonly query?: Ask['query'];
}

const detach = async (bench: Bench) => {
  await bench.get('detachVm');
  bench.pass(10);
};
const deleteForward = async (bench: Bench) => {
  await bench.get('deletePortForward');
  bench.pass(10);
};
const empty = async (bench: Bench) => {
  await deleteForward(bench);
  await bench.get('deleteVm');
  bench.pass(20);
  await bench.get('deletePublicIp');
  await bench.get('deleteNetwork');
  await bench.get('deleteSshKey');
  bench.pass(20);
};
const rename = () => ({ name: 'renamed' });

/** Every operation: it does not compile when one is missing. Resize never succeeds. */
export const happyCases: Readonly<Record<Exclude<OperationId, 'resizeVm'>, HappyCase>> = {
  getLimits: {},
  getNameLengthLimits: {},
  getAccount: {},
  updateAccountLocale: { body: () => ({ locale: 'de-CH' }) },
  listTokens: {},
  createToken: { body: () => ({ name: 'ci', scopes: ['compute', 'network'] }) },
  getToken: {},
  renameToken: { body: rename },
  deleteToken: {},
  listProjects: { query: { page: 1, pageSize: 5 } },
  createProject: { body: () => ({ name: 'blog' }) },
  getProject: {},
  renameProject: { body: rename },
  deleteProject: { prepare: empty },
  listOperations: { query: { status: 'Succeeded' } },
  getOperation: {},
  listSshKeys: {},
  createSshKey: { body: () => ({ name: 'bob', publicKey }) },
  getSshKey: {},
  renameSshKey: { body: rename },
  deleteSshKey: {},
  listNetworks: {},
  createNetwork: { body: () => ({ name: 'frontend' }) },
  getNetwork: {},
  renameNetwork: { body: rename },
  deleteNetwork: { prepare: detach },
  listNetworkVms: {},
  attachVm: { prepare: detach, body: ({ params }) => ({ vmId: params.vmId }) },
  updateAttachment: { body: () => ({ internalIp: '10.0.0.77' }) },
  detachVm: {},
  listPublicIps: {},
  createPublicIp: {},
  getPublicIp: {},
  deletePublicIp: { prepare: deleteForward },
  listPortForwards: {},
  createPortForward: {
    body: ({ params }) => ({ protocol: 'udp', publicPort: 53, vmId: params.vmId, vmPort: 53 }),
  },
  getPortForward: {},
  updatePortForward: { body: () => ({ publicPort: 8080 }) },
  deletePortForward: {},
  listVms: {},
  createVm: { body: () => vmRequest('db') },
  getVmStateCounts: {},
  getVm: {},
  renameVm: { body: rename },
  deleteVm: {},
  startVm: {},
  stopVm: {},
  rebootVm: {},
  rebuildVm: { body: () => ({ imageId: 'img-debian-13', deleteBackups: true }) },
  getVmMetrics: {},
  listBackups: {},
  createBackup: {},
  getBackup: {},
  restoreBackup: {},
  deleteBackup: {},
  listConfigurations: {},
  getConfiguration: {},
  listImages: {},
  getImage: {},
  listTariffs: {},
  getTariff: {},
  listNotifications: {},
  getUnreadNotificationCount: {},
  markNotificationRead: {},
  markAllNotificationsRead: {},
  getNotificationPreferences: {},
  updateNotificationPreferences: {
    body: () => ({ operationSucceeded: true, operationFailed: false, quotaLow: false }),
  },
  listSales: {},
  getSale: {},
  cancelSaleRenewal: {},
  resumeSaleRenewal: {},
};
