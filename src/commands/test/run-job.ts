import { readTestFile, type ReadTestFileResult } from '../../config/tests/read-test-file.ts';
import type { TestCase } from '../../config/tests/test-file.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { TestResult } from '../../model/test-result.ts';
import { runTest, type TestOptions } from './run-test.ts';
import type { TestRuntime } from './test-run.ts';

/** Runtime members that a test needs, and that can be copied to a thread. */
export type CopiedTestRuntime = Omit<TestRuntime, 'clock'>;

/** A test as a job for a thread: everything in it can be copied. */
export interface TestJob extends TestOptions {
  /** Absolute path of the file with the test. */
  readonly path: string;
  /** Index of the test within its file, from 0. */
  readonly index: number;
  readonly means: CopiedTestRuntime;
  /** The result of a test that did not come to its end, without a word about why. */
  readonly unfinished: TestResult;
}

/** Copies the members of the runtime that a worker thread of `test` needs. */
export function pickRuntimeForTestWorker({
  cwd,
  variables,
  bounds,
  allowsOutsideFiles,
  policyDirectories,
}: Pick<
  Runtime,
  'allowsOutsideFiles' | 'bounds' | 'cwd' | 'policyDirectories' | 'variables'
>): CopiedTestRuntime {
  return {
    cwd,
    ...(variables && { variables }),
    ...(bounds && { bounds }),
    ...(allowsOutsideFiles !== undefined && { allowsOutsideFiles }),
    ...(policyDirectories && { policyDirectories }),
  };
}

/** Reads the tests of a file of the configuration in a directory; both are absolute. */
export function readTestsOfFile(
  path: string,
  directory: string,
  { cwd, allowsOutsideFiles, bounds }: CopiedTestRuntime,
): ReadTestFileResult {
  return readTestFile({
    path,
    root: directory,
    workingDirectory: cwd,
    ...(allowsOutsideFiles !== undefined && { allowsOutsideFiles }),
    ...(bounds && { fileBytes: bounds.fileBytes }),
  });
}

/** Tests by the path of their file, so that this thread reads each file once. */
const known = new Map<string, readonly TestCase[]>();

/** Runs one test of a valid test file. */
export async function runTestJob(
  { clock }: Pick<Runtime, 'clock'>,
  job: TestJob,
): Promise<TestResult> {
  const { path, index, directory, means, unfinished } = job;
  const tests = known.get(path) ?? readTestsOfFile(path, directory, means).tests;
  known.set(path, tests);
  const test = tests[index];
  if (test?.name === unfinished.name) return runTest({ clock, ...means }, test, job);
  const summary = 'The file was changed while its tests were running';
  const hint = 'Run the tests again.';
  return {
    ...unfinished,
    diagnostics: [{ severity: 'error', code: 'file-changed', summary, hint }],
  };
}
