import type { ResourceAddress } from './address.ts';
import type { SourceRange } from './source.ts';

export type Severity = 'error' | 'warning' | 'note';

/** A message that a user can act on, or should know: what happened, where, why, and a hint. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable and machine-readable, e.g. `unknown-key`, `quota-exceeded`. */
  readonly code: string;
  /** Summary of the diagnostic on one line, without a full stop. */
  readonly summary: string;
  /** Reason for the diagnostic, with figures, in full sentences. */
  readonly detail?: string;
  /** Next step for the user, in full sentences. */
  readonly hint?: string;
  readonly address?: ResourceAddress;
  readonly source?: SourceRange;
  /** Set where a policy asks for so many approvals of the plan, which a server waits for. */
  readonly approvals?: { readonly needed: number; readonly policy: string };
  /** Set for the diagnostic that stands for those that are not shown: their number by severity. */
  readonly standsFor?: Readonly<Record<Severity, number>>;
}

/** A diagnostic that a check of a plan has made. */
export type Finding = Diagnostic;

/** Codes of diagnostics about data that a plan would lose for good. */
const lossCodes: ReadonlySet<string> = new Set(['data-loss', 'backup-displaced']);

/** Tells whether a diagnostic is about data that is lost for good: its line is marked alike in every form of output. */
export function isDataLossDiagnostic({ code }: Pick<Diagnostic, 'code'>): boolean {
  return lossCodes.has(code);
}

/** The codes of findings about a guard, policy, check or budget that was lifted since the last apply. */
const liftedCodes: ReadonlySet<string> = new Set([
  ...['guard-lifted', 'policy-lifted', 'check-lifted', 'budget-raised'],
]);

/** Tests for a finding about a lifted safeguard: it is shown before all others. */
export function isLiftedSafeguardFinding({ code }: Pick<Diagnostic, 'code'>): boolean {
  return liftedCodes.has(code);
}

/** Codes of findings that each plan repeats for as long as nobody acts on them, which may be months. */
const standingCodes: ReadonlySet<string> = new Set(['waits-for-rebuild']);

/** Tells whether plans shorten a finding to one line: `--explain` shows it whole. */
export function isShortenedFinding({ code }: Pick<Diagnostic, 'code'>): boolean {
  return standingCodes.has(code);
}

const severityRank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 };

/** The rank in a list, the lowest first: lifted safeguards, then by severity. */
export function rankDiagnostic(diagnostic: Pick<Diagnostic, 'code' | 'severity'>): number {
  return isLiftedSafeguardFinding(diagnostic) ? -1 : severityRank[diagnostic.severity];
}

/** Tells whether any of the diagnostics is an error, which stops the run. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** The number of diagnostics of a severity, including those that a diagnostic with `standsFor` counts. */
export function countSeverity(diagnostics: readonly Diagnostic[], severity: Severity): number {
  return diagnostics.reduce(
    (sum, one) =>
      sum + (one.standsFor ? one.standsFor[severity] : Number(one.severity === severity)),
    0,
  );
}
