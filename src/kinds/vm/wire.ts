import type { ListCodec, ResolvedCommandOf } from '../../api/contract/codec.ts';
import type { WireVm, WireVmBootStatus, WireVmNetwork } from '../../api/contract/types.ts';
import type { ToldField } from '../../model/account/told.ts';
import type { LiveAttachment } from './model.ts';
import {
  isRecord,
  readCreation,
  readId,
  readRecord,
  readText,
  statusWords,
  tellItems,
  tellNumber,
  tellOptionalReference,
  tellOptionalText,
  tellReference,
  readToldText,
  readContractWord,
} from '../../model/wire/decode-fields.ts';

function decodeAttachment(wire: unknown): ToldField<LiveAttachment> {
  if (!isRecord(wire)) return undefined;
  const record = readRecord<WireVmNetwork>(wire, 'an attachment');
  const networkId = tellReference(record.networkId);
  return networkId === undefined
    ? undefined
    : { networkId, internalIp: tellOptionalText(record.internalIp) };
}

/** Path parameters of requests about one VM. */
function paramsOf({ project, vm }: { readonly project: string; readonly vm: string }) {
  return { params: { projectId: project, vmId: vm } };
}

function encodePublicIp(publicIp: ResolvedCommandOf<'createVm'>['publicIp']) {
  return publicIp === 'new' || publicIp === 'none'
    ? ({ publicIpMode: publicIp } as const)
    : ({ publicIpMode: 'existing', publicIpId: publicIp } as const);
}

const bootWords: readonly WireVmBootStatus[] = [
  'Running',
  'Stopped',
  'Starting',
  'Stopping',
  'Rebooting',
];

/** Requests and decoder for VMs. */
export const vmWire: ListCodec<'vm'> = {
  list: ({ projectId }) => ({ operation: 'listVms', params: { projectId } }),
  get: ({ projectId }, vmId) => ({ operation: 'getVm', params: { projectId, vmId } }),
  decode(wire, { projectId }) {
    const record = readRecord<WireVm>(wire, 'a VM');
    return {
      kind: 'vm',
      id: readId(record.id, 'a VM'),
      projectId,
      name: readToldText(record.name),
      status: readContractWord(record.status, statusWords),
      operation: readText(record.operation),
      operationStatus: readText(record.operationStatus),
      bootStatus: readContractWord(record.bootStatus, bootWords),
      configurationId: tellReference(record.configurationId),
      imageId: tellReference(record.imageId),
      tariffId: tellReference(record.tariffId),
      cpu: tellNumber(record.cpu),
      ram: tellNumber(record.ram),
      disk: tellNumber(record.disk),
      networks: tellItems(record.networks, decodeAttachment),
      publicIpId: tellOptionalReference(record.publicIpId),
      sshKeyIds: tellItems(record.sshKeyIds, tellReference),
      plugins: tellItems(record.plugins, readToldText),
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
      body: { imageId, ...(sshKeys && { sshKeyIds: [...sshKeys] }), deleteBackups },
    }),
    attachVm: ({ project, vm, network }) => ({
      params: { projectId: project, networkId: network },
      body: { vmId: vm },
    }),
    detachVm: ({ project, vm, network }) => ({
      params: { projectId: project, networkId: network, vmId: vm },
    }),
    // A sale has a path of its own; the sale of the VM was looked up before.
    resumeSaleRenewal: ({ sale }) => ({ params: { saleId: sale ?? '' } }),
    cancelSaleRenewal: ({ sale }) => ({ params: { saleId: sale ?? '' } }),
    deleteVm: paramsOf,
  },
};
