import { formatHostAddress, findLowestFreeHost, readHostNumber } from '../rules/attachments.ts';
import { makeUpdateEffect, makeDeleteEffect } from '../rules/effects.ts';
import type { SandboxHandlerCall, SandboxHandlers } from './handler.ts';
import {
  findAttachmentRow,
  findNetworkRow,
  findVmRow,
  requireActiveResource,
} from '../rules/lookups.ts';
import { refuseLockedVm, startOperation } from '../rules/operations.ts';
import { createConflictRefusal, createInvalidRequestRefusal } from '../contract/problems.ts';
import {
  representAcceptedCommand,
  representAttachment,
} from '../representations/representations.ts';
import { sandboxTables } from '../store/rows.ts';

/** Finds the attached VM that a path names and starts an operation on it. */
function beginWork(call: SandboxHandlerCall<'updateAttachment' | 'detachVm'>) {
  const { projectId, networkId, vmId } = call.params;
  findAttachmentRow(call, projectId, networkId, vmId);
  const vm = findVmRow(call, projectId, vmId);
  refuseLockedVm(call, vm);
  requireActiveResource('VM', vm);
  call.store.update(sandboxTables.vms, { id: vmId }, { status: 'updating' });
  return { networkId, vmId };
}

const settled = (vmId: string) => makeUpdateEffect('vms', { id: vmId }, { status: 'active' });

/** Attachments: a VM's place and address in a network. Every change locks the VM. */
export const attachmentHandlers = {
  listNetworkVms: (call) => {
    const { id } = findNetworkRow(call, call.params.projectId, call.params.networkId);
    const clause = "WHERE networkId = ? AND status = 'active' ORDER BY seq";
    return call.store.select(sandboxTables.attachments, clause, id).map(representAttachment);
  },

  attachVm: (call) => {
    const { store } = call;
    const { projectId, networkId } = call.params;
    const network = findNetworkRow(call, projectId, networkId);
    const vm = store.first(sandboxTables.vms, { id: call.body.vmId, projectId });
    if (!vm) throw createInvalidRequestRefusal({ vmId: ['There is no such VM in this project.'] });
    refuseLockedVm(call, vm);
    requireActiveResource('VM', vm);
    requireActiveResource('network', network);
    const where = { networkId, vmId: vm.id };
    if (store.first(sandboxTables.attachments, where)) {
      throw createConflictRefusal(
        `The VM ${vm.id} already is attached to the network ${networkId}.`,
      );
    }
    const host = findLowestFreeHost(store, network);
    const internalIp = formatHostAddress(network, host);
    store.insert(sandboxTables.attachments, {
      ...where,
      host,
      reservedHost: null,
      internalIp,
      status: 'creating',
    });
    store.update(sandboxTables.vms, { id: vm.id }, { status: 'updating' });
    const operation = startOperation(call, {
      type: 'AttachNetwork',
      projectId,
      resourceType: 'vm',
      resourceId: vm.id,
      vmId: vm.id,
      success: [makeUpdateEffect('attachments', where, { status: 'active' }), settled(vm.id)],
      failure: [makeDeleteEffect('attachments', where), settled(vm.id)],
    });
    return representAcceptedCommand(operation);
  },

  updateAttachment: (call) => {
    const { projectId, networkId, vmId } = call.params;
    const { internalIp } = call.body;
    const host = readHostNumber(findNetworkRow(call, projectId, networkId), internalIp);
    const where = beginWork(call);
    const holders = 'WHERE networkId = ? AND (host = ? OR reservedHost = ?) AND vmId <> ?';
    const holder = call.store.select(
      sandboxTables.attachments,
      holders,
      networkId,
      host,
      host,
      vmId,
    )[0];
    if (holder)
      throw createConflictRefusal(`The address ${internalIp} is taken by the VM ${holder.vmId}.`);
    call.store.update(sandboxTables.attachments, where, { reservedHost: host });
    const operation = startOperation(call, {
      type: 'UpdateAttachment',
      projectId,
      resourceType: 'vm',
      resourceId: vmId,
      vmId,
      success: [
        makeUpdateEffect('attachments', where, { host, internalIp, reservedHost: null }),
        settled(vmId),
      ],
      failure: [makeUpdateEffect('attachments', where, { reservedHost: null }), settled(vmId)],
    });
    return representAcceptedCommand(operation);
  },

  detachVm: (call) => {
    const { projectId, vmId } = call.params;
    const where = beginWork(call);
    const operation = startOperation(call, {
      type: 'DetachNetwork',
      projectId,
      resourceType: 'vm',
      resourceId: vmId,
      vmId,
      success: [makeDeleteEffect('attachments', where), settled(vmId)],
      failure: [settled(vmId)],
    });
    return representAcceptedCommand(operation);
  },
} satisfies Partial<SandboxHandlers>;
