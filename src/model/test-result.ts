import type { Diagnostic } from './diagnostic.ts';
import type { SourceRange } from './source.ts';

/** Status of a step of a test. `skip`: an earlier step had failed. */
export type TestStepStatus = 'pass' | 'fail' | 'skip';

/** Result of a step of a test. */
export interface FinishedTestStep {
  /** Action of the step: `plan`, `apply`, `destroy`, `edit`, `drift` or `wait`. */
  readonly name: string;
  readonly status: TestStepStatus;
  /** The number of the step's assertions that were evaluated. */
  readonly assertions: number;
  /** Diagnostics about why the step failed; empty for one that passed. */
  readonly diagnostics: readonly Diagnostic[];
  readonly source: SourceRange;
}

/** Result of a test. */
export interface TestResult {
  /** Path of the test's file as messages show it. */
  readonly file: string;
  readonly name: string;
  readonly status: 'pass' | 'fail';
  /** Real duration of the test, in milliseconds: the test's own clock is virtual. */
  readonly elapsedMs: number;
  /** Virtual time that passed in the test's account, in milliseconds. */
  readonly virtualMs: number;
  readonly steps: readonly FinishedTestStep[];
  /** Diagnostics of a test that failed before its first step, while its account was made. */
  readonly diagnostics: readonly Diagnostic[];
  readonly source: SourceRange;
}

/** Numbers of tests that passed, failed or were left out. */
export interface TestTally {
  readonly passed: number;
  readonly failed: number;
  /** Number of tests that the filter left out. */
  readonly filtered: number;
  readonly elapsedMs: number;
}

/** All diagnostics of a failed test, in the order in which they came up. */
export function listTestFailures({ diagnostics, steps }: TestResult): readonly Diagnostic[] {
  return [...diagnostics, ...steps.flatMap((step) => step.diagnostics)];
}
