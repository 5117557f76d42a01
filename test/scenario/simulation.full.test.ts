import { expect, test } from 'vitest';
import { faultKinds } from './simulation/fault-kinds.ts';
import { countStrikes } from './simulation/mischief.ts';
import { runSeeds } from './simulation/run-seeds.ts';

/**
 * Known defects that are open. 87: a network whose create was lost is renamed by hand at a service that tells no time, so
 * that it is made again. 193: after an interrupt, one plan takes ten minutes.
 */
const open = [87, 193];

test(
  'all seeds to 500: everything wanted stands once, nothing of ours beside it, and every fault struck',
  { timeout: 900_000 },
  async () => {
    // Those before are in `simulation.test.ts`.
    const { strikes, violations } = await runSeeds(41, 500, open);
    expect(violations).toEqual([]);
    const counts = countStrikes(strikes);
    expect(faultKinds.filter((kind) => counts[kind] === 0)).toEqual([]);
  },
);
