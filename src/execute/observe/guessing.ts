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
  /** In [0, 1), drawn anew for each look. */
  readonly chance: number;
}

/**
 * Knows the places in which things are waited for that nobody has seen an end of: a few looks everywhere together find out
 * how long they take as well as many in each place.
 */
export class Guessing {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #begunAt: number;
  /** By what is waited for: since when in each place. */
  readonly #places = new Map<string, Map<object, number>>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#begunAt = clock.now();
  }

  /** How long a place pauses before it looks again, in milliseconds. */
  pause(what: string, { place, since, mayWaitMs, waiters, chance }: Guess): number {
    const places = this.#places.get(what) ?? new Map<object, number>();
    this.#places.set(what, places);
    places.set(place, Math.min(since, places.get(place) ?? since));
    const now = this.#clock.now();
    // Where one has taken long already, the others will; and what is short beside the whole run need not be known exactly.
    const elapsedMs = now - Math.min(...places.values());
    const leastMs = Math.max(shortestGuessMs, (now - this.#begunAt) * pauseShare);
    const sharedMs = Math.min(mayWaitMs, Math.max(leastMs, elapsedMs * guessShare));
    const pauseMs = Math.max(sharedMs, (elapsedMs * aloneShare) / Math.sqrt(waiters));
    // They must not all look at once, nor all be late: together they look at random.
    return places.size > 1 ? -Math.log(1 - chance) * pauseMs * places.size : pauseMs;
  }

  /** A place waits for nothing any more. */
  leave(place: object): void {
    for (const places of this.#places.values()) places.delete(place);
  }
}
