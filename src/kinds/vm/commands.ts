import type { CommandTable } from '../command-facts.ts';

/** What each command about a VM does. */
export const vmCommands: CommandTable<'vm'> = {
  createVm: { operationTypes: ['Provision'] },
  renameVm: {},
  startVm: { operationTypes: ['Start'] },
  stopVm: { operationTypes: ['Stop'] },
  rebootVm: { operationTypes: ['Reboot'] },
  createBackup: { operationTypes: ['CreateBackup'] },
  restoreBackup: { operationTypes: ['RestoreBackup'] },
  rebuildVm: { operationTypes: ['Rebuild'] },
  attachVm: { operationTypes: ['AttachNetwork'] },
  detachVm: { operationTypes: ['DetachNetwork'] },
  resumeSaleRenewal: {},
  cancelSaleRenewal: {},
  deleteVm: { operationTypes: ['Delete'] },
};
