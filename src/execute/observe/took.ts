/** Bounds of a command's duration, in milliseconds. */
export interface Took {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** A duration that is known to the millisecond. */
export const exactly = (ms: number): Took => ({ leastMs: ms, mostMs: ms });
