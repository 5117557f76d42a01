// How long the engine looks for what a create may have made. The service has no idempotency key, so only lists, operation
// records and single reads tell; all of them may lag. These are the engine's constants of evidence: timeouts of changes and
// how long records are kept are not among them.

/** Bounds of looking, in milliseconds. */
export const evidence = {
  /** The least time that a create whose answer was lost is looked for before it is sent again. */
  leastLookMs: 60_000,
  /** The same where the request hung until our own timeout: the service may still be working on it. */
  hungLookMs: 120_000,
  /** The least time that an accepted create may take to show. */
  acceptedLookMs: 120_000,
  /** The most that a slow account makes of any of the three. */
  mostLookMs: 900_000,
  /** How far the clocks of the service's own machines may differ: `Date` header against `createdAt`. */
  clockSkewMs: 5_000,
} as const;

/** The rhythm in which a lost create is looked for, by the run that sent it and by the next one; milliseconds but for the share. */
export const lookCadence = {
  /** Between two looks at the records of a project, while the rest of the run goes on. */
  recordsEveryMs: 5_000,
  /** The same of a run that waits before it plans: it reads the records of every project concerned. */
  allRecordsEveryMs: 10_000,
  /** Before that, an accepted create mostly shows without the help of records. */
  recordsAfterMs: 10_000,
  /** Between two reads of what a record alone speaks of. */
  askAgainMs: 10_000,
  /** Between the looks that support an absence, and at first between those of a run that waits before it plans. */
  confirmEveryMs: 1_000,
  /** The next pause of such a run, as a share of the time that it has looked so far … */
  pauseShare: 0.1,
  /** … and the longest. */
  longestPauseMs: 5_000,
} as const;

/** The most requests of one create. Between two requests lies the whole time of evidence. */
export const mostRequests = 3;

/** A token that shows later is revoked then: it is not worth a long wait. Milliseconds. */
export const tokenLookMs = 10_000;

/** How many times the slowest appearance seen in an account a create is looked for. */
const slowestTimes = 20;

/** For how long a create that was sent more than once is checked for a second resource; milliseconds. */
export const doubleWatchMs = 3_600_000;

/** The same by the clocks of our own processes, where the service tells no time: they may be hours apart. */
export const untimedWatchMs = 24 * 3_600_000;

/** Why a create is looked for. */
export interface LookReason {
  /** True: the service took it, so it has to show. */
  readonly isAccepted: boolean;
  /** True: no answer came until our timeout. */
  readonly hung: boolean;
  /** The longest that an accepted create took to show in this account; undefined before any was seen. */
  readonly slowestAppearanceMs: number | undefined;
}

/** How long to look for what a create may have made, in milliseconds. */
export function lookMs({ isAccepted, hung, slowestAppearanceMs = 0 }: LookReason): number {
  const least = isAccepted
    ? evidence.acceptedLookMs
    : hung
      ? evidence.hungLookMs
      : evidence.leastLookMs;
  return Math.max(least, Math.min(evidence.mostLookMs, slowestTimes * slowestAppearanceMs));
}

/** The longest step between two looks that counts as time spent looking. */
const longestStepMs = 10_000;

/**
 * Adds up the time between looks. A step counts for 10 s at most, so that a clock that is set forward, or a process that was
 * asleep, does not pass for time spent looking.
 */
export class SteadyTime {
  #lastAt: number | undefined;
  #elapsedMs: number;

  /** `elapsedMs`: what passed before the first look, known from elsewhere. */
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
