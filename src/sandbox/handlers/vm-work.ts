import type { PathParams } from '../../api/contract/types.ts';
import type { RowEffect } from '../rules/effects.ts';
import { updateEffect, deleteEffect } from '../rules/effects.ts';
import type { Handlers } from './handler.ts';
import { findVm, requireActive } from '../rules/lookups.ts';
import { refuseLocked, startOperation } from '../rules/operations.ts';
import { conflict, RequestFaultList, RequestRefusal } from '../contract/problems.ts';
import { showAccepted } from '../representations/representations.ts';
import type { BootStatus, OperationType, VmRow } from '../store/rows.ts';
import { tables } from '../store/rows.ts';
import { checkImage, checkSshKeys } from '../rules/vm-creation.ts';
import type { SandboxWorld } from '../store/world.ts';

type VmPath = { readonly params: PathParams<'startVm'> } & SandboxWorld;

/** Finds the VM that a path names; refuses one that is locked or not active. */
function findReadyVm(call: VmPath): VmRow {
  const vm = findVm(call, call.params.projectId, call.params.vmId);
  refuseLocked(call, vm);
  requireActive('VM', vm);
  return vm;
}

/** The power status that a VM has while nothing changes it. */
const restingPower = ({ bootStatus }: VmRow): BootStatus =>
  bootStatus === 'Stopped' ? 'Stopped' : 'Running';

/** Work on a VM that leaves it active, done or not; a failure leaves the power as it was. */
function work(
  world: SandboxWorld,
  vm: VmRow,
  type: OperationType,
  power: { during: BootStatus; after: BootStatus },
  changes: readonly RowEffect[] = [],
) {
  const { id, projectId } = vm;
  world.store.update(tables.vms, { id }, { status: 'updating', bootStatus: power.during });
  const operation = startOperation(world, {
    type,
    projectId,
    resourceType: 'vm',
    resourceId: id,
    vmId: id,
    success: [
      updateEffect('vms', { id }, { status: 'active', bootStatus: power.after }),
      ...changes,
    ],
    failure: [updateEffect('vms', { id }, { status: 'active', bootStatus: restingPower(vm) })],
  });
  return showAccepted(operation);
}

/** Operations on a VM, such as start and rebuild. Each locks the VM until it ends. */
export const vmWorkHandlers = {
  startVm: (call) =>
    work(call, findReadyVm(call), 'Start', { during: 'Starting', after: 'Running' }),

  stopVm: (call) => work(call, findReadyVm(call), 'Stop', { during: 'Stopping', after: 'Stopped' }),

  rebootVm: (call) => {
    const vm = findReadyVm(call);
    if (vm.bootStatus !== 'Running') throw conflict(`The VM ${vm.id} is not running.`);
    return work(call, vm, 'Reboot', { during: 'Rebooting', after: 'Running' });
  },

  // Its id, networks, public IP and power stay; its disk is lost.
  rebuildVm: (call) => {
    const { imageId, sshKeyIds, deleteBackups = false } = call.body;
    const vm = findVm(call, call.params.projectId, call.params.vmId);
    const faults = new RequestFaultList();
    if (imageId !== undefined) checkImage(call, faults, imageId);
    checkSshKeys(call, faults, vm.projectId, sshKeyIds ?? []);
    faults.refuse();
    findReadyVm(call);
    const { id } = vm;
    const after = restingPower(vm);
    const during = after === 'Running' ? 'Rebooting' : 'Stopped';
    return work(call, vm, 'Rebuild', { during, after }, [
      ...(imageId === undefined ? [] : [updateEffect('vms', { id }, { imageId })]),
      ...(sshKeyIds ? [updateEffect('vms', { id }, { sshKeyIds: JSON.stringify(sshKeyIds) })] : []),
      ...(deleteBackups ? [deleteEffect('backups', { vmId: id })] : []),
    ]);
  },

  // Specification, sections 4 and 7: always, whatever the VM and the body.
  resizeVm: () => {
    throw new RequestRefusal(503, 'unavailable', 'Resizing is not offered.');
  },
} satisfies Partial<Handlers>;
