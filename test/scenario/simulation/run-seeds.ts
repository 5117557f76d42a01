import type { Strike } from './mischief.ts';
import { runSeed } from './run-seed.ts';
import { describeNarrowing } from './shrink.ts';

/** Runs the seeds from one to another. @returns what went wrong on purpose, and what is wrong in the end */
export async function runSeeds(from: number, to: number) {
  const strikes: Strike[] = [];
  const violations: string[] = [];
  for (let seed = from; seed <= to; seed += 1) {
    const report = await runSeed(seed);
    strikes.push(...report.strikes);
    if (report.violations.length > 0) {
      violations.push(describeNarrowing(seed, {}), ...report.violations);
    }
  }
  return { strikes, violations };
}
