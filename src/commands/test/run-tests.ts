import { readTestFile, findTested } from '../../config/tests/read-test-file.ts';
import type { TestCase } from '../../config/tests/test-file.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { TestResult, TestTally } from '../../model/test-result.ts';
import { refuse } from '../session/refuse.ts';
import { findTestFiles } from './find-test-files.ts';
import { runTest } from './run-test.ts';

/** What `test` takes. */
export interface RunTestsOptions {
  /** Files and directories as given; the working directory where there are none. */
  readonly paths: readonly string[];
  /** Only the tests whose names match. */
  readonly filter: RegExp | undefined;
  /** How many tests run at once. */
  readonly parallelism: number;
  readonly seed: number;
  /** How long a test may take on this machine, in milliseconds. */
  readonly timeoutMs: number;
}

/** A test with the place that it runs at. */
interface Planned {
  readonly test: TestCase;
  readonly file: string;
  readonly directory: string;
}

/**
 * Runs tests, several at once, and tells each result in the order of the files, as soon as those before it are told.
 * @throws DiagnosticError with every fault of the files, before any test runs
 */
export async function runTests(
  runtime: Runtime,
  options: RunTestsOptions,
  onResult: (result: TestResult) => void,
): Promise<TestTally> {
  const startedAt = runtime.clock.now();
  const all = await readTests(runtime, options.paths);
  const { filter } = options;
  const chosen = filter ? all.filter(({ test }) => filter.test(test.name)) : all;
  if (chosen.length === 0) throw refuseFilter(all, filter);
  const results: (TestResult | undefined)[] = [];
  let told = 0;
  let next = 0;
  const work = async () => {
    for (let at = next++; at < chosen.length; at = next++) {
      const { test, file, directory } = chosen[at] as Planned;
      const { seed, timeoutMs } = options;
      results[at] = await runTest(runtime, test, file, { directory, seed, timeoutMs });
      for (let ready = results[told]; ready; ready = results[told]) {
        onResult(ready);
        told += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: options.parallelism }, work));
  const passed = results.filter((result) => result?.status === 'pass').length;
  return {
    passed,
    failed: chosen.length - passed,
    filtered: all.length - chosen.length,
    elapsedMs: runtime.clock.now() - startedAt,
  };
}

async function readTests(runtime: Runtime, paths: readonly string[]): Promise<readonly Planned[]> {
  const { cwd, allowsOutsideFiles, bounds } = runtime;
  const files = await findTestFiles(runtime, paths);
  const read = files.map((path) => ({
    directory: findTested(path),
    ...readTestFile({
      ...{ path, root: findTested(path), workingDirectory: cwd },
      ...(allowsOutsideFiles !== undefined && { allowsOutsideFiles }),
      ...(bounds && { fileBytes: bounds.fileBytes }),
    }),
  }));
  const faults = read.flatMap(({ diagnostics }) => diagnostics);
  if (hasErrors(faults)) throw new DiagnosticError(faults);
  return read.flatMap(({ tests, path, directory }) =>
    tests.map((test) => ({ test, file: path, directory })),
  );
}

function refuseFilter(all: readonly Planned[], filter: RegExp | undefined): DiagnosticError {
  const [first] = all;
  return refuse('no-tests', `No name of a test matches ${filter?.source ?? ''}`, {
    detail: `There are ${all.length} tests; the first is called "${first?.test.name ?? ''}".`,
    hint: 'Correct --filter, or leave it out.',
  });
}
