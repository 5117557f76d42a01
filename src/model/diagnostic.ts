import type { Address } from './address.ts';
import type { SourceRange } from './source.ts';

export type Severity = 'error' | 'warning' | 'note';

/** Something a user can fix, or should know: what happened, where, why, and what to do next. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable and machine-readable, e.g. `unknown-key`, `quota-exceeded`. */
  readonly code: string;
  /** One line without a full stop. */
  readonly summary: string;
  /** Why, with figures; full sentences. */
  readonly detail?: string;
  /** What to do next; full sentences. */
  readonly hint?: string;
  readonly address?: Address;
  readonly source?: SourceRange;
  /** Given for the one that counts those that are not shown: how many there are of each. */
  readonly standsFor?: Readonly<Record<Severity, number>>;
}

/** A diagnostic about a plan, made by a check. */
export type Finding = Diagnostic;

/** What is said of data that is lost for good. */
const lossCodes: ReadonlySet<string> = new Set(['data-loss', 'backup-displaced']);

/** True for one that speaks of data that is lost for good: it looks the same wherever it is shown. */
export function isAboutLoss({ code }: Pick<Diagnostic, 'code'>): boolean {
  return lossCodes.has(code);
}

/** The codes of findings about a guard, policy, check or budget that was lifted since the last apply. */
const liftedCodes: ReadonlySet<string> = new Set([
  ...['guard-lifted', 'policy-lifted', 'check-lifted', 'budget-raised'],
]);

/** Tests for a finding about a lifted safeguard: it is shown before all others. */
export function isAboutLifted({ code }: Pick<Diagnostic, 'code'>): boolean {
  return liftedCodes.has(code);
}

/** The codes of what each plan says anew for as long as nobody acts on it, which may be months. */
const standingCodes: ReadonlySet<string> = new Set(['waits-for-rebuild']);

/** True for one that a plan says in a line: `--explain` shows it whole. */
export function isStanding({ code }: Pick<Diagnostic, 'code'>): boolean {
  return standingCodes.has(code);
}

const severityRank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 };

/** The rank in a list, the lowest first: lifted safeguards, then by severity. */
export function rankOf(diagnostic: Pick<Diagnostic, 'code' | 'severity'>): number {
  return isAboutLifted(diagnostic) ? -1 : severityRank[diagnostic.severity];
}

/** True when any of them stops the run. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** How many have a severity, those that one of them stands for counted. */
export function countSeverity(diagnostics: readonly Diagnostic[], severity: Severity): number {
  return diagnostics.reduce(
    (sum, one) =>
      sum + (one.standsFor ? one.standsFor[severity] : Number(one.severity === severity)),
    0,
  );
}
