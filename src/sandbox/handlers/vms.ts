import { updateEffect } from '../rules/effects.ts';
import type { Handlers } from './handler.ts';
import { findProject, findVm } from '../rules/lookups.ts';
import { requireFreeName, requireName } from '../rules/names.ts';
import { refuseLocked, startOperation } from '../rules/operations.ts';
import { showPage } from './paging.ts';
import { showAccepted } from '../representations/representations.ts';
import { tables } from '../store/rows.ts';
import { vmRemoval } from '../rules/vm-removal.ts';
import { bookVm } from '../rules/vm-creation.ts';
import {
  showVm,
  showVmMetrics,
  showVmStateCounts,
  showVms,
} from '../representations/vm-representations.ts';

/** VMs: what they are. What is done with a running one stands in `vm-work.ts`. */
export const vmHandlers = {
  listVms: (call) => {
    const { id } = findProject(call, call.params.projectId);
    return showPage(call, call.query, call.store.tally(id, 'vms'), (limit, offset) => {
      const clause = 'WHERE projectId = ? ORDER BY seq LIMIT ? OFFSET ?';
      return showVms(call, call.store.select(tables.vms, clause, id, limit, offset));
    });
  },

  createVm: (call) => {
    const { id: projectId } = findProject(call, call.params.projectId);
    const { vmId: id, publicIpId } = bookVm(call, projectId, call.body);
    // An address that was booked with the VM is allocated whether or not the VM comes up.
    const addressReady = publicIpId
      ? [updateEffect('publicIps', { id: publicIpId }, { status: 'active' })]
      : [];
    const operation = startOperation(call, {
      type: 'Provision',
      projectId,
      resourceType: 'vm',
      resourceId: id,
      vmId: id,
      success: [
        updateEffect('vms', { id }, { status: 'active', bootStatus: 'Running' }),
        ...addressReady,
      ],
      failure: [
        updateEffect('vms', { id }, { status: 'failed', bootStatus: 'Stopped' }),
        ...addressReady,
      ],
    });
    return showAccepted(operation);
  },

  getVmStateCounts: (call) => {
    const { id } = findProject(call, call.params.projectId);
    return showVmStateCounts(call, id);
  },

  getVm: (call) => showVm(call, findVm(call, call.params.projectId, call.params.vmId)),

  renameVm: (call) => {
    const { projectId, vmId } = call.params;
    const vm = findVm(call, projectId, vmId);
    const { name } = call.body;
    requireName(call, name, 'vm');
    refuseLocked(call, vm);
    requireFreeName(call, tables.vms, 'VM', name, { projectId }, vm.id);
    call.store.update(tables.vms, { id: vm.id }, { name });
    return showVm(call, { ...vm, name });
  },

  deleteVm: (call) => {
    const vm = findVm(call, call.params.projectId, call.params.vmId);
    const { id, projectId, status } = vm;
    refuseLocked(call, vm);
    call.store.update(tables.vms, { id }, { status: 'deleting' });
    const operation = startOperation(call, {
      type: 'Delete',
      projectId,
      resourceType: 'vm',
      resourceId: id,
      vmId: id,
      success: vmRemoval(id),
      failure: [updateEffect('vms', { id }, { status })],
    });
    return showAccepted(operation);
  },

  getVmMetrics: (call) => {
    findVm(call, call.params.projectId, call.params.vmId);
    return showVmMetrics();
  },
} satisfies Partial<Handlers>;
