import { findTested } from '../../config/tests/read-test-file.ts';
import type { TestCase } from '../../config/tests/test-file.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { copySource } from '../../model/source.ts';
import type { TestResult, TestTally } from '../../model/test-result.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import { findTestFiles } from './find-test-files.ts';
import { openRunners, type TestRunner } from './open-runners.ts';
import { copyMeans, readTestsOf, type TestJob } from './run-job.ts';
import { countNoun } from '../../model/text/count-noun.ts';

/** Options of `test`. */
export interface RunTestsOptions {
  /** Files and directories as given; the working directory where there are none. */
  readonly paths: readonly string[];
  /** Regular expression for the names of the tests to run; all run when undefined. */
  readonly filter: RegExp | undefined;
  /** The number of tests that run at once. */
  readonly parallelism: number;
  readonly seed: number;
  /** Real time that a test may take, in milliseconds: its own clock is virtual. */
  readonly timeoutMs: number;
}

/** A test with the job that a worker thread gets to run it. */
interface Planned {
  readonly test: TestCase;
  readonly job: TestJob;
}

/**
 * Runs tests, several at once, and reports each result in the order of the files, as soon as those before it are reported.
 * @throws DiagnosticError with every fault of the files, before any test runs
 */
export async function runTests(
  runtime: Pick<
    Runtime,
    'allowsOutsideFiles' | 'bounds' | 'clock' | 'cwd' | 'openThread' | 'variables'
  >,
  options: RunTestsOptions,
  onResult: (result: TestResult) => void,
): Promise<TestTally> {
  const startedAt = runtime.clock.now();
  const all = await planTests(runtime, options);
  const { filter, parallelism } = options;
  const chosen = filter ? all.filter(({ test }) => filter.test(test.name)) : all;
  if (chosen.length === 0) throw refuseFilter(all, filter);
  const results: (TestResult | undefined)[] = [];
  let told = 0;
  const queue = chosen.entries();
  const work = async (runner: TestRunner) => {
    for (const [at, { test, job }] of queue) {
      results[at] = await runner.run(job, test);
      for (let ready = results[told]; ready; ready = results[told]) {
        onResult(ready);
        told += 1;
      }
    }
  };
  const runners = openRunners(runtime, chosen.length, parallelism);
  try {
    await Promise.all(runners.map(work));
  } finally {
    await Promise.all(runners.map((runner) => runner.close()));
  }
  const passed = results.filter((result) => result?.status === 'pass').length;
  return {
    passed,
    failed: chosen.length - passed,
    filtered: all.length - chosen.length,
    elapsedMs: runtime.clock.now() - startedAt,
  };
}

async function planTests(
  runtime: Pick<Runtime, 'allowsOutsideFiles' | 'bounds' | 'cwd' | 'variables'>,
  { paths, seed, timeoutMs }: RunTestsOptions,
): Promise<readonly Planned[]> {
  const means = copyMeans(runtime);
  const files = await findTestFiles(runtime, paths);
  const read = files.map((path) => {
    const directory = findTested(path);
    return { ...readTestsOf(path, directory, means), absolute: path, directory };
  });
  const faults = read.flatMap(({ diagnostics }) => diagnostics);
  if (hasErrors(faults)) throw new DiagnosticError(faults);
  return read.flatMap(({ tests, path: file, absolute: path, directory }) =>
    tests.map((test, index) => {
      const unfinished = describeUnfinished(test, file);
      return {
        test,
        job: { file, path, directory, index, means, seed, timeoutMs, unfinished },
      };
    }),
  );
}

function describeUnfinished({ name, source }: TestCase, file: string): TestResult {
  return {
    file,
    name,
    source: copySource(source),
    status: 'fail',
    elapsedMs: 0,
    virtualMs: 0,
    steps: [],
    diagnostics: [],
  };
}

function refuseFilter(all: readonly Planned[], filter: RegExp | undefined): DiagnosticError {
  const [first] = all;
  return createCommandRefusal('no-tests', `No name of a test matches ${filter?.source ?? ''}`, {
    detail: `There ${all.length === 1 ? 'is' : 'are'} ${countNoun('test', all.length)}; the first is called "${first?.test.name ?? ''}".`,
    hint: 'Correct --filter, or leave it out.',
  });
}
