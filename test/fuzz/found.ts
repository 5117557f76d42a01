import type { Files } from './corpus.ts';

/** What came of one case. */
export interface Found {
  /** Empty where all went as it should. */
  readonly problems: readonly string[];
  /** What repeats it by hand. */
  readonly files: Files;
  /** How many it counts for: one configuration, or the answers that were changed. */
  readonly cases: number;
  /** What was shown. */
  readonly output: string;
}
