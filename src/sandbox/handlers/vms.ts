import { makeUpdateEffect } from '../rules/effects.ts';
import type { SandboxHandlers } from './handler.ts';
import { findProjectRow, findVmRow } from '../rules/lookups.ts';
import { requireFreeName, requireValidName } from '../rules/names.ts';
import { refuseLockedVm, startOperation } from '../rules/operations.ts';
import { representListPage } from './paging.ts';
import { representAcceptedCommand } from '../representations/representations.ts';
import { sandboxTables } from '../store/rows.ts';
import { listVmRemovalEffects } from '../rules/vm-removal.ts';
import { reserveVmResources } from '../rules/vm-creation.ts';
import {
  representVm,
  representVmMetrics,
  representVmStateCounts,
  representVms,
} from '../representations/vm-representations.ts';

/** Handlers of the VMs themselves, such as create, read and delete; those that start or rebuild a VM are in `vm-work.ts`. */
export const vmHandlers = {
  listVms: (call) => {
    const { id } = findProjectRow(call, call.params.projectId);
    return representListPage(call, call.query, call.store.tally(id, 'vms'), (limit, offset) => {
      const clause = 'WHERE projectId = ? ORDER BY seq LIMIT ? OFFSET ?';
      return representVms(call, call.store.select(sandboxTables.vms, clause, id, limit, offset));
    });
  },

  createVm: (call) => {
    const { id: projectId } = findProjectRow(call, call.params.projectId);
    const { vmId: id, publicIpId } = reserveVmResources(call, projectId, call.body);
    // An address that was booked with the VM is allocated whether or not the VM comes up.
    const addressReady = publicIpId
      ? [makeUpdateEffect('publicIps', { id: publicIpId }, { status: 'active' })]
      : [];
    const operation = startOperation(call, {
      type: 'Provision',
      projectId,
      resourceType: 'vm',
      resourceId: id,
      vmId: id,
      success: [
        makeUpdateEffect('vms', { id }, { status: 'active', bootStatus: 'Running' }),
        ...addressReady,
      ],
      failure: [
        makeUpdateEffect('vms', { id }, { status: 'failed', bootStatus: 'Stopped' }),
        ...addressReady,
      ],
    });
    return representAcceptedCommand(operation);
  },

  getVmStateCounts: (call) => {
    const { id } = findProjectRow(call, call.params.projectId);
    return representVmStateCounts(call, id);
  },

  getVm: (call) => representVm(call, findVmRow(call, call.params.projectId, call.params.vmId)),

  renameVm: (call) => {
    const { projectId, vmId } = call.params;
    const vm = findVmRow(call, projectId, vmId);
    const { name } = call.body;
    requireValidName(call, name, 'vm');
    refuseLockedVm(call, vm);
    requireFreeName(call, sandboxTables.vms, 'VM', name, { projectId }, vm.id);
    call.store.update(sandboxTables.vms, { id: vm.id }, { name });
    return representVm(call, { ...vm, name });
  },

  deleteVm: (call) => {
    const vm = findVmRow(call, call.params.projectId, call.params.vmId);
    const { id, projectId, status } = vm;
    refuseLockedVm(call, vm);
    call.store.update(sandboxTables.vms, { id }, { status: 'deleting' });
    const operation = startOperation(call, {
      type: 'Delete',
      projectId,
      resourceType: 'vm',
      resourceId: id,
      vmId: id,
      success: listVmRemovalEffects(id),
      failure: [makeUpdateEffect('vms', { id }, { status })],
    });
    return representAcceptedCommand(operation);
  },

  getVmMetrics: (call) => {
    findVmRow(call, call.params.projectId, call.params.vmId);
    return representVmMetrics();
  },
} satisfies Partial<SandboxHandlers>;
