import { describe, expect, test } from 'vitest';
import { faultKinds } from './simulation/fault-kinds.ts';
import { countStrikes, type Strike } from './simulation/mischief.ts';
import { runSeed } from './simulation/run-seed.ts';
import { describeNarrowing } from './simulation/shrink.ts';

const seeds = 500;

describe('a run of the program in all kinds of trouble, and again without', () => {
  test(
    `${seeds} seeds: everything wanted stands once, and nothing of ours beside it`,
    { timeout: 900_000 },
    async () => {
      const strikes: Strike[] = [];
      const violations: string[] = [];
      for (let seed = 1; seed <= seeds; seed += 1) {
        const report = await runSeed(seed);
        strikes.push(...report.strikes);
        if (report.violations.length > 0) {
          violations.push(describeNarrowing(seed, {}), ...report.violations);
        }
      }
      expect(violations).toEqual([]);
      const counts = countStrikes(strikes);
      expect(faultKinds.filter((kind) => counts[kind] === 0)).toEqual([]);
    },
  );

  test('the same seed goes the same way', async () => {
    for (const seed of [3, 14, 15]) {
      const lines: [string[], string[]] = [[], []];
      for (const list of lines) await runSeed(seed, {}, (line) => list.push(line));
      expect(lines[1]).toEqual(lines[0]);
    }
  });
});
