/** How long a command took, as far as it is known, in milliseconds. */
export interface Took {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** What is known to the millisecond. */
export const exactly = (ms: number): Took => ({ leastMs: ms, mostMs: ms });
