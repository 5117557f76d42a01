import { describe, expect, test } from 'vitest';
import { drawSeeds, drawSome } from '../support/budget/budget.ts';
import { runSeed } from './simulation/run-seed.ts';
import { runSeeds } from './simulation/run-seeds.ts';

// `npm run simulate` has all of them, and the full tier begins with that.
const { from, to } = drawSeeds({ short: 4, ci: 20 });
const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a run of the program in all kinds of trouble, and again without', () => {
  test.each(seeds)(
    'seed %i: everything wanted stands once, and nothing of ours beside it',
    async (seed) => expect((await runSeeds(seed, seed)).violations).toEqual([]),
  );

  test('the same seed goes the same way', async () => {
    for (const seed of drawSome([3, 14], 1, 'seeds that go the same way')) {
      const lines: [string[], string[]] = [[], []];
      for (const list of lines) await runSeed(seed, {}, (line) => list.push(line));
      expect(lines[1]).toEqual(lines[0]);
    }
  });
});
