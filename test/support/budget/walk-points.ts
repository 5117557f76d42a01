// The points of a run at which something befalls it, one after another.
import { relative } from 'node:path';
import { expect } from 'vitest';
import { describeRepeat, drawNumber, readBudget } from './budget.ts';

/** What came of trying a point: `past` is a run that ended before it, after so many points. */
export type PointEnd =
  | { readonly kind: 'tried'; readonly faults: readonly string[] }
  | { readonly kind: 'past'; readonly last: number };

export interface PointRange {
  /** The first point; 1 unless given. */
  readonly from?: number;
  /** Where the points end; with the run unless given. */
  readonly to?: number;
  /** In the tier `ci` every so manyth point is tried; every third unless given. In the short tier a third of these are. */
  readonly every?: number;
}

/**
 * Tries the points of a run until it comes to its end, and expects nothing wrong at any: in the full tier at all of them, else
 * at the first, the last, and those between that the draw meets. @returns how many points there are
 */
export async function walkPoints(
  { from = 1, to = Infinity, every = 3 }: PointRange,
  tryPoint: (at: number) => Promise<PointEnd>,
): Promise<number> {
  const faults: string[] = [];
  const visit = async (at: number): Promise<number | undefined> => {
    try {
      const end = await tryPoint(at);
      if (end.kind === 'past') return end.last;
      if (end.faults.length > 0) faults.push(...end.faults.map((fault) => `at ${at}: ${fault}`));
      if (end.faults.length > 0) faults.push(`repeat: ${describePoint(at)}`);
      return undefined;
    } catch (error) {
      throw new Error(`at ${at}; repeat: ${describePoint(at)}`, { cause: error });
    }
  };
  const { tier, point } = readBudget();
  const stride = { short: every * 3, ci: every, full: 1 }[tier];
  let last = to - 1;
  let tried = point ?? from;
  let past = await visit(tried);
  // The only point that is asked for says nothing of how many there are.
  if (point !== undefined) {
    expect(faults, faults.join('\n')).toEqual([]);
    return Infinity;
  }
  for (let at = from + firstGap(stride); past === undefined && at < to; at += stride) {
    past = await visit(at);
    if (past === undefined) tried = at;
  }
  last = Math.min(last, past ?? last);
  if (last > tried) await visit(last);
  expect(faults, faults.join('\n')).toEqual([]);
  return last - from + 1;
}

/** How far the second point lies from the first: each test has its own. */
const firstGap = (stride: number): number =>
  drawNumber(stride, `points of ${expect.getState().currentTestName ?? ''}`) || stride;

function describePoint(at: number): string {
  const { currentTestName = '', testPath = '' } = expect.getState();
  const file = relative(process.cwd(), testPath);
  return describeRepeat({ file, name: currentTestName.replaceAll(' > ', ' ') }, { point: `${at}` });
}
