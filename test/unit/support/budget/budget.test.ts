import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  budgetVariables,
  countRuns,
  describeRepeat,
  drawNumber,
  drawSeeds,
  drawSome,
  drawVariants,
  readBudget,
  type Tier,
} from '../../../support/budget/budget.ts';
import { drawDialectRuns } from '../../../support/budget/dialect-runs.ts';
import { walkPoints } from '../../../support/budget/walk-points.ts';

function use(tier: Tier, draw: string, point?: string): void {
  vi.stubEnv(budgetVariables.tier, tier);
  vi.stubEnv(budgetVariables.draw, draw);
  vi.stubEnv(budgetVariables.point, point);
}

beforeEach(() => use('short', '1a2b3c4d'));
afterEach(() => vi.unstubAllEnvs());

test('a tier that is misspelled is refused', () => {
  expect(() => readBudget({ [budgetVariables.tier]: 'fast' })).toThrow(
    'HOSTWRIGHT_TEST_TIER is "fast", not short, ci, full.',
  );
});

test('a fifth of the runs, all of them in the full tier', () => {
  expect([countRuns(100), countRuns(12), countRuns(400, 50)]).toEqual([20, 3, 50]);
  const share = { short: 4, ci: 9 };
  expect(countRuns(400, share)).toBe(4);
  use('ci', '1a2b3c4d');
  expect([countRuns(100), countRuns(400, share)]).toEqual([20, 9]);
  use('full', '1a2b3c4d');
  expect([countRuns(100), countRuns(12), countRuns(400, 50)]).toEqual([100, 12, 400]);
});

test('the same draw draws the same, and draws differ', () => {
  const items = Array.from({ length: 12 }, (_, index) => index);
  const draw = () => ({
    number: drawNumber(1_000_000, 'this'),
    some: drawSome(items, { short: 3, ci: 6 }, 'some'),
    seeds: drawSeeds({ short: 10, ci: 60 }),
  });
  const first = draw();
  expect(draw()).toEqual(first);
  expect(first.some).toHaveLength(3);
  expect(first.some.toSorted((a, b) => a - b)).toEqual(first.some);
  expect(first.seeds.to - first.seeds.from).toBe(9);
  const counts = () => [drawSome(items, 2, 'some').length, drawVariants('this').length];
  expect(counts()).toEqual([2, 1]);
  use('ci', '1a2b3c4d');
  expect(counts()).toEqual([12, 2]);
  use('short', 'another');
  expect(draw()).not.toEqual(first);
  use('full', '1a2b3c4d');
  expect(drawSome(items, { short: 3, ci: 6 }, 'some')).toEqual(items);
});

test('some tests of the contract in one dialect, all of them in each in the full tier', () => {
  const runs = (tier: Tier, dialect?: string) =>
    drawDialectRuns({ tier, draw: '1a2b3c4d', dialect });
  expect(runs('short')).toHaveLength(1);
  expect(runs('ci')).toHaveLength(2);
  const full = runs('full');
  expect(full.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['plain', 'flat', 'cursor', expect.stringMatching(/^seed-\d+$/)]),
  );
  expect(full[0]?.include.length).toBeGreaterThan(runs('short')[0]?.include.length ?? 0);
  expect(runs('short', 'seed-1')).toEqual([{ name: 'seed-1', include: full[0]?.include }]);
});

describe('the points of a run', () => {
  /** A run of so many points. */
  const walk = async (points: number, range: Parameters<typeof walkPoints>[0] = {}) => {
    const tried: number[] = [];
    const count = await walkPoints(range, (at) => {
      if (at > points) return Promise.resolve({ kind: 'past', last: points });
      tried.push(at);
      return Promise.resolve({ kind: 'tried', faults: [] });
    });
    return { tried, count };
  };

  test('are all tried in the full tier', async () => {
    use('full', '1a2b3c4d');
    expect(await walk(5)).toEqual({ tried: [1, 2, 3, 4, 5], count: 5 });
    expect(await walk(9, { from: 3, to: 6 })).toEqual({ tried: [3, 4, 5], count: 3 });
  });

  test.each(['a', 'b', 'c', 'd', 'e'])(
    'are tried at the first, the last and every third, in the short tier every ninth, whatever the draw: %s',
    async (draw) => {
      const ranges = [{}, { to: 21 }, { from: 4, every: 7 }];
      const walks = (['ci', 'short'] as const).flatMap((tier) =>
        ranges.map((range) => ({ tier, range })),
      );
      for (const { tier, range } of walks) {
        use(tier, draw);
        const { from = 1, every: given = 3 } = range;
        const every = tier === 'ci' ? given : given * 3;
        const { tried, count } = await walk(20, range);
        expect(count).toBe(20 - from + 1);
        expect([tried[0], tried.at(-1)]).toEqual([from, 20]);
        const gaps = tried.slice(1).map((at, index) => at - tried[index]!);
        expect(Math.min(...gaps)).toBeGreaterThan(0);
        expect(Math.max(...gaps)).toBeLessThanOrEqual(every);
        expect(gaps.slice(1, -1)).toEqual(gaps.slice(1, -1).map(() => every));
      }
    },
  );

  test('are one where one is asked for', async () => {
    use('short', '1a2b3c4d', '4');
    expect((await walk(20)).tried).toEqual([4]);
  });

  test('say how to repeat the one that went wrong', async () => {
    const fail = walkPoints({ to: 3 }, () => Promise.resolve({ kind: 'tried', faults: ['lost'] }));
    await expect(fail).rejects.toThrow(
      /at 1: lost[^]*HOSTWRIGHT_TEST_DRAW=1a2b3c4d HOSTWRIGHT_TEST_POINT=1 npx vitest run test\/unit\/support\/budget\/budget.test.ts -t 'the points of a run say how/,
    );
    const broken = walkPoints({}, () => Promise.reject(new Error('bug')));
    await expect(broken).rejects.toThrow('HOSTWRIGHT_TEST_POINT=1');
  });
});

test('the command that repeats a test can be pasted', () => {
  use('full', '1a2b3c4d');
  expect(describeRepeat({ file: 'a.test.ts', name: "a (b) 'c'" }, { path: '3:1' })).toBe(
    String.raw`HOSTWRIGHT_TEST_TIER=full HOSTWRIGHT_TEST_DRAW=1a2b3c4d HOSTWRIGHT_TEST_PATH=3:1 npx vitest run a.test.ts -t 'a \(b\) .c.'`,
  );
});
