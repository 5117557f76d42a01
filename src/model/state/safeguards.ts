import type { SourceRange } from '../source.ts';

/** A guard, policy, check or budget as the last apply was held to it: as much as tells whether it was lifted since. */
export interface Safeguard {
  /** Severity of the safeguard; absent for one that always refuses. */
  readonly severity?: 'warn' | 'deny';
  /** Hash of the safeguard's condition, to notice a changed one. */
  readonly digest?: string;
  /** `30 % from 10`, `3`, `500 EUR`: lifted where a number grows. */
  readonly bound?: string;
}

/** A safeguard of the configuration with its place in the YAML. */
export type SafeguardWithLocation = Safeguard & { readonly source: SourceRange };

/** Safeguards by their names in the configuration: `policies.noBigVms`, `guards.maxDeletes`, `budget`. */
export type Safeguards = Readonly<Record<string, Safeguard>>;
