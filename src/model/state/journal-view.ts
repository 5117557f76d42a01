// The journal of a state, as people look at it.
import type { Address } from '../address.ts';

/** A record of the journal, for people. */
export interface JournalEntry {
  /** Counted from 1. */
  readonly line: number;
  /** The kind of its record; `base` for the first line, which says what the others build on. Absent for a damaged line. */
  readonly kind?: string;
  readonly address?: Address;
  /** The id of the resource in the account. */
  readonly id?: string;
  /** For `base`: the serial of the snapshot that the later records build on. */
  readonly serial?: number;
  /** The command that an intent announces. */
  readonly command?: string;
  /** Milliseconds since the Unix epoch. */
  readonly at?: number;
  /** Why it cannot be used, as a sentence; absent for a line that can. */
  readonly fault?: string;
}

/** The journal that no snapshot contains yet: of a run that was interrupted, or is at work. */
export interface JournalView {
  /** As messages name it. */
  readonly path: string;
  readonly epoch: number;
  readonly lines: readonly JournalEntry[];
  /** The numbers of the lines that were dropped by now. */
  readonly dropped: readonly number[];
  /** The path of the copy, as it was given; absent where none was asked for. */
  readonly kept?: string;
}
