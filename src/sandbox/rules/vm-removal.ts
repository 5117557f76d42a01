import type { RowEffect } from './effects.ts';
import { updateEffect, deleteEffect } from './effects.ts';

/** Rows that are deleted with a VM. Its public IP stays, and so do the port forwards that point at it. */
export const vmRemoval = (id: string): RowEffect[] => [
  deleteEffect('attachments', { vmId: id }),
  deleteEffect('backups', { vmId: id }),
  updateEffect('publicIps', { vmId: id }, { vmId: null }),
  deleteEffect('sales', { resourceId: id }),
  deleteEffect('vms', { id }),
];
