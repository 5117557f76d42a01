import type { SourceRange } from '../source.ts';

/** A guard, policy, check or budget as the last apply was held to it: as much as tells whether it was lifted since. */
export interface Safeguard {
  /** Absent for what always refuses. */
  readonly severity?: 'warn' | 'deny';
  /** A digest of its condition. */
  readonly digest?: string;
  /** `30 % from 10`, `3`, `500 EUR`: lifted where a number grows. */
  readonly bound?: string;
}

/** A safeguard of a configuration, and its place there. */
export type PlacedSafeguard = Safeguard & { readonly source: SourceRange };

/** Safeguards by their names in the configuration: `policies.noBigVms`, `guards.maxDeletes`, `budget`. */
export type Safeguards = Readonly<Record<string, Safeguard>>;
