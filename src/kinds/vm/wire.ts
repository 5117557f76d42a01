import type { ListCodec, Resolved } from '../../api/contract/codec.ts';
import type { WireVm, WireVmNetwork } from '../../api/contract/types.ts';
import type { LiveAttachment } from './model.ts';
import {
  isRecord,
  readCreation,
  readId,
  readItems,
  readNumber,
  readRecord,
  readReference,
  readStatus,
  readText,
  readTexts,
} from '../../model/wire/decode-fields.ts';

function decodeAttachment(wire: unknown): LiveAttachment[] {
  if (!isRecord(wire)) return [];
  const record = readRecord<WireVmNetwork>(wire, 'an attachment');
  const networkId = readReference(record.networkId);
  return networkId === null ? [] : [{ networkId, internalIp: readText(record.internalIp) }];
}

/** The path of what is asked of one VM. */
function paramsOf({ project, vm }: { readonly project: string; readonly vm: string }) {
  return { params: { projectId: project, vmId: vm } };
}

function encodePublicIp(publicIp: Resolved<'createVm'>['publicIp']) {
  return publicIp === 'new' || publicIp === 'none'
    ? ({ publicIpMode: publicIp } as const)
    : ({ publicIpMode: 'existing', publicIpId: publicIp } as const);
}

/** A VM on the wire. */
export const vmWire: ListCodec<'vm'> = {
  list: ({ projectId }) => ({ operation: 'listVms', params: { projectId } }),
  get: ({ projectId }, vmId) => ({ operation: 'getVm', params: { projectId, vmId } }),
  decode(wire, { projectId }) {
    const record = readRecord<WireVm>(wire, 'a VM');
    return {
      kind: 'vm',
      id: readId(record.id, 'a VM'),
      projectId,
      name: readText(record.name) ?? '',
      status: readStatus(record.status),
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
      ...(!Array.isArray(record.plugins) && { hasUntoldPlugins: true }),
      ...readCreation(wire),
    };
  },
  encode: {
    createVm: ({ project, sshKeys, publicIp, plugins, ...vm }) => ({
      params: { projectId: project },
      body: {
        name: vm.name,
        imageId: vm.imageId,
        configurationId: vm.configurationId,
        tariffId: vm.tariffId,
        sshKeyIds: [...sshKeys],
        ...encodePublicIp(publicIp),
        plugins: [...plugins],
      },
    }),
    renameVm: (command) => ({ ...paramsOf(command), body: { name: command.name } }),
    startVm: paramsOf,
    stopVm: paramsOf,
    rebootVm: paramsOf,
    createBackup: paramsOf,
    restoreBackup: ({ project, vm, backup }) => ({
      params: { projectId: project, vmId: vm, backupId: backup },
    }),
    rebuildVm: ({ imageId, sshKeys, deleteBackups, ...place }) => ({
      ...paramsOf(place),
      body: { imageId, sshKeyIds: [...sshKeys], deleteBackups },
    }),
    attachVm: ({ project, vm, network }) => ({
      params: { projectId: project, networkId: network },
      body: { vmId: vm },
    }),
    detachVm: ({ project, vm, network }) => ({
      params: { projectId: project, networkId: network, vmId: vm },
    }),
    // A sale stands on its own: whose it is was looked up before.
    resumeSaleRenewal: ({ sale }) => ({ params: { saleId: sale ?? '' } }),
    cancelSaleRenewal: ({ sale }) => ({ params: { saleId: sale ?? '' } }),
    deleteVm: paramsOf,
  },
};
