import { kindRegistry } from '../../kinds/registry.ts';
import { isBackupCommand } from '../../kinds/outcome.ts';
import type { LiveSnapshot } from '../../model/account/live.ts';
import type { Change, Plan } from '../../model/plan/plan.ts';
import {
  describeDisplacedBackup,
  describeReusedBackup,
  findDisplacedBackup,
  type Backup,
} from '../../model/account/vm-work.ts';

/**
 * VMs at most whose backups are counted, a request each: a plan that destroys thousands is not worth minutes of waiting for a
 * figure.
 */
const mostCounted = 200;

/** The VMs of a plan whose backups have to be counted, since the plan may lose them, by id. */
export function listVmsLosingBackups({ changes }: Pick<Plan, 'changes'>): readonly Change[] {
  const existing = changes.filter(({ id }) => id !== null);
  // All VMs that are about to get one more backup are asked: there an old backup may be lost that nobody thinks of.
  const first = existing.filter((change) => change.isBackedUpFirst);
  const others = existing.filter((one) => !one.isBackedUpFirst && one.lostBackups !== undefined);
  return [...first, ...others.slice(0, Math.max(0, mostCounted - first.length))];
}

/** The backups of VMs whose disks a plan saves or loses, by VM. */
interface BackupsRead extends Pick<LiveSnapshot, 'backups'> {
  /** Backups of earlier attempts at a rebuild that are used again. */
  readonly kept?: ReadonlyMap<string, Backup>;
}

/** The plan with its lost backups counted, as far as they were read. */
export function addLostBackupCounts(plan: Plan, { backups, kept }: BackupsRead): Plan {
  if (!backups || backups.size === 0) return plan;
  const count = (change: Change) => {
    const listed = change.id === null ? undefined : backups.get(change.id);
    return listed ? countLost(change, listed, kept?.get(change.id ?? '')) : change;
  };
  return { ...plan, changes: plan.changes.map(count) };
}

/** A change that makes a backup, with the one that the service deletes for it. */
function displaceOldest(change: Change, backups: readonly Backup[]): Change {
  const displaced = findDisplacedBackup(backups);
  // A backup that an earlier run has asked for has its room already.
  if (!displaced || (change.underway && isBackupCommand(change.underway.command))) return change;
  const losses = [...change.losses, describeDisplacedBackup(displaced)];
  return { ...change, lostBackups: 1, displacedBackup: displaced.id, losses };
}

function countLost(change: Change, backups: readonly Backup[], kept: Backup | undefined): Change {
  if (change.isBackedUpFirst) {
    if (kept) {
      const losses = [...change.losses, describeReusedBackup(kept)];
      return { ...change, isBackedUpFirst: false, losses };
    }
    return displaceOldest(change, backups);
  }
  if (change.dueBackup) return displaceOldest(change, backups);
  if (change.lostBackups === undefined) return change;
  const effect = change.action === 'rebuild' ? 'rebuild' : 'destroy';
  const { losses: lost } = kindRegistry[change.kind].traits;
  const losses = lost?.list(effect, change.before ?? {}, backups.length) ?? [];
  return { ...change, lostBackups: backups.length, losses };
}
