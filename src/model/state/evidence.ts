// Bounds of the search for a resource that a create may have made. The service has no idempotency key, so lists,
// operation records and single reads are the only evidence, and all of them may lag. Timeouts of changes and the
// retention of records are elsewhere.

/** Times for which lost results are looked for, in milliseconds. */
export const lostCreateSearchBounds = {
  /** The least time that a create whose answer was lost is looked for before it is sent again. */
  leastLookMs: 60_000,
  /** The least such time where the request hung until our own timeout: the service may still be working on it. */
  hungLookMs: 120_000,
  /** Shortest time after which an accepted create that does not show counts as missing. */
  acceptedLookMs: 120_000,
  /** Longest time for which a slow account makes a run look for a lost result. */
  mostLookMs: 900_000,
  /** Assumed difference between the clocks of the service's own machines: `Date` header against `createdAt`. */
  clockSkewMs: 5_000,
} as const;

/** The rhythm in which a lost create is looked for, by the run that sent it and by the next one; milliseconds but for the share. */
export const lostCreateLookupCadence = {
  /** Between two looks at the records of a project, while the rest of the run goes on. */
  recordsEveryMs: 5_000,
  /** The interval of a run that waits before it plans: it reads the records of every project concerned. */
  allRecordsEveryMs: 10_000,
  /** Time before the first look at the records: an accepted create mostly shows without their help. */
  recordsAfterMs: 10_000,
  /** Pause between two reads of a resource that only an operation record mentions. */
  askAgainMs: 10_000,
  /** Pause between the looks that support an absence, and at first between those of a run that waits before it plans. */
  confirmEveryMs: 1_000,
  /** The next pause of such a run, as a share of the time that it has looked so far … */
  pauseShare: 0.1,
  /** Longest pause between two looks, in milliseconds. */
  longestPauseMs: 5_000,
} as const;

/** The most requests of one create. Between two requests lies the whole time of evidence. */
export const maxCreateRequests = 3;

/**
 * Time for which an access token is looked for; one that shows later is revoked then, so a long wait is not worth it.
 * Milliseconds.
 */
export const lostTokenLookupMs = 10_000;

/** A create is looked for this many times as long as the slowest create of the account took to show. */
const slowestTimes = 20;

/** For how long a create that was sent more than once is checked for a second resource; milliseconds. */
export const duplicateWatchMs = 3_600_000;

/**
 * Milliseconds for which a create is checked for a second resource where the service gives no time: the clocks of Hostwright's
 * own processes may be hours apart.
 */
export const untimedDuplicateWatchMs = 24 * 3_600_000;

/** Reason why the result of a create is looked for. */
export interface LostCreateLookupReason {
  /** Set for a create that the service accepted, so that it has to show. */
  readonly isAccepted: boolean;
  /** Tells whether the create got no answer until our own timeout. */
  readonly hung: boolean;
  /** The longest that an accepted create took to show in this account; undefined before any was seen. */
  readonly slowestAppearanceMs: number | undefined;
}

/** Milliseconds for which a resource that a create may have made is looked for. */
export function findLookupDurationMs({
  isAccepted,
  hung,
  slowestAppearanceMs = 0,
}: LostCreateLookupReason): number {
  const least = isAccepted
    ? lostCreateSearchBounds.acceptedLookMs
    : hung
      ? lostCreateSearchBounds.hungLookMs
      : lostCreateSearchBounds.leastLookMs;
  return Math.max(
    least,
    Math.min(lostCreateSearchBounds.mostLookMs, slowestTimes * slowestAppearanceMs),
  );
}

/** The longest step between two looks that counts as time spent looking. */
const longestStepMs = 10_000;

/**
 * Adds up the time between looks. A step counts for 10 s at most, so that a clock that is set forward, or a process that was
 * asleep, does not pass for time spent looking.
 */
export class LookupTimeCounter {
  #lastAt: number | undefined;
  #elapsedMs: number;

  /** @param elapsedMs time before the first look, known from elsewhere */
  constructor(elapsedMs = 0) {
    this.#elapsedMs = Math.max(0, elapsedMs);
  }

  /** Notes a look that was answered. @returns milliseconds so far */
  note(at: number): number {
    const step = at - (this.#lastAt ?? at);
    this.#elapsedMs += Math.min(longestStepMs, Math.max(0, step));
    this.#lastAt = at;
    return this.#elapsedMs;
  }

  get elapsedMs(): number {
    return this.#elapsedMs;
  }
}
