import { describe } from 'vitest';
import { drawVariants } from '../support/budget/budget.ts';
import { testOutcomes } from './outcome-courses.ts';

describe.each(drawVariants('outcomes'))('%s', (variant) => testOutcomes(variant));
