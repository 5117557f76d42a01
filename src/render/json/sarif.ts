import type { Log, Result, Run } from 'sarif';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import type { DriftChoice, TextEdit } from '../../model/plan/drift-choice.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { SourceRange } from '../../model/source.ts';
import { findErrorDocsPage } from '../format/error-page.ts';
import { formatDriftAcceptCommand, describeDriftFinding } from '../drift/drift-words.ts';
import {
  escapeUntrustedLines,
  escapeUntrustedText,
  replaceLoneSurrogates,
} from '../format/escape.ts';

const levels: Readonly<Record<Severity, Result.level>> = {
  error: 'error',
  warning: 'warning',
  note: 'note',
};

/** File for findings about no file, where the configuration's files are unknown: the one that `init` writes. */
const firstFile = 'main.yaml';

/** A place in a file, or the file as a whole. */
type Place = Pick<SourceRange, 'file'> & Partial<SourceRange>;

/** The plan that the findings of a SARIF file are about. */
export interface SarifPlan {
  readonly changes?: Plan['changes'];
  readonly drift?: readonly DriftChoice[];
}

/**
 * Findings in the Static Analysis Results Interchange Format 2.1.0, so that code hosts mark the lines of the YAML.
 * Paths are relative to the working directory, as everywhere; hosts read them from the root of the repository.
 * Drift that edits accept comes with these edits as a fix.
 */
export function renderSarif(
  found: readonly Diagnostic[],
  version: string,
  { changes = [], drift = [] }: SarifPlan = {},
): Log {
  const fixes = new Map(
    drift.map((choice) => [describeDriftFinding(choice), describeFixes(choice)]),
  );
  const diagnostics = [...found, ...fixes.keys()];
  const findPlace = createPlaceFinder(diagnostics, changes);
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const run: Run = {
    tool: {
      driver: {
        name: 'Hostwright',
        version,
        rules: codes.map((id) => ({ id, helpUri: findErrorDocsPage(id) })),
      },
    },
    columnKind: 'utf16CodeUnits',
    results: diagnostics.map((diagnostic) => ({
      ...describeResult(diagnostic, codes.indexOf(diagnostic.code), findPlace(diagnostic)),
      ...fixes.get(diagnostic),
    })),
  };
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
}

/**
 * Places for findings. Code hosts refuse a whole file in which one result has no place: a finding without a place of its own
 * gets that of its resource, and a finding about the whole plan the top of a file.
 */
function createPlaceFinder(
  diagnostics: readonly Diagnostic[],
  changes: Plan['changes'],
): (diagnostic: Diagnostic) => Place {
  const sources = new Map(
    changes.flatMap(({ address, source }) => (source ? [[address, source] as const] : [])),
  );
  const known = [...sources.values(), ...diagnostics.flatMap(({ source }) => source ?? [])];
  const top = { file: known[0]?.file ?? firstFile };
  return ({ address = '', source }) => source ?? sources.get(address) ?? top;
}

function describeResult(diagnostic: Diagnostic, ruleIndex: number, place: Place): Result {
  const { severity, code, summary, detail, hint, address } = diagnostic;
  const text = [summary, detail, hint].filter((part) => part !== undefined && part !== '');
  const location = {
    physicalLocation: describePlace(place),
    ...(address !== undefined && {
      logicalLocations: [{ fullyQualifiedName: escapeUntrustedText(address), kind: 'resource' }],
    }),
  };
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
    message: { text: quoteMessage(text.join('\n\n')) },
    locations: [location],
  };
}

function describeFixes(choice: DriftChoice): Pick<Result, 'fixes'> {
  const { accept } = choice;
  if (accept.kind !== 'edits') return {};
  const artifactChanges = accept.edits.map(describeReplacement);
  return { fixes: [{ description: { text: formatDriftAcceptCommand(choice) }, artifactChanges }] };
}

function describeReplacement({ source, text }: TextEdit) {
  const { artifactLocation, region } = describePlace(source);
  return {
    artifactLocation,
    replacements: [{ deletedRegion: region, insertedContent: { text } }],
  };
}

/** Escapes brackets in a message, as SARIF reads `[words](target)` as a link. */
function quoteMessage(text: string): string {
  return escapeUntrustedLines(text).replaceAll('](', String.raw`]\u0028`);
}

function describePlace({ file, line = 1, column = 1, endLine = 1, endColumn = 1 }: Place) {
  return {
    artifactLocation: {
      uri: replaceLoneSurrogates(file).split(/[/\\]/).map(encodeURIComponent).join('/'),
    },
    region: { startLine: line, startColumn: column, endLine, endColumn },
  };
}
