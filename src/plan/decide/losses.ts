import type { ResourceKind } from '../../kinds/kind.ts';
import type { Action, Change } from '../../model/plan/plan.ts';
import { getLiveStatus, type LiveResource } from '../../model/account/live.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { Attributes } from '../../model/value.ts';

/** A resource before its change; without `desired` it is deleted. */
interface LossInput {
  readonly live: LiveResource;
  readonly before: Attributes;
  readonly desired?: DesiredResource;
}

/** Losses of a live resource. The number of backups among them is not known yet: see `addLostBackupCounts`. */
export function listResourceLosses(
  { traits }: ResourceKind,
  action: Action,
  { live, before, desired }: LossInput,
): Pick<Change, 'losses' | 'lostBackups' | 'isBackedUpFirst'> {
  const isDestroyed = action === 'delete' || action === 'replace';
  const { losses } = traits;
  if (!losses || (!isDestroyed && action !== 'rebuild')) return { losses: [] };
  // A resource whose creation failed has no data that could be lost.
  if (getLiveStatus(live) === 'failed') return { losses: [] };
  const losesBackups =
    losses.hasBackups && (isDestroyed || desired?.deleteBackupsOnRebuild === true);
  return {
    losses: losses.list(isDestroyed ? 'destroy' : 'rebuild', before, losesBackups ? null : 'none'),
    ...(losesBackups && { lostBackups: null }),
    ...(!isDestroyed && desired?.backupBeforeRebuild === true && { isBackedUpFirst: true }),
  };
}
