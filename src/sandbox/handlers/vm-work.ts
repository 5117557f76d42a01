import type { PathParams } from '../../api/contract/types.ts';
import type { SandboxRowEffect } from '../rules/effects.ts';
import { makeUpdateEffect, makeDeleteEffect } from '../rules/effects.ts';
import type { SandboxHandlers } from './handler.ts';
import { findVmRow, requireActiveResource } from '../rules/lookups.ts';
import { refuseLockedVm, startOperation } from '../rules/operations.ts';
import {
  createConflictRefusal,
  InvalidRequestFieldList,
  RequestRefusal,
} from '../contract/problems.ts';
import { representAcceptedCommand } from '../representations/representations.ts';
import type { VmBootStatus, SandboxOperationType, SandboxVmRow } from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import { checkVmImage, checkVmSshKeys } from '../rules/vm-creation.ts';
import type { SandboxContext } from '../store/world.ts';

type VmPath = { readonly params: PathParams<'startVm'> } & SandboxContext;

/** Finds the VM that a path names; refuses one that is locked or not active. */
function findReadyVm(call: VmPath): SandboxVmRow {
  const vm = findVmRow(call, call.params.projectId, call.params.vmId);
  refuseLockedVm(call, vm);
  requireActiveResource('VM', vm);
  return vm;
}

/** The power status that a VM has while nothing changes it. */
const restingPower = ({ bootStatus }: SandboxVmRow): VmBootStatus =>
  bootStatus === 'Stopped' ? 'Stopped' : 'Running';

/** Work on a VM that leaves it active, done or not; a failure leaves the power as it was. */
function work(
  world: SandboxContext,
  vm: SandboxVmRow,
  type: SandboxOperationType,
  power: { during: VmBootStatus; after: VmBootStatus },
  changes: readonly SandboxRowEffect[] = [],
) {
  const { id, projectId } = vm;
  world.store.update(sandboxTables.vms, { id }, { status: 'updating', bootStatus: power.during });
  const operation = startOperation(world, {
    type,
    projectId,
    resourceType: 'vm',
    resourceId: id,
    vmId: id,
    success: [
      makeUpdateEffect('vms', { id }, { status: 'active', bootStatus: power.after }),
      ...changes,
    ],
    failure: [makeUpdateEffect('vms', { id }, { status: 'active', bootStatus: restingPower(vm) })],
  });
  return representAcceptedCommand(operation);
}

/** Operations on a VM, such as start and rebuild. Each locks the VM until it ends. */
export const vmWorkHandlers = {
  startVm: (call) =>
    work(call, findReadyVm(call), 'Start', { during: 'Starting', after: 'Running' }),

  stopVm: (call) => work(call, findReadyVm(call), 'Stop', { during: 'Stopping', after: 'Stopped' }),

  rebootVm: (call) => {
    const vm = findReadyVm(call);
    if (vm.bootStatus !== 'Running') throw createConflictRefusal(`The VM ${vm.id} is not running.`);
    return work(call, vm, 'Reboot', { during: 'Rebooting', after: 'Running' });
  },

  // Its id, networks, public IP and power stay; its disk is lost.
  rebuildVm: (call) => {
    const { imageId, sshKeyIds, deleteBackups = false } = call.body;
    const vm = findVmRow(call, call.params.projectId, call.params.vmId);
    const faults = new InvalidRequestFieldList();
    if (imageId !== undefined) checkVmImage(call, faults, imageId);
    checkVmSshKeys(call, faults, vm.projectId, sshKeyIds ?? []);
    faults.refuse();
    findReadyVm(call);
    const { id } = vm;
    const after = restingPower(vm);
    const during = after === 'Running' ? 'Rebooting' : 'Stopped';
    return work(call, vm, 'Rebuild', { during, after }, [
      ...(imageId === undefined ? [] : [makeUpdateEffect('vms', { id }, { imageId })]),
      ...(sshKeyIds
        ? [makeUpdateEffect('vms', { id }, { sshKeyIds: JSON.stringify(sshKeyIds) })]
        : []),
      ...(deleteBackups ? [makeDeleteEffect('backups', { vmId: id })] : []),
    ]);
  },

  // Specification, sections 4 and 7: always, whatever the VM and the body.
  resizeVm: () => {
    throw new RequestRefusal(503, 'unavailable', 'Resizing is not offered.');
  },
} satisfies Partial<SandboxHandlers>;
