import { expect, test } from 'vitest';
import { openTestRunners } from '../../../../src/commands/test/run-tests.ts';
import type { TestJob } from '../../../../src/commands/test/run-job.ts';
import type { TestCase } from '../../../../src/config/tests/test-file.ts';
import type { Runtime, Thread } from '../../../../src/model/runtime.ts';
import type { TestResult } from '../../../../src/model/test-result.ts';
import { VirtualClock } from '../../../../src/sandbox/clock/virtual-clock.ts';
import { silentRuntime } from '../../../support/silent-runtime.ts';
import { makeResult } from '../../render/tests/sample-results.ts';

const unfinished = makeResult({ status: 'fail', steps: [] });
const job: TestJob = {
  ...{ file: 'a', path: '/a', directory: '/', index: 0, means: { cwd: '/' } },
  ...{ seed: 1, timeoutMs: 1_000, unfinished },
};
const anyTest: TestCase = {
  ...{ name: 'any', variables: [], environment: {}, steps: [], source: unfinished.source },
  account: { tree: undefined, quotas: {}, nameLengths: {} },
};

/** A program whose threads answer as is said. */
function openProgram(answer: (message: unknown, thread: number) => Promise<unknown>) {
  const clock = new VirtualClock();
  const opened: { isClosed: boolean }[] = [];
  const openThread = (): Promise<Thread> => {
    const thread = { isClosed: false };
    const number = opened.push(thread);
    return Promise.resolve({
      ask: (message) => answer(message, number),
      close: () => {
        thread.isClosed = true;
        return Promise.resolve();
      },
    });
  };
  const runtime: Runtime = { ...silentRuntime, clock, openThread };
  return { clock, opened, runtime };
}

test.each([
  [30, 4, 4],
  [30, 100, 10],
  [7, 4, 2],
  // So few are done before a thread has started.
  [5, 4, 1],
  [30, 1, 1],
])('%d tests, at most %d at once: %d runners', (tests, parallelism, expected) => {
  const { runtime } = openProgram(() => new Promise(() => undefined));
  expect(openTestRunners(runtime, tests, parallelism)).toHaveLength(expected);
});

test('without threads, there is one runner', () =>
  expect(openTestRunners(silentRuntime, 100, 8)).toHaveLength(1));

test('a thread that hangs in the middle of work is ended, and another goes on', async () => {
  const answer = (_: unknown, thread: number) =>
    thread === 1 ? new Promise(() => undefined) : Promise.resolve(makeResult());
  const { clock, opened, runtime } = openProgram(answer);
  const [runner] = openTestRunners(runtime, 9, 2);
  const results: (TestResult | undefined)[] = await clock.run(
    (async () => [await runner?.run(job, anyTest), await runner?.run(job, anyTest)])(),
  );
  expect(results).toMatchObject([
    { status: 'fail', diagnostics: [{ code: 'test-timeout' }] },
    { status: 'pass' },
  ]);
  expect(clock.now() - Date.UTC(2026, 0, 1)).toBeGreaterThan(job.timeoutMs);
  expect(opened).toEqual([{ isClosed: true }, { isClosed: false }]);
  await runner?.close();
  expect(opened[1]).toEqual({ isClosed: true });
});

test('what ends a thread is a bug of the program', async () => {
  const { clock, runtime } = openProgram(() => Promise.reject(new Error('a bug')));
  const [runner] = openTestRunners(runtime, 9, 2);
  await expect(clock.run(runner!.run(job, anyTest))).rejects.toThrow('a bug');
});
