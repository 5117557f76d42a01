import type { Kind } from '../kinds/kind.ts';
import type { Action, Change } from '../model/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { Attributes } from '../model/value.ts';

/** What data a change loses. How many backups are among it is not known yet: see `weighBackups`. */
export function lossesOf(
  kind: Kind,
  action: Action,
  before: Attributes,
  desired: DesiredResource | undefined,
): Pick<Change, 'losses' | 'lostBackups' | 'isBackedUpFirst'> {
  const isDestroyed = action === 'delete' || action === 'replace';
  if (!kind.losses || (!isDestroyed && action !== 'rebuild')) return { losses: [] };
  const losesBackups = isDestroyed || desired?.deleteBackupsOnRebuild === true;
  return {
    losses: kind.losses(isDestroyed ? 'destroy' : 'rebuild', before, losesBackups ? null : 'none'),
    ...(losesBackups && { lostBackups: null }),
    ...(!isDestroyed && desired?.backupBeforeRebuild === true && { isBackedUpFirst: true }),
  };
}
