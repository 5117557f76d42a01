/** Shortest and longest time that a command can have taken, in milliseconds. */
export interface CommandDurationBounds {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** A duration that is known to the millisecond. */
export const makeExactDurationBounds = (ms: number): CommandDurationBounds => ({
  leastMs: ms,
  mostMs: ms,
});
