// The journal of a state, as people look at it.
import type { ResourceAddress } from '../address.ts';

/** A record of the state's journal, prepared for people to read. */
export interface JournalEntry {
  /** Line of the journal file, counted from 1. */
  readonly line: number;
  /** The kind of its record; `base` for the first line, which says what the others build on. Absent for a damaged line. */
  readonly kind?: string;
  readonly address?: ResourceAddress;
  /** Id of the resource at the service. */
  readonly id?: string;
  /** For `base`: the serial of the snapshot that the later records build on. */
  readonly serial?: number;
  /** The command that the record says was about to be sent. */
  readonly command?: string;
  /** Time of the record, in milliseconds since the Unix epoch. */
  readonly at?: number;
  /** Why it cannot be used, as a sentence; absent for a line that can. */
  readonly fault?: string;
}

/** The journal that no snapshot contains yet: of a run that was interrupted, or is at work. */
export interface JournalView {
  /** Path of the journal as messages name it. */
  readonly path: string;
  readonly epoch: number;
  readonly lines: readonly JournalEntry[];
  /** Numbers of the lines that have been dropped so far. */
  readonly dropped: readonly number[];
  /** The path of the copy, as it was given; absent where none was asked for. */
  readonly kept?: string;
}
