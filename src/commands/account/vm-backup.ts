import { listBackups } from '../../api/backups.ts';
import { writeBackup } from '../../kinds/vm/requests.ts';
import type { Runtime } from '../../model/runtime.ts';
import {
  findDisplaced,
  maxBackups,
  type Backup,
  type VmWork,
} from '../../model/account/vm-work.ts';
import { describeBackup } from '../../render/account/backups-text.ts';
import type { DayTwoReporter } from '../session/day-two-reporter.ts';
import { workOnVm, type VmTarget, type VmWorkOptions } from './work-on-vm.ts';

/** How often, and how far apart, to look for the entry of a backup whose record says that it is done. */
const looks = 5;
const lookEveryMs = 1_000;

/** Makes a backup. One that would push out the oldest is asked for first. A failed one leaves no entry. */
export function backUpVm(
  runtime: Runtime,
  options: VmWorkOptions,
  reporter: DayTwoReporter,
): Promise<VmWork> {
  return workOnVm(runtime, 'backup', options, reporter, ({ session, resource, place }) => {
    const { client } = session.connection;
    let before: readonly Backup[] = [];
    let given: string | undefined;
    const approve = async () => {
      before = await listBackups(client, place);
      const displaced = findDisplaced(before);
      // What another operation did meanwhile may have made another one the oldest.
      if (!displaced || displaced.id === given) return true;
      given = displaced.id;
      return approveLoss(displaced, resource, options, reporter);
    };
    const findNew = async () => {
      const known = new Set(before.map(({ id }) => id));
      for (let look = 1; ; look += 1) {
        const found = (await listBackups(client, place)).find(({ id }) => !known.has(id));
        if (found || look === looks) return found;
        await runtime.clock.sleep(lookEveryMs);
      }
    };
    return Promise.resolve({
      command: writeBackup(place),
      approve,
      findMade: findNew,
    });
  });
}

async function approveLoss(
  displaced: Backup,
  { address }: VmTarget['resource'],
  { isApproved }: VmWorkOptions,
  reporter: DayTwoReporter,
): Promise<boolean> {
  const loss = `The service keeps ${maxBackups}: it deletes the oldest first, ${describeBackup(displaced)}.`;
  if (isApproved) {
    const summary = 'The oldest backup is deleted for the new one';
    reporter.showDiagnostics([
      { severity: 'warning', code: 'backup-displaced', summary, detail: loss, address },
    ]);
    return true;
  }
  return reporter.confirm({
    question: `Do you want to back up ${address} and lose its oldest backup?`,
    consequences: [`It has ${maxBackups} backups. ${loss}`, 'There is no undo.'],
    ifDeclined: 'Backup cancelled.',
  });
}
