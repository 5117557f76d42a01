// Requests about a VM outside of any plan: as commands, and as a plain request where no resource is named.
import type { ResolvedCommandOf } from '../../api/contract/codec.ts';
import type { WireRequest } from '../../api/contract/types.ts';
import { renewalCommands, type SaleRenewal } from './write-commands.ts';

/** Ids in the path of a request about a VM. */
interface VmPlace {
  readonly projectId: string;
  readonly vmId: string;
}

const powerCommands = { start: 'startVm', stop: 'stopVm', reboot: 'rebootVm' } as const;

/** Changes of a VM's power that a command can ask for: start, stop, reboot. */
export type PowerVerb = keyof typeof powerCommands;

export function makeVmPowerCommand(verb: PowerVerb, { projectId, vmId }: VmPlace) {
  return { kind: powerCommands[verb], project: projectId, vm: vmId };
}

export function makeVmBackupCommand({
  projectId,
  vmId,
}: VmPlace): ResolvedCommandOf<'createBackup'> {
  return { kind: 'createBackup', project: projectId, vm: vmId };
}

/** Makes the request to restore a VM; `backup` is the id of one of its backups. */
export function makeVmRestoreCommand(
  { projectId, vmId }: VmPlace,
  backup: string,
): ResolvedCommandOf<'restoreBackup'> {
  return { kind: 'restoreBackup', project: projectId, vm: vmId, backup };
}

/**
 * The request that lets a sale end with its running period, or renew again. The sale may be that of a VM or of something
 * else.
 */
export function makeSaleRenewalRequest(saleId: string, renewal: SaleRenewal): WireRequest {
  return { operation: renewalCommands[renewal], params: { saleId } };
}
