import { groupBy } from '../../model/group-by.ts';
import { leavesAttributesUnchanged, type Change } from '../../model/plan/plan.ts';
import { kindRegistry } from '../registry.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';

/** Words for what the changes of a plan lose for good. */
export interface LossWords {
  /** All losses in words: `the disks of 2 VMs (80 GB), 3 backups and 1 public IP`. */
  readonly whole: string;
  /** The losses without their resources: `80 GB, 3 backups and 1 public IP`. */
  readonly brief: string;
}

/** Losses of changes, counted; undefined where nothing is lost. */
export function describeLosses(changes: readonly Change[]): LossWords | undefined {
  const losing = changes.filter(({ losses }) => losses.length > 0);
  if (losing.length === 0) return undefined;
  const disks = losing.filter((change) => hasDisk(change) && !losesBackupAlone(change));
  const gigabytes = disks.reduce((sum, { before }) => sum + Number(before?.disk), 0);
  const backups = losing.reduce((sum, { lostBackups }) => sum + (lostBackups ?? 0), 0);
  const others = groupBy(
    losing.filter((change) => !hasDisk(change) && !losesBackupAlone(change)),
    ({ kind }) => kind,
  );
  const rest = [
    ...(backups > 0 ? [formatCountWithNoun('backup', backups)] : []),
    ...[...others].map(([kind, found]) =>
      formatCountWithNoun(kindRegistry[kind].label, found.length),
    ),
  ];
  const nouns = disks.length === 1 ? 'disk' : 'disks';
  return {
    whole: listWords([
      ...(disks.length > 0
        ? [`the ${nouns} of ${formatCountWithNoun('VM', disks.length)} (${gigabytes} GB)`]
        : []),
      ...rest,
    ]),
    brief: listWords([...(disks.length > 0 ? [`${gigabytes} GB`] : []), ...rest]),
  };
}

function hasDisk({ before }: Change): boolean {
  return before?.disk !== undefined;
}

/** True for a change that keeps its resource, and pushes out a backup of it. */
function losesBackupAlone({ action }: Change): boolean {
  return leavesAttributesUnchanged({ action }) || action === 'update';
}

/** `a, b and c`. */
function listWords(words: readonly string[]): string {
  return words.join(', ').replace(/, (?=[^,]*$)/, ' and ');
}
