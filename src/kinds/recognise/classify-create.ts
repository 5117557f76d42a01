// Decides what is known of a create that no whole answer told the end of. The run that sent it and the next one look at an
// account in their own ways, and ask the same two questions: what is shown (`classifyShown`), and what follows once nothing that is
// shown can be it (`classifyUnseen`). docs/recovery.md draws the states.
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

/** The agreement of a resource's time with that of the acceptance; `unknown` where the service does not say one of both. */
function compareTimes(
  { acceptedServiceAt }: CreateAttempt,
  live: LiveResource | undefined,
): 'near' | 'off' | 'unknown' {
  if (acceptedServiceAt === undefined || typeof live?.createdAt !== 'number') return 'unknown';
  return live.createdAt <= acceptedServiceAt + evidence.clockSkewMs ? 'near' : 'off';
}

/** A resource that may be what a create made. */
export type ShownCreate =
  /** `isDoubtful`: it came late, or its time is a little off, so that somebody else may have made it. */
  | {
      readonly kind: 'found';
      readonly live: LiveResource;
      readonly candidates: readonly LiveResource[];
      readonly isDoubtful: boolean;
    }
  /** Several between which only a person can choose, or one that tells too little. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly LiveResource[] };

/**
 * The one of the recognised things that the create made; undefined where nothing can be it. `isFinal`: the time of evidence is
 * over, so that a resource whose time is a little off may be what an accepted create made. A resource without a name is never
 * chosen then: only its time distinguishes it.
 */
export function classifyShown(
  { ours, unproven, doubtful }: Pick<Recognition, 'ours' | 'unproven' | 'doubtful'>,
  attempt: CreateAttempt,
  isFinal: boolean,
): ShownCreate | undefined {
  if (ours.length > 0) {
    const live = pickOurs(ours, attempt);
    const time = compareTimes(attempt, live);
    return choose(ours, live, time === 'off' || (isFinal && time === 'unknown'));
  }
  if (unproven.length > 0) return { kind: 'ambiguous', candidates: unproven };
  if (!isFinal || doubtful.length === 0) return undefined;
  return choose(doubtful, isNamed(attempt.command) ? pickOurs(doubtful, attempt) : undefined, true);
}

function choose(
  candidates: readonly LiveResource[],
  live: LiveResource | undefined,
  isDoubtful: boolean,
): ShownCreate {
  return live ? { kind: 'found', live, candidates, isDoubtful } : { kind: 'ambiguous', candidates };
}

/** Facts about a create that nothing shown can be the result of, once it was looked for long enough. */
export interface UnseenCreate {
  /** The service took it, and what it was to lie in is there. */
  readonly isAccepted: boolean;
  /** New resources that are like it under another name or by another clock. */
  readonly alike: readonly LiveResource[];
  /** Resources that somebody else made in its place. */
  readonly rivals: readonly LiveResource[];
  /** A record or an earlier look speaks of what cannot be read, or there was no time to be sure. */
  readonly hasTrace: boolean;
}

/**
 * The consequence for it. `hidden`: it has made something, or may have, and is never sent again by itself. `perhaps`: a person says
 * whether it is what is alike. `taken`: its place is another's. `gone`: as far as can be seen it did not happen, and it may be
 * sent again.
 */
export function classifyUnseen({
  isAccepted,
  alike,
  rivals,
  hasTrace,
}: UnseenCreate): 'hidden' | 'perhaps' | 'taken' | 'gone' {
  if (isAccepted) return 'hidden';
  if (alike.length > 0) return 'perhaps';
  if (rivals.length > 0) return 'taken';
  return hasTrace ? 'hidden' : 'gone';
}
