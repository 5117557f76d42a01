import { describe } from 'vitest';
import { courseNames, testKills } from './kill-courses.ts';

describe('killed at any point and run again: every resource exists exactly once (strict)', () => {
  // The one of `kill-strict.test.ts` need not be run twice.
  testKills(
    'strict',
    courseNames.filter((name) => name !== 'everything changed'),
  );
});
