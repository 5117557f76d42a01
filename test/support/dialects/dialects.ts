// Three services, far apart from each other and from the contract.
import type { RandomDialect } from './random-dialect.ts';

const forwards = '/projects/{projectId}/public-ips/{publicIpId}/port-mappings';
const renamed = { by: 'page', page: 'pageNumber', size: 'pageSize' } as const;
const paged = { items: '/results', total: '/total', page: renamed } as const;

/** Other words for the same, member by member, and another envelope. */
export const renamedCatalog: RandomDialect = {
  binding: {
    version: 1,
    lists: {
      ...{ listProjects: paged, listOperations: paged, listNetworks: paged, listPublicIps: paged },
      ...{ listVms: paged, listNotifications: paged },
    },
    operations: {
      ...{
        listConfigurations: 'GET /vm-sizes',
        getConfiguration: 'GET /vm-sizes/{configurationId}',
      },
      ...{ listImages: 'GET /os-images', getImage: 'GET /os-images/{imageId}' },
      ...{ listTariffs: 'GET /price-plans', getTariff: 'GET /price-plans/{tariffId}' },
      ...{ listPortForwards: `GET ${forwards}`, createPortForward: `POST ${forwards}` },
      getPortForward: `GET ${forwards}/{portForwardId}`,
      updatePortForward: `PATCH ${forwards}/{portForwardId}`,
      deletePortForward: `DELETE ${forwards}/{portForwardId}`,
    },
    fields: {
      vm: {
        ...{ configurationId: '/size/id', imageId: '/osImageId', tariffId: '/pricePlanId' },
        ...{ ram: '/ramGb', disk: '/diskGb', bootStatus: '/bootState' },
      },
      configuration: { ram: '/ramGb', disk: '/diskGb' },
      createVm: { configurationId: '/sizeId', imageId: '/osImageId', tariffId: '/pricePlanId' },
      ...{ rebuildVm: { imageId: '/osImageId' }, sale: { tariffId: '/pricePlanId' } },
      portForward: { publicPort: '/externalPort', vmPort: '/internalPort' },
      createPortForward: { publicPort: '/externalPort', vmPort: '/internalPort' },
      updatePortForward: { publicPort: '/externalPort', vmPort: '/internalPort' },
      operation: { completedAt: '/endedAt' },
    },
    enums: {
      apiOperationStatus: { Succeeded: 'Completed' },
      vmBootStatus: { Running: 'PoweredOn', Stopped: 'PoweredOff' },
    },
  },
  style: {
    id: (operation) => operation.replace(/^(list|get|create|delete|rename)(\w+)$/, '$2_$1'),
    schema: (record) => `${record}Dto`,
    param: (name) => name.replace(/^(?:portForward|configuration|tariff)Id$/, 'entryId'),
  },
};

const numbered = {
  items: '/data',
  total: '/meta/total',
  page: { by: 'offset', offset: 'offset', size: 'limit' },
} as const;

/** Servers on their own, by numbers; all answers wrapped; records in records. */
export const flatServers: RandomDialect = {
  binding: {
    version: 1,
    ids: { default: 'number' },
    lists: { listVms: numbered, listNetworks: numbered, listProjects: numbered },
    answers: {
      getVm: '/server',
      renameVm: '/server',
      getNetwork: '/network',
      getProject: '/project',
    },
    operations: {
      ...{ listVms: 'GET /servers', createVm: 'POST /servers', getVm: 'GET /servers/{vmId}' },
      ...{ deleteVm: 'DELETE /servers/{vmId}', renameVm: 'PUT /servers/{vmId}/name' },
      ...{ startVm: 'POST /servers/{vmId}:boot', stopVm: 'POST /servers/{vmId}:shutdown' },
      ...{ rebootVm: 'POST /servers/{vmId}:restart', rebuildVm: 'POST /servers/{vmId}:reinstall' },
      ...{ resizeVm: 'none', getVmMetrics: 'none', getVmStateCounts: 'none' },
      ...{
        listBackups: 'GET /servers/{vmId}/backups',
        createBackup: 'POST /servers/{vmId}/backups',
      },
      getBackup: 'GET /servers/{vmId}/backups/{backupId}',
      deleteBackup: 'DELETE /servers/{vmId}/backups/{backupId}',
      restoreBackup: 'POST /servers/{vmId}/backups/{backupId}/restore',
      listNetworkVms: 'GET /projects/{projectId}/networks/{networkId}/servers',
      attachVm: 'PUT /servers/{vmId}/networks/{networkId}',
      detachVm: 'DELETE /servers/{vmId}/networks/{networkId}',
      updateAttachment: 'PATCH /servers/{vmId}/networks/{networkId}',
    },
    parameters: {
      ...{
        listVms: { projectId: 'query project_id' },
        createVm: { projectId: 'body /project/id' },
      },
      ...{
        listBackups: { projectId: 'query project_id' },
        createBackup: { projectId: 'body /project_id' },
      },
      attachVm: { projectId: 'body /project_id' },
    },
    fields: {
      vm: {
        ...{ configurationId: '/flavor/id', imageId: '/image/id', sshKeyIds: '/keys/*/id' },
        ...{ ram: '/memory_mb', networks: '/interfaces', bootStatus: '/power_state' },
        publicIpId: { at: '/floating_ip/id', absent: 'none' },
      },
      vmNetwork: { networkId: '/network/id', internalIp: { at: '/private_ip', absent: 'none' } },
      createVm: { configurationId: '/flavor', imageId: '/image', sshKeyIds: '/ssh_keys' },
    },
    units: { vm: { ram: 'MB' } },
    enums: {
      resourceStatus: { creating: 'BUILD', failed: 'ERROR' },
      vmBootStatus: {
        Running: 'on',
        Stopped: 'off',
        Starting: 'booting',
        Stopping: 'shutting_down',
        Rebooting: 'restarting',
      },
    },
  },
  style: { openapi: '3.1', saysRequired: true, schema: (record) => `${record}_response` },
};

