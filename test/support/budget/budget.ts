// The share of the tests that a run takes. Properties, kill points and seeds are more than a run of every day has time for: it
// takes some of each, and all of them are in the full tier. The draw says which, and is that of the commit unless it is set,
// so that a commit is always judged by the same ones.
import { createHash } from 'node:crypto';

/** `short` is `npm test`, `ci` is `.ci/run`, `full` is `npm run test:full`. */
const tiers = ['short', 'ci', 'full'] as const;
export type Tier = (typeof tiers)[number];

/** The variables that make up a budget. `vitest.config.ts` sets the first two for all files of a run. */
export const budgetVariables = {
  tier: 'HOSTWRIGHT_TEST_TIER',
  draw: 'HOSTWRIGHT_TEST_DRAW',
  /** The only kill point that is tried. */
  point: 'HOSTWRIGHT_TEST_POINT',
  /** The only example of a property that is tried, as fast-check calls it. */
  path: 'HOSTWRIGHT_TEST_PATH',
  /** The only dialect in which the tests of the contract are run once more. */
  dialect: 'HOSTWRIGHT_TEST_DIALECT',
} as const;

export interface Budget {
  readonly tier: Tier;
  /** The first eight hexadecimal digits of a commit, or any other text. */
  readonly draw: string;
  readonly point: number | undefined;
  readonly path: string | undefined;
  readonly dialect: string | undefined;
}

/** Throws where a variable makes no sense: a tier that is misspelled would go unnoticed. */
export function readBudget(env: NodeJS.ProcessEnv = process.env): Budget {
  const named = env[budgetVariables.tier] ?? 'short';
  const tier = tiers.find((one) => one === named);
  if (!tier) throw new Error(`${budgetVariables.tier} is "${named}", not ${tiers.join(', ')}.`);
  const point = env[budgetVariables.point];
  return {
    tier,
    draw: env[budgetVariables.draw] ?? 'none',
    point: point === undefined ? undefined : Number(point),
    path: env[budgetVariables.path],
    dialect: env[budgetVariables.dialect],
  };
}

/** A number below another one: the same for the same draw and purpose. */
export function drawNumber(
  below: number,
  purpose: string,
  { draw }: Pick<Budget, 'draw'> = readBudget(),
): number {
  const digest = createHash('sha256').update(`${draw} ${purpose}`).digest();
  return digest.readUInt32BE() % below;
}

/** The numbers that are taken below the full tier. One alone is that of the short tier: above it, all are taken. */
interface Share {
  readonly short: number;
  readonly ci: number;
}

/** How often a property is tried that is worth so many runs: a fifth of them below the full tier, unless the share is given. */
export function countRuns(whole: number, share: number | Share = Math.ceil(whole / 5)): number {
  const { tier } = readBudget();
  if (tier === 'full') return whole;
  return typeof share === 'number' ? share : share[tier];
}

/** Some of these things, in their order; all of them in the full tier. */
export function drawSome<T>(
  items: readonly T[],
  share: number | Share,
  purpose: string,
): readonly T[] {
  const { tier } = readBudget();
  if (tier === 'full') return items;
  const { [tier]: count } = typeof share === 'number' ? { short: share, ci: items.length } : share;
  const ranked = items.map((item, index) => ({
    ...{ item, index },
    rank: drawNumber(2 ** 32, `${purpose} ${index}`),
  }));
  const drawn = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, count);
  return drawn.toSorted((a, b) => a.index - b.index).map(({ item }) => item);
}

/** The spellings of the contract in which a course is gone through: one in the short tier, both above it. */
export const drawVariants = (purpose: string): readonly ('strict' | 'loose')[] =>
  drawSome(['strict', 'loose'], 1, `variant of ${purpose}`);

/** Seeds of the simulation that follow on each other, of those to 20,000 that are all run by hand. */
export function drawSeeds({ short, ci }: Share): { readonly from: number; readonly to: number } {
  const count = readBudget().tier === 'short' ? short : ci;
  const from = 1 + drawNumber(20_000 - count, 'seeds');
  return { from, to: from + count - 1 };
}

/** The command that runs a test again, as this run has it. */
export function describeRepeat(
  { file, name }: { readonly file: string; readonly name: string },
  more: Partial<Record<'point' | 'path', string>> = {},
): string {
  const { tier, draw } = readBudget();
  const variables = Object.entries({ ...(tier !== 'short' && { tier }), draw, ...more });
  const set = variables.map(
    ([key, value]) => `${budgetVariables[key as keyof typeof budgetVariables]}=${value}`,
  );
  return `${set.join(' ')} npx vitest run ${file} -t '${quotePattern(name)}'`;
}

/** A name as a pattern between the quotes of a shell. */
const quotePattern = (name: string): string =>
  name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("'", '.');
