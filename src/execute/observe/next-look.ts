import type { UnknownDurationWaits } from './guessing.ts';
import {
  affordablePollCount,
  type ToleratedLateness,
  type ExpectedResultTimes,
  type ResourceWatch,
} from './watch.ts';

export const shortestPollPauseMs = 50;
const longestPauseMs = 15_000;
/** A look that takes no longer, in milliseconds, takes it on its way: where places are scarce, the next follows at once. */
const lightLookMs = 100;

/** Pause between the looks of a single waiter, as a share of the time that it has waited. */
const ownShare = 0.05;

/** Number of waiters in one place up to which they share the looks that one of them would pay for. */
const fewWaiters = 32;

/** Pace of a command of which no duration is known: it is looked at from the start, and shares its looks with no other. */
const unpaced: ExpectedResultTimes = { firstMs: 0 };

/** The longest time without a look: a run whose process was asleep has learned too long a duration. */
const longestBlindMs = 60_000;

/** A waiting command, as far as it decides when to look next. */
export interface PollWaiter extends ToleratedLateness {
  readonly pace?: ResourceWatch<unknown>['pace'] | undefined;
  readonly since: number;
}

/** The latest look in a place of the account. */
export interface LastPoll {
  /** Time when the look began; long ago where there was none. */
  readonly at: number;
  /** Duration of the last look, or of the one before if that was shorter, in milliseconds. */
  readonly tookMs: number;
  /** Number of pages that it listed, at least 1. */
  readonly pages: number;
  /** In [0, 1), drawn anew for each look: spreads the looks of several places. */
  readonly chance: number;
}

/** The surroundings of a wait, shared with other waits. */
interface Around {
  readonly guessing: UnknownDurationWaits;
  readonly place: object;
  /** Number of commands that wait in this place. */
  readonly waiters: number;
  /** True while requests queue: one that changes something must not do so behind looks. */
  readonly isHeldBack: boolean;
  readonly now: number;
}

/** Time at which a waiting command wants the next look at its place, by this computer's clock. */
export function calculateNextPollTime(
  { since, mayWaitMs, payers, shortestMs, pace }: PollWaiter,
  last: LastPoll,
  { guessing, place, waiters, isHeldBack, now }: Around,
): number {
  const { firstMs, byMs, guessOf } = pace?.() ?? unpaced;
  const { chance } = last;
  const floorMs = Math.min(
    shortestPollPauseMs,
    (shortestMs?.() ?? shortestPollPauseMs) * last.pages,
  );
  // The fewer wait, the more each pays for a look.
  const ownMs = ((now - since) * ownShare) / Math.sqrt(Math.max(waiters, payers?.() ?? 0));
  const wantedMs =
    guessOf === undefined
      ? Math.max(mayWaitMs() / affordablePollCount(waiters, fewWaiters), ownMs) *
        (0.95 + 0.1 * chance)
      : guessing.pause(guessOf, {
          place,
          since,
          mayWaitMs: mayWaitMs(),
          shortestMs: floorMs,
          waiters,
          lastAt: last.at,
          chance,
        });
  // Requests that change something must not queue behind looks.
  const isLight = floorMs < shortestPollPauseMs && !isHeldBack && last.tookMs <= lightLookMs;
  const leastMs = Math.max(last.tookMs * (isLight ? 1 : 2), floorMs);
  const ownPauseMs = Math.max(floorMs, Math.min(longestPauseMs, wantedMs));
  const pauseMs = Math.max(leastMs, ownPauseMs);
  // An end goes unnoticed from the moment it is possible. The length of a look is no reason to begin the first one later.
  const latestAt = Math.max(since + firstMs + ownPauseMs, last.at + pauseMs);
  const isDue = byMs !== undefined && last.at < since + byMs;
  // Sooner where it has ended almost certainly, if looks do not come too thick where many end one after the other.
  const surelyAt = isDue ? Math.max(since + byMs, last.at + pauseMs / 2) : latestAt;
  return Math.min(latestAt, surelyAt, Math.max(since, last.at) + longestBlindMs);
}
