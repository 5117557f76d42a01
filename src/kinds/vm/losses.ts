import { readAttributeText, type Attributes } from '../../model/value.ts';
import type { LostBackupCount } from '../traits.ts';

/** Losses when a VM or its disk is destroyed, a sentence each. */
export function listVmLosses(
  effect: 'rebuild' | 'destroy',
  before: Attributes,
  backups: LostBackupCount,
): readonly string[] {
  const disk = `Everything on its disk (${readAttributeText(before, 'disk')} GB) is lost.`;
  if (backups === 'none' || backups === 0) return [disk];
  const which =
    backups === null
      ? 'Its backups are'
      : backups === 1
        ? 'Its 1 backup is'
        : `Its ${backups} backups are`;
  const why = effect === 'destroy' ? 'with it' : '(deleteBackups: true)';
  return [disk, `${which} deleted ${why}.`];
}
