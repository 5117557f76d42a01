// A directory with a configuration and its tests, run by a program that must not look outside.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach } from 'vitest';
import { openProcessClock } from '../../../../src/cli/clock.ts';
import { runTests, type RunTestsOptions } from '../../../../src/commands/test/run-tests.ts';
import type { Runtime } from '../../../../src/model/runtime.ts';
import { listTestFailures, type TestResult } from '../../../../src/model/test-result.ts';
import { silentRuntime } from '../../../support/silent-runtime.ts';
import { openFolder } from '../../../support/open-folder.ts';

const defaults: RunTestsOptions = {
  ...{ paths: [], filter: undefined, parallelism: 3, seed: 1, timeoutMs: 600_000 },
};

/** What was asked for beyond the clock fails. */
const openRuntime = (cwd: string, over: Partial<Runtime>): Runtime => ({
  ...silentRuntime,
  ...{ clock: openProcessClock(), cwd },
  openNetwork: () => {
    throw new Error('a network was opened');
  },
  env: new Proxy(
    {},
    {
      get: (_, name) => {
        throw new Error(`the environment was asked for ${String(name)}`);
      },
      ownKeys: () => {
        throw new Error('the environment was listed');
      },
    },
  ),
  ...over,
});

/** Opens a directory before each test, with that `main.yaml`, and removes it afterwards. */
export function useRoom(main: string) {
  let room = '';
  beforeEach(async () => {
    room = await openFolder('test');
    await write('main.yaml', main);
  });

  async function write(name: string, text: string): Promise<void> {
    await mkdir(dirname(join(room, name)), { recursive: true });
    await writeFile(join(room, name), text);
  }

  async function run(options: Partial<RunTestsOptions> = {}, over: Partial<Runtime> = {}) {
    const results: TestResult[] = [];
    const tally = await runTests(openRuntime(room, over), { ...defaults, ...options }, (result) =>
      results.push(result),
    );
    return { results, tally };
  }

  /** Runs steps, indented by six, as one test. */
  async function runSteps(steps: string, before = ''): Promise<TestResult> {
    await write('a.test.yaml', `version: 1\ntests:\n  one:\n${before}    steps:\n${steps}`);
    const { results } = await run();
    const [result] = results as [TestResult];
    return result;
  }

  const listFiles = () => readdir(room, { recursive: true });
  return { write, run, runSteps, listFiles };
}

/** What went wrong in a test, and where. */
export const codesOf = (result: TestResult) =>
  listTestFailures(result).map(({ code, source }) => `${source?.line}:${source?.column} ${code}`);
