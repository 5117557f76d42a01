import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countRuns, drawNumber } from '../support/budget/budget.ts';
import { runBatch } from './worker.ts';

// A few cases of the draw. Many more: `npm run fuzz -- --minutes 10`.

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'hostwright-fuzz-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test.each([
  ['config', countRuns(1_500, 75)],
  ['answers', countRuns(100)],
] as const)('%s: no crash, no hang, no secret shown', async (target, count) => {
  const from = drawNumber(100_000, `fuzz ${target}`);
  const { cases, failures } = await runBatch({ target, from, count }, directory);
  // How much memory the process of the tests has is no matter of these cases.
  const problems = failures.flatMap((one) =>
    one.problems.filter((problem) => !problem.startsWith('The process has come to')),
  );
  expect(problems).toEqual([]);
  expect(cases).toBeGreaterThan(count / 2);
});
