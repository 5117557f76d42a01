import { expect, test } from 'vitest';
import { comparePlans } from './compare-stories.ts';

test('400 random plans end as they were rehearsed', { timeout: 900_000 }, async () => {
  expect(await comparePlans(400)).toBeGreaterThan(40);
});
