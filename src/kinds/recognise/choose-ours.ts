import { evidence } from '../../model/state/evidence.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { isNamed, type CreateAttempt, type Recognition } from './recognise.ts';

/**
 * The one resource that a create made, where that can be told: the only one, or, of several, the only one that came to be
 * about when the service accepted it.
 */
export function pickOurs(
  ours: readonly LiveResource[],
  { acceptedServiceAt }: CreateAttempt,
): LiveResource | undefined {
  const [only, ...others] = ours;
  if (others.length === 0 || acceptedServiceAt === undefined)
    return others.length === 0 ? only : undefined;
  const latest = acceptedServiceAt + evidence.clockSkewMs;
  const near = ours.filter(({ createdAt }) => typeof createdAt === 'number' && createdAt <= latest);
  return near.length === 1 ? near[0] : undefined;
}

/** How a resource's time agrees with that of the acceptance; `unknown` where the service does not say one of both. */
function compareTimes(
  { acceptedServiceAt }: CreateAttempt,
  live: LiveResource | undefined,
): 'near' | 'off' | 'unknown' {
  if (acceptedServiceAt === undefined || typeof live?.createdAt !== 'number') return 'unknown';
  return live.createdAt <= acceptedServiceAt + evidence.clockSkewMs ? 'near' : 'off';
}

/** What a create made, by what was recognised: the one resource, or several between which only a person can choose. */
export interface Choice {
  readonly candidates: readonly LiveResource[];
  readonly live: LiveResource | undefined;
  /** True: it came late, or its time is a little off, so that somebody else may have made it. */
  readonly isDoubtful: boolean;
}

/**
 * Chooses among what was recognised. `isFinal`: the time of evidence is over, so that a resource whose time is
 * a little off may be what an accepted create made. A resource without a name is never chosen then: only its time
 * distinguishes it.
 */
export function chooseOurs(
  { ours, unproven, doubtful }: Pick<Recognition, 'ours' | 'unproven' | 'doubtful'>,
  attempt: CreateAttempt,
  isFinal: boolean,
): Choice {
  if (ours.length === 0 && unproven.length > 0) {
    return { candidates: unproven, live: undefined, isDoubtful: true };
  }
  if (ours.length > 0 || !isFinal) {
    const live = pickOurs(ours, attempt);
    const time = compareTimes(attempt, live);
    return {
      candidates: ours,
      live,
      isDoubtful: time === 'off' || (isFinal && time === 'unknown'),
    };
  }
  const live = isNamed(attempt.command) ? pickOurs(doubtful, attempt) : undefined;
  return { candidates: doubtful, live, isDoubtful: true };
}
