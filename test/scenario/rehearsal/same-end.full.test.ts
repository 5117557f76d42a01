import { expect, test } from 'vitest';
import { comparePlans } from './compare-stories.ts';

test('2,000 random plans end as they were rehearsed', { timeout: 3_600_000 }, async () => {
  expect(await comparePlans(2_000)).toBeGreaterThan(200);
});
