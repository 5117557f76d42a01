// Runner of one test in an account of its own. Failures of every sort are results.
import type { TestCase } from '../../config/tests/test-file.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Clock } from '../../model/runtime.ts';
import { copySourceRange } from '../../model/source.ts';
import type { TestResult } from '../../model/test-result.ts';
import { testTimeoutCode } from './attempt-step.ts';
import { TestAccount } from './test-account.ts';
import { TestRun, type TestRuntime } from './test-run.ts';

/** Options of every test of a run. */
export interface TestOptions {
  /** Path of the test's file as messages show it. */
  readonly file: string;
  /** Absolute path of the configuration's directory. */
  readonly directory: string;
  /** Seed of the sandbox's random ids and durations, so that a test repeats exactly. */
  readonly seed: number;
  /** Real time that a test may take, in milliseconds: its own clock is virtual. */
  readonly timeoutMs: number;
}

/** Runs one test. Nothing of the real account, of its state, of the network or of the environment is touched. */
export async function runTest(
  means: TestRuntime,
  test: TestCase,
  { file, directory, seed, timeoutMs }: TestOptions,
): Promise<TestResult> {
  const { clock } = means;
  const { name } = test;
  const source = copySourceRange(test.source);
  const startedAt = clock.now();
  const bound = startBound(clock, test, timeoutMs);
  const account = await TestAccount.open(test.account, { seed, signal: bound.signal });
  try {
    const { steps, diagnostics } = await new TestRun(means, test, account, directory).carryOut();
    const isPassed = diagnostics.length === 0 && steps.every(({ status }) => status === 'pass');
    const status = isPassed ? 'pass' : 'fail';
    const elapsedMs = clock.now() - startedAt;
    const { virtualMs } = account;
    return { file, name, source, status, elapsedMs, virtualMs, steps, diagnostics };
  } finally {
    bound.release();
    account.close();
  }
}

/** The error of a test that exceeded its time limit. */
export function describeTestTimeout({ timeoutMs }: Pick<TestOptions, 'timeoutMs'>): Diagnostic {
  return {
    severity: 'error',
    code: testTimeoutCode,
    summary: `The test took longer than ${timeoutMs / 1_000} s`,
    hint: 'Raise the bound with --timeout, or test less at once.',
  };
}

/** Aborts its signal once a test has taken too long on this machine. */
function startBound(
  clock: Clock,
  { source }: TestCase,
  timeoutMs: number,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const bound = new AbortController();
  const done = new AbortController();
  const reason = new DiagnosticError([{ ...describeTestTimeout({ timeoutMs }), source }]);
  clock.sleep(timeoutMs, done.signal).then(
    () => bound.abort(reason),
    () => undefined,
  );
  return { signal: bound.signal, release: () => done.abort() };
}
