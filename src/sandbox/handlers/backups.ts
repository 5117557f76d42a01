import { makeUpdateEffect, makeInsertEffect, makeDeleteEffect } from '../rules/effects.ts';
import type { SandboxHandlers } from './handler.ts';
import { createSandboxId } from '../store/ids.ts';
import { findBackupRow, findVmRow, requireActiveResource } from '../rules/lookups.ts';
import { refuseLockedVm, startOperation } from '../rules/operations.ts';
import { representAcceptedCommand, representBackup } from '../representations/representations.ts';
import type { SandboxBackupRow } from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxContext } from '../store/world.ts';

/** Specification, section 8: the oldest goes before one more is made. */
const maxBackups = 7;

/** Size of a backup in the sandbox, as a share of the disk's. */
const compression = 0.4;

function undertakeRemoval(world: SandboxContext, { id, projectId, vmId }: SandboxBackupRow) {
  world.store.update(sandboxTables.backups, { id }, { status: 'deleting' });
  return startOperation(world, {
    type: 'DeleteBackup',
    projectId,
    resourceType: 'backup',
    resourceId: id,
    vmId,
    success: [makeDeleteEffect('backups', { id })],
    failure: [makeUpdateEffect('backups', { id }, { status: 'active' })],
  });
}

/** Backups of a VM. Every change locks the VM, whose `status` stays `active`. */
export const backupHandlers = {
  listBackups: (call) => {
    const { id } = findVmRow(call, call.params.projectId, call.params.vmId);
    return call.store
      .select(sandboxTables.backups, 'WHERE vmId = ? ORDER BY seq', id)
      .map(representBackup);
  },

  createBackup: (call) => {
    const { store, rules, now } = call;
    const vm = findVmRow(call, call.params.projectId, call.params.vmId);
    refuseLockedVm(call, vm);
    requireActiveResource('VM', vm);
    const held = store.select(sandboxTables.backups, 'WHERE vmId = ? ORDER BY seq', vm.id);
    const oldest = held.length >= maxBackups ? held[0] : undefined;
    // The oldest backup is removed by an operation of its own first, and the new backup takes longer by that time.
    const extraMs = oldest ? undertakeRemoval(call, oldest).completesAt - now : 0;
    const id = createSandboxId(store, rules.seed, 'backup');
    const { id: vmId, projectId, disk, imageId } = vm;
    const operation = startOperation(call, {
      type: 'CreateBackup',
      projectId,
      resourceType: 'vm',
      resourceId: vmId,
      vmId,
      extraMs,
      // No entry stands in the list before it has succeeded, and none ever does when it has failed.
      success: [
        makeInsertEffect('backups', {
          id,
          projectId,
          createdAt: now,
          vmId,
          status: 'active',
          size: Math.ceil(disk * compression),
          sourceImageId: imageId,
        }),
      ],
      failure: [],
    });
    return representAcceptedCommand(operation);
  },

  getBackup: (call) => {
    const { projectId, vmId, backupId } = call.params;
    return representBackup(findBackupRow(call, projectId, vmId, backupId));
  },

  restoreBackup: (call) => {
    const { projectId, vmId, backupId } = call.params;
    const backup = findBackupRow(call, projectId, vmId, backupId);
    const vm = findVmRow(call, projectId, vmId);
    refuseLockedVm(call, vm);
    requireActiveResource('VM', vm);
    requireActiveResource('backup', backup);
    const settled = makeUpdateEffect('vms', { id: vmId }, { status: 'active' });
    // A restored disk has the image from which it was made before the backup.
    const image = backup.sourceImageId;
    call.store.update(sandboxTables.vms, { id: vmId }, { status: 'updating' });
    const operation = startOperation(call, {
      type: 'RestoreBackup',
      projectId,
      resourceType: 'vm',
      resourceId: vmId,
      vmId,
      success: [
        settled,
        ...(image === null ? [] : [makeUpdateEffect('vms', { id: vmId }, { imageId: image })]),
      ],
      failure: [settled],
    });
    return representAcceptedCommand(operation);
  },

  deleteBackup: (call) => {
    const { projectId, vmId, backupId } = call.params;
    const backup = findBackupRow(call, projectId, vmId, backupId);
    refuseLockedVm(call, findVmRow(call, projectId, vmId));
    requireActiveResource('backup', backup);
    return representAcceptedCommand(undertakeRemoval(call, backup));
  },
} satisfies Partial<SandboxHandlers>;
