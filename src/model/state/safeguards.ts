/** A guard, policy, check or budget as the last apply was held to it: as much as tells whether it was lifted since. */
export interface Safeguard {
  /** Absent for what always refuses. */
  readonly severity?: 'warn' | 'deny';
  /** What its condition comes to. */
  readonly digest?: string;
  /** `30 % from 10`, `3`, `500 EUR`: lifted where a number grows. */
  readonly bound?: string;
}

/** By their names in the configuration: `policies.noBigVms`, `guards.maxDeletes`, `budget`. */
export type Safeguards = Readonly<Record<string, Safeguard>>;
