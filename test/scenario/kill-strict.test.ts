import { describe } from 'vitest';
import { testKills } from './kill-courses.ts';

describe('killed at any point and run again: every resource exists exactly once (strict)', () => {
  testKills('strict', ['everything changed']);
});
