import { publishedHostwrightVersion } from '../../model/version.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { formatJson } from '../../render/format/escape.ts';
import { renderFindingsJunit } from '../../render/json/junit.ts';
import { renderSarif, type SarifPlan } from '../../render/json/sarif.ts';

/** The formats that hold findings alone: of a plan, of a configuration, or what stopped the command. */
export const findingFormats = ['junit', 'sarif'] as const;
export type FindingFormat = (typeof findingFormats)[number];

/** True for a format that holds findings alone. */
export function isFindingFormat(format: string): format is FindingFormat {
  return findingFormats.includes(format);
}

/** Findings for the tools of code hosts, of a plan with its changes and its drift; ends with a line end. */
export function renderFindingsFile(
  diagnostics: readonly Diagnostic[],
  format: FindingFormat,
  plan?: SarifPlan,
): string {
  return format === 'junit'
    ? renderFindingsJunit(diagnostics)
    : `${formatJson(renderSarif(diagnostics, publishedHostwrightVersion, plan), 2)}\n`;
}
