import { expect, test } from 'vitest';
import { countRuns, drawNumber, readBudget } from '../../support/budget/budget.ts';
import { comparePlans } from './compare-stories.ts';

const plans = countRuns(400, { short: 6, ci: 20 });
/** Of so few plans as the other tiers take, a draw could have hardly any that fail: theirs are always the same. */
const seed = readBudget().tier === 'full' ? drawNumber(2 ** 31, 'stories') : 7;

test(`${plans} random plans end as they were rehearsed`, { timeout: 900_000 }, async () => {
  expect(await comparePlans(plans, seed)).toBeGreaterThan(plans / 10);
});
