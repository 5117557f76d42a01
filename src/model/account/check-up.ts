/** Subjects of the checks of `doctor`, in the order of its output. */
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

/** `skipped`: the subject could not be checked, since something before it is broken or there is nothing to check. */
export type CheckUpOutcome = 'ok' | 'warning' | 'failure' | 'skipped';

/** One check of `doctor`, and its result. */
export interface CheckUp {
  readonly name: CheckUpName;
  readonly outcome: CheckUpOutcome;
  /** Stable and machine-readable; absent where all is well. */
  readonly code?: string;
  /** Result on one line without a full stop. */
  readonly summary: string;
  /** Why; full sentences. */
  readonly detail?: string;
  /** Next step for the user; full sentences. */
  readonly hint?: string;
}
