import type { Clock } from '../../model/runtime.ts';
import { unknownDurationPauseShare, affordablePollCount, pollPauseShare } from './watch.ts';

/** Who waits alone pauses for this share of the time waited: nobody shares the price of a look. */
const aloneShare = 0.12;

/** A guess is looked at so many times less often than it may go unnoticed for: there is one of each kind in a run. */
const guessTimes = 4;

/** However short what is guessed may be, all places together pause for so many of the shortest pauses. */
const shortestTimes = 2;

/** So many in all places pay for no more looks than one does: most of those tell nothing. */
const fewWaiters = 100;

/** The wait in one place for commands of unknown duration. */
interface GuessPlace {
  readonly since: number;
  readonly waiters: number;
}

/** A wait for a command of which this run has seen no end yet, so that its duration is a guess. */
interface Guess {
  readonly place: object;
  readonly since: number;
  readonly mayWaitMs: number;
  /** Shortest pause between two looks at the place, in milliseconds. */
  readonly shortestMs: number;
  /** Number of waiters in the place. */
  readonly waiters: number;
  /** Time at which the last look began, by this computer's clock. */
  readonly lastAt: number;
  /** Random number in [0, 1), drawn for each look, that spreads looks over time. */
  readonly chance: number;
}

/**
 * Knows the places in which things are waited for that nobody has seen an end of: a few looks everywhere together find out
 * how long they take as well as many in each place.
 */
export class UnknownDurationWaits {
  readonly #begunAt: number;
  /** Waiting places by the command that is waited for. */
  readonly #places = new Map<string, Map<object, GuessPlace>>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#begunAt = clock.now();
  }

  /** Pause before the next look at a place, in milliseconds, from its last look or from the start of its wait. */
  pause(
    what: string,
    { place, since, lastAt, mayWaitMs, shortestMs, waiters, chance }: Guess,
  ): number {
    const places = this.#places.get(what) ?? new Map<object, GuessPlace>();
    this.#places.set(what, places);
    places.set(place, { since: Math.min(since, places.get(place)?.since ?? since), waiters });
    // By when it began: what grows while it is waited for is never over.
    const from = Math.max(since, lastAt);
    // Places of one command take equally long, so that the oldest one speaks for all; and an end that is small beside the
    // whole run need not be known exactly.
    const { oldest, oldestSince, all } = sumUp(places);
    const elapsedMs = from - oldestSince;
    const shortestGuessMs = shortestMs * shortestTimes;
    const runShareMs = (from - this.#begunAt) * pollPauseShare;
    // Something else waits for its place, or it is among the last: then only how long it has taken itself counts.
    if (mayWaitMs < runShareMs) {
      return Math.max(
        shortestGuessMs,
        Math.min(elapsedMs * unknownDurationPauseShare, mayWaitMs * guessTimes),
      );
    }
    const looks = affordablePollCount(all, fewWaiters);
    const leastMs = Math.max(shortestGuessMs, runShareMs) / looks;
    const sharedMs = Math.max(
      leastMs,
      Math.min(mayWaitMs, (elapsedMs * unknownDurationPauseShare) / looks),
    );
    const pauseMs = Math.max(sharedMs, (elapsedMs * aloneShare) / Math.sqrt(waiters));
    if (places.size === 1) return pauseMs;
    // One look falls due in each pause, wherever, and most of them where it is waited for longest: it is seen there first.
    // They must not all look at once, nor all be late.
    const turns = place === oldest ? 2 : 2 * (places.size - 1);
    return pauseMs * turns * (0.5 + chance);
  }

  /** Notes that nothing is waited for in a place any more. */
  leave(place: object): void {
    for (const places of this.#places.values()) places.delete(place);
  }
}

/** The place with the longest wait, its start, and the number of waiters of all places. */
function sumUp(places: ReadonlyMap<object, GuessPlace>) {
  let oldest: object | undefined;
  let oldestSince = Number.POSITIVE_INFINITY;
  let all = 0;
  for (const [place, { since, waiters }] of places) {
    all += waiters;
    if (since >= oldestSince) continue;
    oldest = place;
    oldestSince = since;
  }
  return { oldest, oldestSince, all };
}
