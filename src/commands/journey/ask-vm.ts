import { listBackups } from '../../api/backups.ts';
import { createCommandContext } from '../../execute/context/command-context.ts';
import { awaitListedBackup } from '../../execute/command/run-backup.ts';
import { runVmOperation } from '../../execute/command/run-vm-operation.ts';
import {
  makeVmBackupCommand,
  makeVmPowerCommand,
  makeVmRestoreCommand,
} from '../../kinds/vm/requests.ts';
import type { ResolvedCommand } from '../../model/account/command.ts';
import type { VmOperationVerb } from '../../model/account/vm-work.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { defaultTimeouts } from '../../model/resource.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { describeFailedVmOperation } from '../account/describe-vm-operation.ts';
import type { VmOperationStep } from './journey-steps.ts';
import type { OpenedJourneyAccount } from './open-journey.ts';

/** The interval of looks for a deleted backup, in milliseconds. */
const lookEveryMs = 2_000;

/**
 * Carries out one operation on the journey's VM, and waits for its end.
 * @returns the failure, or the reason why nothing was sent; undefined after a success
 * @throws ApiError
 */
export async function operateJourneyVm(
  runtime: Runtime,
  { store, connection: { client } }: OpenedJourneyAccount,
  { address, projectId, id: vmId }: ManagedResource,
  verb: VmOperationStep['verb'],
): Promise<Diagnostic | string | undefined> {
  const { clock } = runtime;
  const place = { projectId, vmId };
  const deadline = clock.now() + defaultTimeouts.updateMs;
  const run = async (name: VmOperationVerb, command: ResolvedCommand) => {
    const means = { ...runtime, random: () => runtime.random(), client };
    const end = await runVmOperation(createCommandContext(means, store.state), {
      address,
      command,
      deadline,
      isWaitedFor: true,
      approve: () => Promise.resolve(true),
      onProgress: () => undefined,
    });
    return describeFailedVmOperation(name, address, end);
  };
  if (verb === 'reboot') return run(verb, makeVmPowerCommand(verb, place));
  if (verb === 'backup') {
    const fault = await run(verb, makeVmBackupCommand(place));
    const made = fault ?? (await awaitListedBackup({ client, clock }, place, ([first]) => first));
    return made ? fault : missingBackup(address);
  }
  const backup = (await listBackups(client, place)).find(({ status }) => status === 'active');
  if (!backup) return 'the VM has no backup';
  if (verb === 'restore') return run(verb, makeVmRestoreCommand(place, backup.id));
  await client.call({ operation: 'deleteBackup', params: { ...place, backupId: backup.id } });
  const isThere = async () => (await listBackups(client, place)).some(({ id }) => id === backup.id);
  while (await isThere()) {
    if (clock.now() >= deadline) return staysListed(address, backup.id);
    await clock.sleep(lookEveryMs);
  }
  return undefined;
}

function missingBackup(address: string): Diagnostic {
  return {
    severity: 'error',
    code: 'backup-unseen',
    summary: 'The service made a backup, and does not list it',
    hint: 'List the backups in the console of the service.',
    address,
  };
}

function staysListed(address: string, id: string): Diagnostic {
  return {
    severity: 'error',
    code: 'backup-unseen',
    summary: `The service deleted the backup ${id}, and still lists it`,
    hint: 'List the backups in the console of the service.',
    address,
  };
}