const marked = {
  items: '/nodes',
  page: { by: 'cursor', cursor: 'after', next: '/page/end', size: 'first' },
} as const;

/** Power by one action with a word, other nouns, lists by cursor, parts missing. */
export const actionsByBody: RandomDialect = {
  binding: {
    version: 1,
    lists: { listOperations: marked, listPublicIps: marked },
    answers: { getOperation: '/job' },
    operations: {
      listOperations: 'GET /projects/{projectId}/jobs',
      getOperation: 'GET /projects/{projectId}/jobs/{operationId}',
      listPublicIps: 'GET /projects/{projectId}/floating-ips',
      createPublicIp: 'POST /projects/{projectId}/floating-ips',
      getPublicIp: 'GET /projects/{projectId}/floating-ips/{publicIpId}',
      deletePublicIp: 'DELETE /projects/{projectId}/floating-ips/{publicIpId}',
      listPortForwards: 'GET /projects/{projectId}/floating-ips/{publicIpId}/nat-rules',
      createPortForward: 'POST /projects/{projectId}/floating-ips/{publicIpId}/nat-rules',
      getPortForward:
        'GET /projects/{projectId}/floating-ips/{publicIpId}/nat-rules/{portForwardId}',
      updatePortForward:
        'PUT /projects/{projectId}/floating-ips/{publicIpId}/nat-rules/{portForwardId}',
      deletePortForward:
        'DELETE /projects/{projectId}/floating-ips/{publicIpId}/nat-rules/{portForwardId}',
      startVm: 'POST /projects/{projectId}/vms/{vmId}/actions',
      stopVm: 'POST /projects/{projectId}/vms/{vmId}/actions',
      rebootVm: 'POST /projects/{projectId}/vms/{vmId}/actions',
      attachVm: 'POST /projects/{projectId}/networks/{networkId}/attach',
      detachVm: 'POST /projects/{projectId}/networks/{networkId}/detach',
      ...{ updateAttachment: 'none', listNetworkVms: 'none', getUnreadNotificationCount: 'none' },
      ...{
        getNotificationPreferences: 'none',
        updateNotificationPreferences: 'none',
        getLimits: 'none',
      },
    },
    parameters: {
      detachVm: { vmId: 'body /vmId' },
      listOperations: { resourceId: 'query targetId' },
    },
    constants: {
      startVm: { body: { '/type': 'power-on' } },
      stopVm: { body: { '/type': 'power-off' } },
      rebootVm: { body: { '/type': 'reboot' } },
    },
    fields: {
      operation: {
        type: '/kind',
        status: '/state',
        resourceId: '/target/id',
        resourceType: '/target/type',
      },
      sshKey: { publicKey: '/key/openssh', fingerprint: 'none' },
      createSshKey: { publicKey: '/key/openssh' },
      publicIp: { address: '/ip' },
    },
    enums: {
      apiOperationStatus: {
        Succeeded: ['done', 'finished'],
        Failed: 'error',
        InProgress: 'processing',
      },
      resourceType: { publicIp: 'floating_ip', portForward: 'nat_rule' },
    },
  },
  style: {
    id: (operation) => operation.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  },
};
