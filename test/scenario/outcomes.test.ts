import { describe } from 'vitest';
import { readBudget } from '../support/budget/budget.ts';
import { testOutcomes } from './outcome-courses.ts';

// The loose service is in the longer tiers.
const variants =
  readBudget().tier === 'short' ? (['strict'] as const) : (['strict', 'loose'] as const);

describe.each(variants)('%s', (variant) => testOutcomes(variant));
