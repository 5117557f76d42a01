/** Subjects of the checks of `doctor`, in the order of its output. */
export type DoctorCheckUpName =
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
export type DoctorCheckUpOutcome = 'ok' | 'warning' | 'failure' | 'skipped';

/** One check of `doctor` with its result. */
export interface DoctorCheckUp {
  readonly name: DoctorCheckUpName;
  readonly outcome: DoctorCheckUpOutcome;
  /** Code of the fault, for programs to match; absent where all is well. */
  readonly code?: string;
  /** Result of the check on one line, without a full stop. */
  readonly summary: string;
  /** Reason for the result, in full sentences. */
  readonly detail?: string;
  /** Next step for the user, in full sentences. */
  readonly hint?: string;
}
