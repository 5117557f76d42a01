import type { RowEffect } from './effects.ts';
import { change, removal } from './effects.ts';

/** Rows that are deleted with a VM. Its public IP stays, and so do the port forwards that point at it. */
export const vmRemoval = (id: string): RowEffect[] => [
  removal('attachments', { vmId: id }),
  removal('backups', { vmId: id }),
  change('publicIps', { vmId: id }, { vmId: null }),
  removal('sales', { resourceId: id }),
  removal('vms', { id }),
];
