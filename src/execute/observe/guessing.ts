import type { Clock } from '../../model/runtime.ts';
import { guessShare, pauseShare } from './watch.ts';

/** Who waits alone pauses for this share of the time waited: nobody shares the price of a look. */
const aloneShare = 0.12;

/** However short what is guessed may be, all places together look no more often. */
const shortestGuessMs = 100;

/** A place that waits for what nobody has seen an end of. */
interface Guess {
  readonly place: object;
  readonly since: number;
  readonly mayWaitMs: number;
  /** How many wait there. */
  readonly waiters: number;
  /** When its last look began, by the clock. */
  readonly lastAt: number;
  /** In [0, 1), drawn anew for each look. */
  readonly chance: number;
}

/**
 * Knows the places in which things are waited for that nobody has seen an end of: a few looks everywhere together find out
 * how long they take as well as many in each place.
 */
export class Guessing {
  readonly #begunAt: number;
  /** By what is waited for: since when in each place. */
  readonly #places = new Map<string, Map<object, number>>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#begunAt = clock.now();
  }

  /** How long a place pauses before it looks again, in milliseconds, from its last look on or from when its wait began. */
  pause(what: string, { place, since, lastAt, mayWaitMs, waiters, chance }: Guess): number {
    const places = this.#places.get(what) ?? new Map<object, number>();
    this.#places.set(what, places);
    places.set(place, Math.min(since, places.get(place) ?? since));
    // By when it began: what grows while it is waited for is never over.
    const from = Math.max(since, lastAt);
    // Where one has taken long already, the others will; and what is short beside the whole run need not be known exactly.
    const elapsedMs = from - Math.min(...places.values());
    const runShareMs = (from - this.#begunAt) * pauseShare;
    // Something else waits for its place: then only how long it has taken itself counts.
    if (mayWaitMs < runShareMs) return Math.max(shortestGuessMs, elapsedMs * guessShare);
    const leastMs = Math.max(shortestGuessMs, runShareMs);
    const sharedMs = Math.max(leastMs, Math.min(mayWaitMs, elapsedMs * guessShare));
    const pauseMs = Math.max(sharedMs, (elapsedMs * aloneShare) / Math.sqrt(waiters));
    // One look falls due in each pause, wherever: they must not all look at once, nor all be late.
    return places.size > 1 ? pauseMs * places.size * (0.5 + chance) : pauseMs;
  }

  /** A place waits for nothing any more. */
  leave(place: object): void {
    for (const places of this.#places.values()) places.delete(place);
  }
}
