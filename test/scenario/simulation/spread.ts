import type { Dice } from './dice.ts';

const minuteMs = 60_000;

/**
 * How far what a simulation draws may reach. Far past what the engine waits for: a promise that holds only as long as the
 * service keeps within our own windows is none.
 */
export const bounds = {
  /** After this a request has arrived, or it never will. */
  lateMs: 10 * minuteMs,
  /** How far a list, a record or a single resource may lag behind. */
  lagMs: 10 * minuteMs,
  /** For how long a resource that is there may be said not to be. */
  flapMs: 10 * minuteMs,
  /** For how long a process may stand still. */
  pauseMs: 30 * minuteMs,
  /** How far the clock of a process may be ahead of the service's, or behind it. */
  clockMs: 120 * minuteMs,
  /** How long the service may ask to be left alone. */
  retryAfterMs: 24 * 60 * minuteMs,
} as const;

/** A time up to `mostMs`: as often between 1 and 10 seconds as between 10 and 100. */
export const drawMs = (dice: Dice, mostMs: number, leastMs = 100): number =>
  Math.round(leastMs * (mostMs / leastMs) ** dice.next());
