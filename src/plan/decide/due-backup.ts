// Backups that are due: the configuration says how old the newest one may be, and the account how old it is. A backup changes
// nothing, so it is neither drift nor a change; what destroys or rebuilds a resource leaves it to the next plan.
import { findFreshBackup, findNewestBackup, type Backup } from '../../model/account/vm-work.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Action, Change } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { DecisionContext } from './decision.ts';

/** A backup that is due, or the reason why nobody can say. */
export interface DueBackupResult {
  readonly dueBackup?: Change['dueBackup'];
  readonly findings: readonly Finding[];
}

const none: DueBackupResult = { findings: [] };

/** The backup that is due of a resource which stays as it is, or is updated. */
export function findDueBackup(
  desired: DesiredResource,
  live: LiveResource,
  action: Action,
  { backups, now, rearranged }: Pick<DecisionContext, 'backups' | 'now' | 'rearranged'>,
): DueBackupResult {
  const { address, maxBackupAgeMs: maxAgeMs } = desired;
  if (maxAgeMs === undefined || now === undefined || !backups) return none;
  if (action !== 'no-op' && action !== 'update') return none;
  // Resources that this plan adopts or moves get their backup by the next one.
  if (rearranged.imported.has(address) || rearranged.movedFrom.has(address)) return none;
  const listed = backups.get(live.id);
  if (!listed) return { findings: [warnOfUnknownAge(desired, 'It cannot see its backups.')] };
  const fresh = findFreshBackup(listed, maxAgeMs, now);
  if (fresh?.createdAt === null) {
    return { findings: [warnOfUnknownAge(desired, 'The service does not say when it made them.')] };
  }
  if (fresh || listed.some(isBeingMade)) return none;
  return {
    ...none,
    dueBackup: { maxAgeMs, newestAt: findNewestBackup(listed)?.createdAt ?? null },
  };
}

function isBeingMade({ status }: Backup): boolean {
  return status === 'creating';
}

function warnOfUnknownAge({ address, source }: DesiredResource, detail: string): Finding {
  return {
    severity: 'warning',
    code: 'backup-age-unknown',
    summary: 'Nobody can say how old its newest backup is, so none is made',
    detail,
    hint: `Make backups by "hostwright vm backup '${address}'", or remove backups from its block.`,
    address,
    source,
  };
}
