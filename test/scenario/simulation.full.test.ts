import { expect, test } from 'vitest';
import { faultKinds } from './simulation/fault-kinds.ts';
import { countStrikes } from './simulation/mischief.ts';
import { runSeeds } from './simulation/run-seeds.ts';

test(
  'all seeds to 200: everything wanted stands once, nothing of ours beside it, and every fault struck',
  { timeout: 900_000 },
  async () => {
    // Those before are in `simulation.test.ts`; `npm run simulate` goes on from there.
    const { strikes, violations } = await runSeeds(11, 200);
    expect(violations).toEqual([]);
    const counts = countStrikes(strikes);
    expect(faultKinds.filter((kind) => counts[kind] === 0)).toEqual([]);
  },
);
