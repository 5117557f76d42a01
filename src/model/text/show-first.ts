import { countSeverity, rankDiagnostic, type Diagnostic, type Severity } from '../diagnostic.ts';
import { formatCountWithNoun } from './count-noun.ts';

/** The most diagnostics that are shown in full; the rest of them are counted. */
const mostShown = 500;

const bySeverity: readonly Severity[] = ['error', 'warning', 'note'];

/** Writes counts by severity in words: `3 errors and 1 warning`. */
function listCounts(counts: Readonly<Record<Severity, number>>): string {
  return bySeverity
    .filter((severity) => counts[severity] > 0)
    .map((severity) => formatCountWithNoun(severity, counts[severity]))
    .join(' and ');
}

/** The last diagnostic of a cut list: it counts those that are not shown. */
function countRest(rest: Readonly<Record<Severity, number>>): Diagnostic {
  return {
    severity: bySeverity.find((one) => rest[one] > 0) ?? 'note',
    code: 'more-not-shown',
    summary: `There are ${listCounts(rest)} more, which are not shown`,
    detail: `At most ${mostShown} are shown at a time.`,
    hint: 'Fix those that are shown; many of the others often have the same cause.',
    standsFor: rest,
  };
}

/**
 * The first 500 diagnostics, errors before warnings and notes, in their order; one more diagnostic counts the rest.
 * `unseen` counts some that were never collected.
 */
export function limitShownDiagnostics(
  diagnostics: readonly Diagnostic[],
  unseen?: Readonly<Record<Severity, number>>,
): readonly Diagnostic[] {
  if (diagnostics.length <= mostShown && !unseen) return diagnostics;
  const chosen = new Set(
    [...diagnostics].sort((a, b) => rankDiagnostic(a) - rankDiagnostic(b)).slice(0, mostShown),
  );
  const left = diagnostics.filter((one) => !chosen.has(one));
  const count = (severity: Severity) => countSeverity(left, severity) + (unseen?.[severity] ?? 0);
  const rest = { error: count('error'), warning: count('warning'), note: count('note') };
  return [...diagnostics.filter((one) => chosen.has(one)), countRest(rest)];
}
