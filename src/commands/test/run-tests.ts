import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readSystemErrorCode } from '../../config/source/configuration-files.ts';
import { isTestFile } from '../../config/source/read-files.ts';
import { findTestedDirectory } from '../../config/tests/read-test-file.ts';
import type { TestCase } from '../../config/tests/test-file.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime, Thread } from '../../model/runtime.ts';
import { copySourceRange } from '../../model/source.ts';
import type { TestResult, TestTally } from '../../model/test-result.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import { pickRuntimeForTestWorker, readTestsOfFile, type TestJob } from './run-job.ts';
import { describeTestTimeout, runTest } from './run-test.ts';

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
    | 'allowsOutsideFiles'
    | 'bounds'
    | 'clock'
    | 'cwd'
    | 'openThread'
    | 'policyDirectories'
    | 'variables'
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
  const runners = openTestRunners(runtime, chosen.length, parallelism);
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
  runtime: Pick<
    Runtime,
    'allowsOutsideFiles' | 'bounds' | 'cwd' | 'policyDirectories' | 'variables'
  >,
  { paths, seed, timeoutMs }: RunTestsOptions,
): Promise<readonly Planned[]> {
  const means = pickRuntimeForTestWorker(runtime);
  const files = await findTestFiles(runtime, paths);
  const read = files.map((path) => {
    const directory = findTestedDirectory(path);
    return { ...readTestsOfFile(path, directory, means), absolute: path, directory };
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
    source: copySourceRange(source),
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
    detail: `There ${all.length === 1 ? 'is' : 'are'} ${formatCountWithNoun('test', all.length)}; the first is called "${first?.test.name ?? ''}".`,
    hint: 'Correct --filter, or leave it out.',
  });
}

// Runners of tests: threads, since a test is work for a processor and waits for nothing; or the process itself, where it has
// no threads or there is too little to do for one.

/** Runs one test at a time. */
interface TestRunner {
  run(job: TestJob, test: TestCase): Promise<TestResult>;
  close(): Promise<void>;
}

/** Number of tests for which starting a thread pays off. */
const testsPerThread = 3;
/** Grace beyond a test's time limit, in milliseconds: a thread that is silent longer hangs in the middle of work. */
const graceMs = 20_000;

/** Opens test runners: as many as so many tests can make use of, and at most `parallelism`. */
export function openTestRunners(
  runtime: Pick<
    Runtime,
    | 'allowsOutsideFiles'
    | 'bounds'
    | 'clock'
    | 'cwd'
    | 'openThread'
    | 'policyDirectories'
    | 'variables'
  >,
  tests: number,
  parallelism: number,
): readonly TestRunner[] {
  const { openThread } = runtime;
  const count = Math.min(parallelism, Math.floor(tests / testsPerThread));
  if (!openThread || count < 2) return [openOwnRunner(runtime)];
  return Array.from({ length: count }, () => openThreadRunner(runtime, openThread));
}

function openOwnRunner(
  runtime: Pick<
    Runtime,
    'allowsOutsideFiles' | 'bounds' | 'clock' | 'cwd' | 'policyDirectories' | 'variables'
  >,
): TestRunner {
  return {
    run: (job, test) => runTest(runtime, test, job),
    close: () => Promise.resolve(),
  };
}

function openThreadRunner(
  { clock }: Pick<Runtime, 'clock'>,
  openThread: NonNullable<Runtime['openThread']>,
): TestRunner {
  let thread: Thread | undefined;
  const close = async () => {
    await thread?.close();
    thread = undefined;
  };
  return {
    close,
    async run(job) {
      thread ??= await openThread('thread');
      const ended = new AbortController();
      const hang = new Promise<'hang'>((resolve) => {
        const bound = clock.sleep(job.timeoutMs + graceMs, ended.signal);
        bound.then(
          () => resolve('hang'),
          () => undefined,
        );
      });
      try {
        const answer = await Promise.race([thread.ask(job), hang]);
        if (answer !== 'hang') return answer as TestResult;
        await close();
        return { ...job.unfinished, diagnostics: [describeTestTimeout(job)] };
      } finally {
        ended.abort();
      }
    },
  };
}

/** The directory beside a configuration that may hold its tests. */
const testsDirectory = 'tests';

/**
 * Test files of the given paths: files themselves, and of directories the test files directly in them or in their `tests`.
 * Absolute, sorted within each directory, each once.
 * @throws DiagnosticError where a path does not exist, or no test file is found
 */
async function findTestFiles(
  { cwd }: Pick<Runtime, 'cwd'>,
  given: readonly string[],
): Promise<readonly string[]> {
  const faults: Diagnostic[] = [];
  const operands = given.length > 0 ? given : ['.'];
  const found: string[] = [];
  for (const operand of operands) {
    const path = resolve(cwd, operand);
    try {
      if ((await stat(path)).isDirectory()) found.push(...(await listTests(path)));
      else if (isTestFile(path.slice(path.search(/[^/\\]*$/)))) found.push(path);
      else faults.push(...explainOther(operand));
    } catch (error) {
      faults.push(...explainUnreadable(operand, readSystemErrorCode(error)));
    }
  }
  if (faults.length > 0) throw new DiagnosticError(faults);
  if (found.length > 0) return [...new Set(found)];
  throw createCommandRefusal('no-tests', `There are no tests in ${operands.join(', ')}`, {
    detail:
      'Tests are in files that end in .test.yaml, beside the configuration or in its directory `tests`.',
    hint: 'Write one, or give the directory that has some. "hostwright init" shows how a first one looks.',
  });
}

async function listTests(directory: string): Promise<readonly string[]> {
  const below = join(directory, testsDirectory);
  const lists = [directory, below].map(async (one) => {
    const names = await readdir(one).catch(() => []);
    return names
      .filter(isTestFile)
      .sort()
      .map((name) => join(one, name));
  });
  return (await Promise.all(lists)).flat();
}

function explainOther(operand: string): Diagnostic[] {
  return [
    {
      severity: 'error',
      code: 'not-a-test',
      summary: `${operand} is not a file with tests`,
      detail: 'The name of such a file ends in .test.yaml.',
      hint: 'Give the file with the tests, or the directory of the configuration.',
    },
  ];
}

function explainUnreadable(operand: string, code: string): Diagnostic[] {
  return [
    {
      severity: 'error',
      code: 'file-unreadable',
      summary: code === 'ENOENT' ? `There is no ${operand}` : `${operand} cannot be read (${code})`,
      hint: 'Give a file with tests, or a directory that has some.',
    },
  ];
}
