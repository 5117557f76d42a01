// Gives every property of a test file its share of runs, a seed of the draw, and a failure that says how to repeat it.
import { relative } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { countRuns, describeRepeat, drawNumber, readBudget } from './budget.ts';

const { path } = readBudget();

function report<T>(details: fc.RunDetails<T>): void {
  if (!details.failed) return;
  const { currentTestName = '', testPath = '' } = expect.getState();
  const file = relative(process.cwd(), testPath);
  const name = currentTestName.replaceAll(' > ', ' ');
  const example = details.counterexamplePath;
  const repeat = describeRepeat({ file, name }, example === null ? {} : { path: example });
  throw new Error(`${fc.defaultReportMessage(details)}\nRepeat: ${repeat}`, {
    cause: details.errorInstance,
  });
}

fc.configureGlobal({
  numRuns: countRuns(100),
  seed: drawNumber(2 ** 31, 'properties'),
  ...(path !== undefined && { path, endOnFailure: true }),
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- a plugin would be installed once more by each file of a worker
  reporter: report,
});
