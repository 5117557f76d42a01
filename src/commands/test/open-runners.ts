// Runners of tests: threads, since a test is work for a processor and waits for nothing; or the process itself, where it has
// no threads or there is too little to do for one.
import type { TestCase } from '../../config/tests/test-file.ts';
import type { Runtime, Thread } from '../../model/runtime.ts';
import type { TestResult } from '../../model/test-result.ts';
import { explainTimeout, runTest } from './run-test.ts';
import type { TestJob } from './run-job.ts';

/** Runs one test at a time. */
export interface TestRunner {
  run(job: TestJob, test: TestCase): Promise<TestResult>;
  close(): Promise<void>;
}

/** Number of tests for which starting a thread pays off. */
const testsPerThread = 3;
/** Grace beyond a test's time limit, in milliseconds: a thread that is silent longer hangs in the middle of work. */
const graceMs = 20_000;

/** As many runners as are worth it for so many tests, and at most `parallelism`. */
export function openRunners(
  runtime: Pick<
    Runtime,
    'allowsOutsideFiles' | 'bounds' | 'clock' | 'cwd' | 'openThread' | 'variables'
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
  runtime: Pick<Runtime, 'allowsOutsideFiles' | 'bounds' | 'clock' | 'cwd' | 'variables'>,
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
        return { ...job.unfinished, diagnostics: [explainTimeout(job)] };
      } finally {
        ended.abort();
      }
    },
  };
}
