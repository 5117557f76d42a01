import { describe } from 'vitest';
import { courseNames, testInterrupted } from './interrupted-courses.ts';

describe.each(['strict', 'loose'] as const)(
  'a change that is ended in the middle is told truly by the next run (%s)',
  (variant) => {
    testInterrupted(variant, courseNames);
  },
);
