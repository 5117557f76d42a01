import type { Log, Result, Run } from 'sarif';
import type { Diagnostic, Severity } from '../model/diagnostic.ts';
import type { SourceRange } from '../model/source.ts';

const levels: Readonly<Record<Severity, Result.level>> = {
  error: 'error',
  warning: 'warning',
  note: 'note',
};

/**
 * Findings in the Static Analysis Results Interchange Format 2.1.0, so that code hosts mark the lines of the YAML.
 * Paths are relative to the working directory, as everywhere; hosts read them from the root of the repository.
 */
export function renderSarif(diagnostics: readonly Diagnostic[], version: string): Log {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const run: Run = {
    tool: {
      driver: {
        name: 'Hostwright',
        version,
        rules: codes.map((id) => ({ id })),
      },
    },
    columnKind: 'utf16CodeUnits',
    results: diagnostics.map((diagnostic) =>
      describeResult(diagnostic, codes.indexOf(diagnostic.code)),
    ),
  };
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
}

function describeResult(diagnostic: Diagnostic, ruleIndex: number): Result {
  const { severity, code, summary, detail, hint, address, source } = diagnostic;
  const text = [summary, detail, hint].filter((part) => part !== undefined && part !== '');
  const location = {
    ...(source && { physicalLocation: describePlace(source) }),
    ...(address !== undefined && {
      logicalLocations: [{ fullyQualifiedName: address, kind: 'resource' }],
    }),
  };
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
    message: { text: text.join('\n\n') },
    ...(Object.keys(location).length > 0 && { locations: [location] }),
  };
}

function describePlace({ file, line, column, endLine, endColumn }: SourceRange) {
  return {
    artifactLocation: { uri: file.split(/[/\\]/).map(encodeURIComponent).join('/') },
    region: { startLine: line, startColumn: column, endLine, endColumn },
  };
}
