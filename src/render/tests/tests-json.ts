import type { SourceRange } from '../../model/source.ts';
import type { StepResult, TestResult, TestTally } from '../../model/test-result.ts';
import { describeDiagnostic, type DiagnosticJson } from '../json/diagnostics-json.ts';

interface PlaceJson {
  readonly filename: string;
  readonly line: number;
  readonly column: number;
}

interface StepJson {
  readonly step: string;
  readonly status: StepResult['status'];
  readonly assertions: number;
  readonly place: PlaceJson;
  readonly diagnostics: readonly DiagnosticJson[];
}

interface TestJson {
  readonly file: string;
  readonly name: string;
  readonly status: TestResult['status'];
  readonly duration_ms: number;
  /** How much time passed in the account of the test. */
  readonly virtual_ms: number;
  readonly place: PlaceJson;
  readonly diagnostics: readonly DiagnosticJson[];
  readonly steps: readonly StepJson[];
}

/** The answer of `test --json`. */
export interface TestsJson {
  readonly format_version: '1.0';
  readonly success: boolean;
  readonly summary: {
    readonly passed: number;
    readonly failed: number;
    readonly filtered: number;
    readonly duration_ms: number;
  };
  readonly tests: readonly TestJson[];
}

/** The results for machines, in the order of the files. */
export function renderTestsJson(results: readonly TestResult[], tally: TestTally): TestsJson {
  const { passed, failed, filtered, elapsedMs } = tally;
  return {
    format_version: '1.0',
    success: failed === 0,
    summary: { passed, failed, filtered, duration_ms: Math.round(elapsedMs) },
    tests: results.map((result) => ({
      ...{ file: result.file, name: result.name, status: result.status },
      duration_ms: Math.round(result.elapsedMs),
      virtual_ms: result.virtualMs,
      place: describePlace(result.source),
      diagnostics: result.diagnostics.map(describeDiagnostic),
      steps: result.steps.map(({ name, status, assertions, source, diagnostics }) => ({
        ...{ step: name, status, assertions, place: describePlace(source) },
        diagnostics: diagnostics.map(describeDiagnostic),
      })),
    })),
  };
}

function describePlace({ file, line, column }: SourceRange): PlaceJson {
  return { filename: file, line, column };
}
