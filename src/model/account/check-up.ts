/** What `doctor` looks at, in the order in which it tells. */
export type CheckUpName =
  | 'configuration'
  | 'address'
  | 'token'
  | 'scopes'
  | 'clock'
  | 'contract'
  | 'backend'
  | 'state'
  | 'lock';

/** `skipped`: it could not be looked at, since something before it is broken or there is nothing to look at. */
export type CheckUpOutcome = 'ok' | 'warning' | 'failure' | 'skipped';

/** One thing that was looked at, and what was found. */
export interface CheckUp {
  readonly name: CheckUpName;
  readonly outcome: CheckUpOutcome;
  /** Stable and machine-readable; absent where all is well. */
  readonly code?: string;
  /** One line without a full stop. */
  readonly summary: string;
  /** Why; full sentences. */
  readonly detail?: string;
  /** What to do next; full sentences. */
  readonly hint?: string;
}
