// Decides the outcome of a create whose end no complete answer has shown. The run that sent it and the next one look at an
// account in their own ways, and ask the same two questions: which resource is its result (`classifyShownCreate`), and what follows
// where no shown resource can be it (`classifyUnseenCreate`). docs/recovery.md draws the states.
import { lostCreateSearchBounds } from '../../model/state/evidence.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { isNamedCreate, type CreateAttempt, type CreateRecognition } from './recognise.ts';

/**
 * The one resource that a create made, where that can be decided: the only candidate, or, of several, the only one that was
 * created when the service accepted the create.
 */
export function pickCreatedResource(
  ours: readonly LiveResource[],
  { acceptedServiceAt }: CreateAttempt,
): LiveResource | undefined {
  const [only, ...others] = ours;
  if (others.length === 0 || acceptedServiceAt === undefined)
    return others.length === 0 ? only : undefined;
  const latest = acceptedServiceAt + lostCreateSearchBounds.clockSkewMs;
  const near = ours.filter(({ createdAt }) => typeof createdAt === 'number' && createdAt <= latest);
  return near.length === 1 ? near[0] : undefined;
}

/** The agreement of a resource's time with that of the acceptance; `unknown` where the service does not report one of them. */
function compareTimes(
  { acceptedServiceAt }: CreateAttempt,
  live: LiveResource | undefined,
): 'near' | 'off' | 'unknown' {
  if (acceptedServiceAt === undefined || typeof live?.createdAt !== 'number') return 'unknown';
  return live.createdAt <= acceptedServiceAt + lostCreateSearchBounds.clockSkewMs ? 'near' : 'off';
}

/** A live resource that may be the result of a create whose answer was lost. */
export type ShownCreateResult =
  /** `isDoubtful`: the resource came late, or its time is a little off, so that somebody else may have made it. */
  | {
      readonly kind: 'found';
      readonly live: LiveResource;
      readonly candidates: readonly LiveResource[];
      readonly isDoubtful: boolean;
    }
  /** Several resources between which only a person can choose, or one that is reported too incompletely. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly LiveResource[] };

/**
 * Picks the result of a create among the recognised resources; undefined where none can be it. `isFinal`: the time of
 * evidence is over, so that a resource whose time is a little off may be the result of an accepted create. A resource without
 * a name is never picked then: only its time distinguishes it.
 */
export function classifyShownCreate(
  { ours, unproven, doubtful }: Pick<CreateRecognition, 'ours' | 'unproven' | 'doubtful'>,
  attempt: CreateAttempt,
  isFinal: boolean,
): ShownCreateResult | undefined {
  if (ours.length > 0) {
    const live = pickCreatedResource(ours, attempt);
    const time = compareTimes(attempt, live);
    return choose(ours, live, time === 'off' || (isFinal && time === 'unknown'));
  }
  if (unproven.length > 0) return { kind: 'ambiguous', candidates: unproven };
  if (!isFinal || doubtful.length === 0) return undefined;
  return choose(
    doubtful,
    isNamedCreate(attempt.command) ? pickCreatedResource(doubtful, attempt) : undefined,
    true,
  );
}

function choose(
  candidates: readonly LiveResource[],
  live: LiveResource | undefined,
  isDoubtful: boolean,
): ShownCreateResult {
  return live ? { kind: 'found', live, candidates, isDoubtful } : { kind: 'ambiguous', candidates };
}

/** Facts about a create that nothing shown can be the result of, once it was looked for long enough. */
export interface UnseenCreate {
  /** Set where the service accepted the create, and the container of its resource exists. */
  readonly isAccepted: boolean;
  /** New resources that are equal except for their name or their clock. */
  readonly alike: readonly LiveResource[];
  /** Resources that somebody else created under the create's name. */
  readonly rivals: readonly LiveResource[];
  /** Set where a record or an earlier look shows a resource that cannot be read, or where the time was too short to be sure. */
  readonly hasTrace: boolean;
}

/**
 * The consequence for an unseen create. `hidden`: it has made something, or may have, and is never sent again by itself.
 * `perhaps`: a person decides whether an equal resource is its result. `taken`: somebody else has its name. `gone`: as far as
 * can be seen it did not happen, and it may be sent again.
 */
export function classifyUnseenCreate({
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
