// The dialects in which the tests of the contract are run once more, and which of these tests.
import { type Budget, drawNumber } from './budget.ts';

/** A dialect by its name, and the files that are run in it. */
interface DialectRun {
  readonly name: string;
  readonly include: readonly string[];
}

const inOneFolder = (names: string): readonly string[] =>
  names.split(' ').map((name) => `test/contract/${name}.test.ts`);

/**
 * The files that ask by operations. The others are about what no translation reaches: headers and paths that are none (`auth`),
 * answers that the contract itself has in two ways (`loose`), the port that steers the sandbox (`admin`), and its pages.
 */
const allFiles = inOneFolder(
  'lifecycle resources limits names quota-lag operations restart specification faults',
);
/** Those that say most for their time. */
const quickFiles = inOneFolder('lifecycle resources');

const files = ['plain', 'flat', 'cursor'] as const;
const drawnCount = 5;

/** The dialects of a run: `dialect` alone where one is named. */
export function drawDialectRuns(
  budget: Pick<Budget, 'tier' | 'draw' | 'dialect'>,
): readonly DialectRun[] {
  const { tier, dialect } = budget;
  if (dialect !== undefined) return [{ name: dialect, include: allFiles }];
  const seed = drawNumber(100_000, 'dialects of the contract', budget);
  const drawn = Array.from({ length: drawnCount }, (_, at) => `seed-${seed + at}`);
  const one = files[drawNumber(files.length, 'dialect of the contract', budget)] ?? 'plain';
  const names = { short: [one], ci: [one, ...drawn.slice(0, 1)], full: [...files, ...drawn] }[tier];
  return names.map((name) => ({ name, include: tier === 'short' ? quickFiles : allFiles }));
}
