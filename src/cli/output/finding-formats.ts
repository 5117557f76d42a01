import { publishedHostwrightVersion } from '../../model/version.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { formatPrintableJson } from '../../render/format/escape.ts';
import { renderFindingsJunit } from '../../render/json/junit.ts';
import { renderSarif, type SarifPlan } from '../../render/json/sarif.ts';

/** Report formats of other tools that hold findings only, and no plan: JUnit and SARIF. */
export const findingFormats = ['junit', 'sarif'] as const;
export type FindingFormat = (typeof findingFormats)[number];

/** Tells whether a format holds findings only. */
export function isFindingFormat(format: string): format is FindingFormat {
  return findingFormats.includes(format);
}

/**
 * Renders the findings of a plan, its changes and its drift as a JUnit or SARIF file for code hosts; the text ends with a line
 * end.
 */
export function renderFindingsFile(
  diagnostics: readonly Diagnostic[],
  format: FindingFormat,
  plan?: SarifPlan,
): string {
  return format === 'junit'
    ? renderFindingsJunit(diagnostics)
    : `${formatPrintableJson(renderSarif(diagnostics, publishedHostwrightVersion, plan), 2)}\n`;
}
