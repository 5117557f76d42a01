import type { LiveResource } from '../../model/account/live.ts';
import { doubleWatchMs, evidence } from '../../model/state/evidence.ts';
import type { PendingCreate, PossibleDouble } from '../../model/state/state.ts';

/** True for what the lost request can hardly have made: somebody may have made it since. */
export function isMadeMuchLater(
  { serviceAt }: PendingCreate,
  { createdAt }: LiveResource,
): boolean {
  if (serviceAt === undefined || typeof createdAt !== 'number') return false;
  return createdAt > serviceAt + evidence.mostLookMs;
}

/**
 * True for what came after the hour for which a create is watched: somebody else made it. What came in time is reported
 * later as well, since every run of that hour may have been killed.
 */
export function isMadeLater(
  { watchedServiceAt }: PossibleDouble,
  { createdAt }: LiveResource,
): boolean {
  if (watchedServiceAt === undefined || typeof createdAt !== 'number') return false;
  return createdAt > watchedServiceAt + doubleWatchMs;
}
