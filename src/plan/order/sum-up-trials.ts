import type { Address } from '../../model/address.ts';
import { isWhole, type Rehearsal, type Trials } from '../../model/plan/rehearsal.ts';

type Ended = Pick<Rehearsal, 'timeline' | 'failures' | 'skipped' | 'remaining' | 'findings'>;

/** How many are named of what failed. */
const mostNamed = 10;

/** What several rehearsals of one plan come to. @param rehearsals at least one */
export function sumUpTrials(rehearsals: readonly Ended[]): Trials {
  const durations = rehearsals
    .map(({ timeline: { startedAt, endedAt } }) => endedAt - startedAt)
    .sort((a, b) => a - b);
  const counts = new Map<Address, number>();
  for (const { address } of rehearsals.flatMap(({ failures }) => failures)) {
    counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return {
    count: rehearsals.length,
    whole: rehearsals.filter(isWhole).length,
    medianMs: median(durations),
    worstMs: durations.at(-1) ?? 0,
    failures: [...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, mostNamed)
      .map(([address, count]) => ({ address, count })),
  };
}

/** Of numbers in order; of an even count, the mean of the two in the middle. */
function median(sorted: readonly number[]): number {
  const upper = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length - 1 - upper], sorted[upper]];
  return (low + high) / 2;
}
