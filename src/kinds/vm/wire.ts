import { enumWords } from '../../api/contract/shapes.ts';
import type { ListedKindCodec, ResolvedCommandOf } from '../../api/contract/codec.ts';
import type { WireVm, WireVmBootStatus, WireVmNetwork } from '../../api/contract/types.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';
import type { LiveAttachment } from './model.ts';
import {
  readCreationTime,
  readWireId,
  readWireRecord,
  lifecycleStatusWords,
  decodeLiveList,
  readLiveNumber,
  readOptionalLiveReference,
  readOptionalLiveText,
  readLiveReference,
  readLiveText,
  readContractWord,
} from '../../model/wire/decode-fields.ts';
import { isJsonObject } from '../../model/json-object.ts';

function decodeAttachment(wire: unknown): ReportedOrUntoldField<LiveAttachment> {
  if (!isJsonObject(wire)) return undefined;
  const record = readWireRecord<WireVmNetwork>(wire, 'an attachment');
  const networkId = readLiveReference(record.networkId);
  return networkId === undefined
    ? undefined
    : { networkId, internalIp: readOptionalLiveText(record.internalIp) };
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

/** Words for the power of a VM that the contract defines. */
export const vmBootStatuses: readonly WireVmBootStatus[] = [
  'Running',
  'Stopped',
  'Starting',
  'Stopping',
  'Rebooting',
];

/** Requests and decoder for VMs. */
export const vmWireFormat: ListedKindCodec<'vm'> = {
  list: ({ projectId }) => ({ operation: 'listVms', params: { projectId } }),
  get: ({ projectId }, vmId) => ({ operation: 'getVm', params: { projectId, vmId } }),
  decode(wire, { projectId }) {
    const record = readWireRecord<WireVm>(wire, 'a VM');
    return {
      kind: 'vm',
      id: readWireId(record.id, 'a VM'),
      projectId,
      name: readLiveText(record.name),
      status: readContractWord(record.status, lifecycleStatusWords),
      operation: readContractWord(record.operation, enumWords.resourceOperation ?? []) ?? null,
      operationStatus:
        readContractWord(record.operationStatus, enumWords.apiOperationStatus ?? []) ?? null,
      bootStatus: readContractWord(record.bootStatus, vmBootStatuses),
      configurationId: readLiveReference(record.configurationId),
      imageId: readLiveReference(record.imageId),
      tariffId: readLiveReference(record.tariffId),
      cpu: readLiveNumber(record.cpu),
      ram: readLiveNumber(record.ram),
      disk: readLiveNumber(record.disk),
      networks: decodeLiveList(record.networks, decodeAttachment),
      publicIpId: readOptionalLiveReference(record.publicIpId),
      sshKeyIds: decodeLiveList(record.sshKeyIds, readLiveReference),
      plugins: decodeLiveList(record.plugins, readLiveText),
      ...readCreationTime(wire),
    };
  },
  entries: { imageId: 'images', configurationId: 'configurations', tariffId: 'tariffs' },
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
