import type { SandboxRowEffect } from './effects.ts';
import { makeUpdateEffect, makeDeleteEffect } from './effects.ts';

/** Rows that are deleted with a VM. Its public IP stays, and so do the port forwards that point at it. */
export const listVmRemovalEffects = (id: string): SandboxRowEffect[] => [
  makeDeleteEffect('attachments', { vmId: id }),
  makeDeleteEffect('backups', { vmId: id }),
  makeUpdateEffect('publicIps', { vmId: id }, { vmId: null }),
  makeDeleteEffect('sales', { resourceId: id }),
  makeDeleteEffect('vms', { id }),
];
