import { listBackups } from '../../api/backups.ts';
import { awaitListedBackup } from '../../execute/command/run-backup.ts';
import { makeVmBackupCommand } from '../../kinds/vm/requests.ts';
import {
  describeDisplacedBackup,
  findDisplacedBackup,
  maxBackupsPerVm,
  type Backup,
  type EndedVmOperations,
} from '../../model/account/vm-work.ts';
import { escapeUntrustedText } from '../../render/format/escape.ts';
import type { DayTwoReporter } from '../session/day-two-reporter.ts';
import type { VmJobTarget, VmOperationRuntime } from './vm-job.ts';
import { operateManagedVm, type VmOperationOptions } from './work-on-vm.ts';

/**
 * Makes a backup of a VM. Where the service would delete the oldest backup for it, the user is asked first. A failed backup
 * leaves no entry in the list of backups.
 */
export function backUpVm(
  runtime: VmOperationRuntime,
  options: VmOperationOptions,
  reporter: DayTwoReporter,
): Promise<EndedVmOperations> {
  return operateManagedVm(runtime, 'backup', options, reporter, ({ session, resource, place }) => {
    const { client } = session.connection;
    let before: readonly Backup[] = [];
    let given: string | undefined;
    const approve = async () => {
      before = await listBackups(client, place);
      const displaced = findDisplacedBackup(before);
      // Another operation may meanwhile have made another backup the oldest: that loss is asked about again.
      if (!displaced || displaced.id === given) return true;
      given = displaced.id;
      return approveLoss(displaced, resource, options, reporter);
    };
    const findMade = () => {
      const known = new Set(before.map(({ id }) => id));
      const { clock } = runtime;
      return awaitListedBackup({ client, clock }, place, (listed) =>
        listed.find(({ id }) => !known.has(id)),
      );
    };
    return Promise.resolve({
      command: makeVmBackupCommand(place),
      approve,
      confirmFirst: approve,
      findMade,
    });
  });
}

async function approveLoss(
  displaced: Backup,
  { address }: VmJobTarget['resource'],
  { isApproved }: VmOperationOptions,
  reporter: DayTwoReporter,
): Promise<boolean> {
  const loss = escapeUntrustedText(describeDisplacedBackup(displaced));
  if (isApproved) {
    const summary = 'The oldest backup is deleted for the new one';
    reporter.showDiagnostics([
      { severity: 'warning', code: 'backup-displaced', summary, detail: loss, address },
    ]);
    return true;
  }
  return reporter.confirm({
    question: `Do you want to back up ${address} and lose its oldest backup?`,
    consequences: [`It has ${maxBackupsPerVm} backups. ${loss}`, 'There is no undo.'],
    ifDeclined: 'Backup cancelled.',
  });
}
