import { expect, test } from 'vitest';
import { countRuns } from '../../support/budget/budget.ts';
import { comparePlans } from './compare-stories.ts';

const plans = countRuns(400, 50);

test(`${plans} random plans end as they were rehearsed`, { timeout: 900_000 }, async () => {
  expect(await comparePlans(plans)).toBeGreaterThan(plans / 20);
});
