import { expect, test } from 'vitest';
import { comparePlans } from './compare-stories.ts';

test('50 random plans end as they were rehearsed', { timeout: 300_000 }, async () => {
  expect(await comparePlans(50, 7)).toBeGreaterThan(5);
});
