import { addressOf, lowestFreeHost, readHost } from '../rules/attachments.ts';
import { updateEffect, deleteEffect } from '../rules/effects.ts';
import type { HandlerCall, Handlers } from './handler.ts';
import { findAttachment, findNetwork, findVm, requireActive } from '../rules/lookups.ts';
import { refuseLocked, startOperation } from '../rules/operations.ts';
import { conflict, invalidRequest } from '../contract/problems.ts';
import { showAccepted, showAttachment } from '../representations/representations.ts';
import { tables } from '../store/rows.ts';

/** Finds the attached VM that a path names and starts an operation on it. */
function beginWork(call: HandlerCall<'updateAttachment' | 'detachVm'>) {
  const { projectId, networkId, vmId } = call.params;
  findAttachment(call, projectId, networkId, vmId);
  const vm = findVm(call, projectId, vmId);
  refuseLocked(call, vm);
  requireActive('VM', vm);
  call.store.update(tables.vms, { id: vmId }, { status: 'updating' });
  return { networkId, vmId };
}

const settled = (vmId: string) => updateEffect('vms', { id: vmId }, { status: 'active' });

/** Attachments: a VM's place and address in a network. Every change locks the VM. */
export const attachmentHandlers = {
  listNetworkVms: (call) => {
    const { id } = findNetwork(call, call.params.projectId, call.params.networkId);
    const clause = "WHERE networkId = ? AND status = 'active' ORDER BY seq";
    return call.store.select(tables.attachments, clause, id).map(showAttachment);
  },

  attachVm: (call) => {
    const { store } = call;
    const { projectId, networkId } = call.params;
    const network = findNetwork(call, projectId, networkId);
    const vm = store.first(tables.vms, { id: call.body.vmId, projectId });
    if (!vm) throw invalidRequest({ vmId: ['There is no such VM in this project.'] });
    refuseLocked(call, vm);
    requireActive('VM', vm);
    requireActive('network', network);
    const where = { networkId, vmId: vm.id };
    if (store.first(tables.attachments, where)) {
      throw conflict(`The VM ${vm.id} already is attached to the network ${networkId}.`);
    }
    const host = lowestFreeHost(store, network);
    const internalIp = addressOf(network, host);
    store.insert(tables.attachments, {
      ...where,
      host,
      reservedHost: null,
      internalIp,
      status: 'creating',
    });
    store.update(tables.vms, { id: vm.id }, { status: 'updating' });
    const operation = startOperation(call, {
      type: 'AttachNetwork',
      projectId,
      resourceType: 'vm',
      resourceId: vm.id,
      vmId: vm.id,
      success: [updateEffect('attachments', where, { status: 'active' }), settled(vm.id)],
      failure: [deleteEffect('attachments', where), settled(vm.id)],
    });
    return showAccepted(operation);
  },

  updateAttachment: (call) => {
    const { projectId, networkId, vmId } = call.params;
    const { internalIp } = call.body;
    const host = readHost(findNetwork(call, projectId, networkId), internalIp);
    const where = beginWork(call);
    const holders = 'WHERE networkId = ? AND (host = ? OR reservedHost = ?) AND vmId <> ?';
    const holder = call.store.select(tables.attachments, holders, networkId, host, host, vmId)[0];
    if (holder) throw conflict(`The address ${internalIp} is taken by the VM ${holder.vmId}.`);
    call.store.update(tables.attachments, where, { reservedHost: host });
    const operation = startOperation(call, {
      type: 'UpdateAttachment',
      projectId,
      resourceType: 'vm',
      resourceId: vmId,
      vmId,
      success: [
        updateEffect('attachments', where, { host, internalIp, reservedHost: null }),
        settled(vmId),
      ],
      failure: [updateEffect('attachments', where, { reservedHost: null }), settled(vmId)],
    });
    return showAccepted(operation);
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
      success: [deleteEffect('attachments', where), settled(vmId)],
      failure: [settled(vmId)],
    });
    return showAccepted(operation);
  },
} satisfies Partial<Handlers>;
