import { describe, expect, test } from 'vitest';
import { runSeed } from './simulation/run-seed.ts';
import { runSeeds } from './simulation/run-seeds.ts';

// `simulation.full.test.ts` goes on from there.
const seeds = 10;

describe('a run of the program in all kinds of trouble, and again without', () => {
  test(`${seeds} seeds: everything wanted stands once, and nothing of ours beside it`, async () => {
    expect((await runSeeds(1, seeds)).violations).toEqual([]);
  });

  test('the same seed goes the same way', async () => {
    for (const seed of [3, 14]) {
      const lines: [string[], string[]] = [[], []];
      for (const list of lines) await runSeed(seed, {}, (line) => list.push(line));
      expect(lines[1]).toEqual(lines[0]);
    }
  });
});
