import { describe } from 'vitest';
import { courseNames, testKills } from './kill-courses.ts';

describe('killed at any point and run again: every resource exists exactly once (loose)', () => {
  testKills('loose', courseNames);
});
