import type { SourceRange } from '../../model/source.ts';
import type { TestResult, TestTally } from '../../model/test-result.ts';
import { describeDiagnostic } from '../json/diagnostics-json.ts';

/** The answer of `test --json`. */
export type TestsJson = ReturnType<typeof renderTestsJson>;

/** The results for machines, in the order of the files. `virtual_ms` is how much time passed in the account of a test. */
export function renderTestsJson(results: readonly TestResult[], tally: TestTally) {
  const { passed, failed, filtered, elapsedMs } = tally;
  return {
    format_version: '1.0',
    success: failed === 0,
    summary: { passed, failed, filtered, duration_ms: Math.round(elapsedMs) },
    tests: results.map((result) => ({
      file: result.file,
      name: result.name,
      status: result.status,
      duration_ms: Math.round(result.elapsedMs),
      virtual_ms: result.virtualMs,
      place: describePlace(result.source),
      diagnostics: result.diagnostics.map(describeDiagnostic),
      steps: result.steps.map(({ name, status, assertions, source, diagnostics }) => ({
        step: name,
        status,
        assertions,
        place: describePlace(source),
        diagnostics: diagnostics.map(describeDiagnostic),
      })),
    })),
  };
}

function describePlace({ file, line, column }: SourceRange) {
  return { filename: file, line, column };
}
