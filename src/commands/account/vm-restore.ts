import { listBackups } from '../../api/backups.ts';
import { makeVmRestoreCommand } from '../../kinds/vm/requests.ts';
import { elementAt } from '../../model/group-by.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import {
  sortBackupsNewestFirst,
  type Backup,
  type EndedVmOperations,
} from '../../model/account/vm-work.ts';
import { describeBackup } from '../../render/account/backups-text.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { DayTwoReporter } from '../session/day-two-reporter.ts';
import { forgetHostKeys } from '../ssh/host-keys.ts';
import type { VmOperationRuntime } from './vm-job.ts';
import { operateManagedVm, type VmOperationOptions } from './work-on-vm.ts';

/** Options of `vm restore`. */
export interface RestoreVmOptions extends VmOperationOptions {
  /** The id of the backup; undefined for the latest. */
  readonly backupId: string | undefined;
  /** Set to overwrite also the disk of a VM that `preventDestroy` protects. */
  readonly allowsDataLoss: boolean;
}

/**
 * Restores a backup to the disk of its VM, whose present content is lost. The remembered SSH host key is forgotten, since the
 * restored disk may have another one.
 */
export async function restoreVm(
  runtime: VmOperationRuntime,
  options: RestoreVmOptions,
  reporter: DayTwoReporter,
): Promise<EndedVmOperations> {
  const keysOf = new Map<string, string>();
  const forgetKeys = async () => {
    for (const [id, directory] of keysOf) await forgetHostKeys(directory, [id]);
  };
  const works = await operateManagedVm(
    runtime,
    'restore',
    options,
    reporter,
    async ({ session, resource, place }) => {
      const { address, id, isProtected } = resource;
      if (isProtected && !options.allowsDataLoss) throw refuseProtected(address);
      const backup = pickBackup(
        await listBackups(session.connection.client, place),
        options.backupId,
        address,
      );
      let isApproved = options.isApproved;
      const approve = async () => {
        isApproved ||= await reporter.confirm({
          question: `Do you really want to restore ${address}?`,
          consequences: [
            `The disk of the VM ${id} is overwritten with ${describeBackup(backup)}.`,
            'What was written to it since is lost. There is no undo.',
          ],
          ifDeclined: 'Restore cancelled.',
        });
        if (!isApproved) return false;
        keysOf.set(id, session.directory);
        await forgetKeys();
        return true;
      };
      return {
        command: makeVmRestoreCommand(place, backup.id),
        approve,
        confirmFirst: approve,
        restored: backup,
      };
    },
  );
  // Somebody may have connected to the old disk meanwhile.
  await forgetKeys();
  return works;
}

function refuseProtected(address: string): DiagnosticError {
  return createCommandRefusal(
    'prevent-destroy',
    `${address} is protected, and a restore overwrites its disk`,
    {
      detail: 'Its block has lifecycle.preventDestroy: true. Nothing was changed.',
      hint: 'Make a backup of what is on the disk now, then add --allow-data-loss.',
      address,
    },
  );
}

function pickBackup(backups: readonly Backup[], id: string | undefined, address: string): Backup {
  const usable = sortBackupsNewestFirst(backups).filter(({ status }) => status === 'active');
  const found = id === undefined ? usable[0] : backups.find((backup) => backup.id === id);
  if (found) return found;
  const near =
    id === undefined
      ? undefined
      : suggestNearestName(
          id,
          backups.map((backup) => backup.id),
        );
  throw createCommandRefusal(
    'backup-not-found',
    id === undefined ? 'The VM has no backup to restore' : `The VM has no backup ${id}`,
    {
      detail:
        backups.length === 0
          ? 'It has no backups at all.'
          : `It has ${backups.length}, the latest being ${describeBackup(elementAt(sortBackupsNewestFirst(backups), 0))}.`,
      hint: `${near === undefined ? '' : `Did you mean ${near}? `}List them: hostwright vm backups '${address}'`,
      address,
    },
  );
}
