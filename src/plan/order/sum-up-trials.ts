import { groupBy } from '../../model/group-by.ts';
import {
  hasRehearsalSucceeded,
  type Rehearsal,
  type RehearsalTrials,
} from '../../model/plan/rehearsal.ts';

type Ended = Pick<Rehearsal, 'timeline' | 'failures' | 'skipped' | 'remaining' | 'findings'>;

/** The most failures that the summary of rehearsals names. */
const mostNamed = 10;

/** Summary of several rehearsals of one plan. @param rehearsals at least one */
export function sumUpRehearsals(rehearsals: readonly Ended[]): RehearsalTrials {
  const durations = rehearsals
    .map(({ timeline: { startedAt, endedAt } }) => endedAt - startedAt)
    .sort((a, b) => a - b);
  const failed = groupBy(
    rehearsals.flatMap(({ failures }) => failures),
    ({ address }) => address,
  );
  return {
    count: rehearsals.length,
    whole: rehearsals.filter(hasRehearsalSucceeded).length,
    medianMs: median(durations),
    worstMs: durations.at(-1) ?? 0,
    failures: [...failed.values()]
      .sort((a, b) => b.length - a.length)
      .slice(0, mostNamed)
      .flatMap(([first, ...others]) => (first ? [{ ...first, count: 1 + others.length }] : [])),
  };
}

/** The median of sorted numbers; of an even count, the mean of the two in the middle. */
function median(sorted: readonly number[]): number {
  const upper = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length - 1 - upper], sorted[upper]];
  return (low + high) / 2;
}
