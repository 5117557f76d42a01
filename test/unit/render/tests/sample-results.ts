import type { Diagnostic } from '../../../../src/model/diagnostic.ts';
import type { SourceRange } from '../../../../src/model/source.ts';
import type { FinishedTestStep, TestResult } from '../../../../src/model/test-result.ts';

const source: SourceRange = {
  ...{ file: 'shop.test.yaml', line: 7, column: 9, endLine: 7, endColumn: 12 },
  frame: '> 7 | x == 1\n    | ^^^',
};

export const failure: Diagnostic = {
  ...{ severity: 'error', code: 'assertion-failed', source },
  summary: 'The assertion is false: plan.counts.add == 2',
  detail: '  plan.counts.add = 3',
};

export function makeStep(over: Partial<FinishedTestStep> = {}): FinishedTestStep {
  return { name: 'plan', status: 'pass', assertions: 1, diagnostics: [], source, ...over };
}

export const makeResult = (over: Partial<TestResult> = {}): TestResult => ({
  ...{ file: 'shop.test.yaml', name: 'creates a VM', status: 'pass', source },
  ...{ elapsedMs: 120, virtualMs: 90_000, steps: [makeStep()], diagnostics: [], ...over },
});

export const failed = makeResult({
  ...{ name: 'grows & <shrinks>', status: 'fail', elapsedMs: 2_340 },
  steps: [
    makeStep({ name: 'apply' }),
    makeStep({ status: 'fail', diagnostics: [failure] }),
    makeStep({ name: 'destroy', status: 'skip', assertions: 0 }),
  ],
});
