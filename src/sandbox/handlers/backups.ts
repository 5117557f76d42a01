import { updateEffect, insertEffect, deleteEffect } from '../rules/effects.ts';
import type { Handlers } from './handler.ts';
import { nextId } from '../store/ids.ts';
import { findBackup, findVm, requireActive } from '../rules/lookups.ts';
import { refuseLocked, startOperation } from '../rules/operations.ts';
import { showAccepted, showBackup } from '../representations/representations.ts';
import type { BackupRow } from '../store/rows.ts';
import { tables } from '../store/rows.ts';
import type { SandboxWorld } from '../store/world.ts';

/** Specification, section 8: the oldest goes before one more is made. */
const maxBackups = 7;

/** Size of a backup in the sandbox, as a share of the disk's. */
const compression = 0.4;

function undertakeRemoval(world: SandboxWorld, { id, projectId, vmId }: BackupRow) {
  world.store.update(tables.backups, { id }, { status: 'deleting' });
  return startOperation(world, {
    type: 'DeleteBackup',
    projectId,
    resourceType: 'backup',
    resourceId: id,
    vmId,
    success: [deleteEffect('backups', { id })],
    failure: [updateEffect('backups', { id }, { status: 'active' })],
  });
}

/** Backups of a VM. Every change locks the VM, whose `status` stays `active`. */
export const backupHandlers = {
  listBackups: (call) => {
    const { id } = findVm(call, call.params.projectId, call.params.vmId);
    return call.store.select(tables.backups, 'WHERE vmId = ? ORDER BY seq', id).map(showBackup);
  },

  createBackup: (call) => {
    const { store, rules, now } = call;
    const vm = findVm(call, call.params.projectId, call.params.vmId);
    refuseLocked(call, vm);
    requireActive('VM', vm);
    const held = store.select(tables.backups, 'WHERE vmId = ? ORDER BY seq', vm.id);
    const oldest = held.length >= maxBackups ? held[0] : undefined;
    // Its removal is an operation of its own, which the backup waits for: that makes it take longer.
    const extraMs = oldest ? undertakeRemoval(call, oldest).completesAt - now : 0;
    const id = nextId(store, rules.seed, 'backup');
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
        insertEffect('backups', {
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
    return showAccepted(operation);
  },

  getBackup: (call) => {
    const { projectId, vmId, backupId } = call.params;
    return showBackup(findBackup(call, projectId, vmId, backupId));
  },

  restoreBackup: (call) => {
    const { projectId, vmId, backupId } = call.params;
    const backup = findBackup(call, projectId, vmId, backupId);
    const vm = findVm(call, projectId, vmId);
    refuseLocked(call, vm);
    requireActive('VM', vm);
    requireActive('backup', backup);
    const settled = updateEffect('vms', { id: vmId }, { status: 'active' });
    // A restored disk has the image from which it was made before the backup.
    const image = backup.sourceImageId;
    call.store.update(tables.vms, { id: vmId }, { status: 'updating' });
    const operation = startOperation(call, {
      type: 'RestoreBackup',
      projectId,
      resourceType: 'vm',
      resourceId: vmId,
      vmId,
      success: [
        settled,
        ...(image === null ? [] : [updateEffect('vms', { id: vmId }, { imageId: image })]),
      ],
      failure: [settled],
    });
    return showAccepted(operation);
  },

  deleteBackup: (call) => {
    const { projectId, vmId, backupId } = call.params;
    const backup = findBackup(call, projectId, vmId, backupId);
    refuseLocked(call, findVm(call, projectId, vmId));
    requireActive('backup', backup);
    return showAccepted(undertakeRemoval(call, backup));
  },
} satisfies Partial<Handlers>;
