import { kinds } from '../../kinds/registry.ts';
import type { LiveSnapshot } from '../../model/account/live.ts';
import type { Change, Plan } from '../../model/plan/plan.ts';
import { findDisplaced, maxBackups } from '../../model/account/vm-work.ts';

/** The VMs of a plan whose backups have to be read before it can say what they are worth, by id. */
export function listBackedUp({ changes }: Pick<Plan, 'changes'>): readonly Change[] {
  const concerned = changes.filter(
    ({ id, lostBackups, isBackedUpFirst }) =>
      id !== null && (lostBackups !== undefined || isBackedUpFirst === true),
  );
  // Those that are about to get one more come first: there a backup may be lost that nobody thinks of.
  return [
    ...concerned.filter((change) => change.isBackedUpFirst),
    ...concerned.filter((change) => !change.isBackedUpFirst),
  ];
}

/** The plan with the backups that it loses counted, as far as they were read. */
export function countLostBackups(plan: Plan, { backups }: Pick<LiveSnapshot, 'backups'>): Plan {
  if (!backups || backups.size === 0) return plan;
  return { ...plan, changes: plan.changes.map((change) => countLost(change, backups)) };
}

function countLost(change: Change, all: NonNullable<LiveSnapshot['backups']>): Change {
  const backups = change.id === null ? undefined : all.get(change.id);
  if (!backups) return change;
  if (change.isBackedUpFirst) {
    const displaced = findDisplaced(backups);
    if (!displaced) return change;
    const { id, createdAt } = displaced;
    const when = createdAt === null ? '' : ` of ${new Date(createdAt).toISOString()}`;
    const loss = `Its oldest backup (${id}${when}) is deleted for the new one: the service keeps ${maxBackups}.`;
    return { ...change, lostBackups: 1, losses: [...change.losses, loss] };
  }
  if (change.lostBackups === undefined) return change;
  const effect = change.action === 'rebuild' ? 'rebuild' : 'destroy';
  const losses = kinds[change.kind].losses?.(effect, change.before ?? {}, backups.length) ?? [];
  return { ...change, lostBackups: backups.length, losses };
}
