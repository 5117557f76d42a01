// An hour of a small fleet in virtual time: with pushes, workers that die each minute, PostgreSQL restarting, an account that
// refuses, and changes outside.
import { expect, it } from 'vitest';
import { playDay } from '../../fleet/day/play-day.ts';

it(
  'an hour of a small fleet loses nothing and does nothing twice',
  { timeout: 600_000 },
  async () => {
    const figures = await playDay({
      ...{ workspaces: 40, accounts: 1, workers: 3, hours: 1, seed: 7 },
      say: () => undefined,
    });
    expect(figures.faults).toEqual([]);
    expect(figures).toMatchObject({ kills: 60, restarts: 2, missedChecks: 0, excess: 0 });
    // Something was killed and refused, and all pushes were applied.
    expect(figures.recoveries.length).toBeGreaterThan(0);
    expect(figures.refusals).toBeGreaterThan(0);
    expect(figures.runs['apply succeeded']).toBeGreaterThanOrEqual(40);
  },
);
