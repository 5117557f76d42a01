// `npm run simulate`: many seeds, on as many cores as asked for. Prints what goes on, and for a failing seed one line
// that repeats it, shrunk.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { faultKinds, type FaultKind } from './fault-kinds.ts';
import { addCounts, countStrikes, type Counts } from './mischief.ts';
import { runSeed, type Narrowing } from './run-seed.ts';
import { describeNarrowing, shrink } from './shrink.ts';

/** What a worker tells of one seed. */
interface SeedResult {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly counts: Counts;
  readonly runs: number;
  readonly requests: number;
  /** The command that repeats a failing seed. */
  readonly repeat?: string;
}

interface Work {
  readonly from: number;
  readonly seeds: number;
  readonly stride: number;
  readonly isShrunk: boolean;
  readonly narrowing: Narrowing;
}

/** Of the violations of one seed; more of them mostly follow from these. */
const shownAtMost = 6;

async function runOne(seed: number, { isShrunk, narrowing }: Work): Promise<SeedResult> {
  const { violations, strikes, runs, requests } = await runSeed(seed, narrowing);
  const result = { seed, violations, counts: countStrikes(strikes), runs, requests };
  if (violations.length === 0) return result;
  const smaller = isShrunk ? await shrink(seed, strikes, narrowing) : narrowing;
  return { ...result, repeat: describeNarrowing(seed, smaller) };
}

async function serve(work: Work): Promise<void> {
  const { from, seeds, stride } = work;
  for (let seed = from; seed < from + seeds; seed += stride) {
    parentPort?.postMessage(await runOne(seed, work));
  }
}

/** Follows many seeds. */
class Tally {
  readonly #startedAt = performance.now();
  readonly #seeds: number;
  #counts = countStrikes([]);
  #done = 0;
  #runs = 0;
  #requests = 0;
  #failed = 0;
  #shownAt = 0;
  /** How many seeds have each sort of violation. */
  readonly #sorts = new Map<string, number>();

  readonly #isNarrow: boolean;

  constructor(seeds: number, isNarrow: boolean) {
    this.#isNarrow = isNarrow;
    this.#seeds = seeds;
  }

  add({ seed, violations, counts, runs, requests, repeat }: SeedResult): void {
    this.#done += 1;
    this.#runs += runs;
    this.#requests += requests;
    this.#counts = addCounts(this.#counts, counts);
    if (violations.length > 0) {
      this.#failed += 1;
      for (const sort of new Set(violations.map(sortOf))) {
        this.#sorts.set(sort, (this.#sorts.get(sort) ?? 0) + 1);
      }
      const shown = violations.slice(0, shownAtMost).map((one) => one.slice(0, 300));
      const left = violations.length - shown.length;
      if (left > 0) shown.push(`and ${left} more`);
      console.log(`seed ${seed}: ${shown.join('\n  ')}\n  repeat: ${repeat ?? ''}`);
    }
    const isDue = performance.now() - this.#shownAt > 5_000;
    if (isDue || this.#done === this.#seeds) this.#show();
  }

  /** Says what was hit; true when all was well. */
  finish(): boolean {
    for (const kind of faultKinds)
      console.log(`${String(this.#counts[kind]).padStart(8)}  ${kind}`);
    const missed = faultKinds.filter((kind) => this.#counts[kind] === 0);
    // A few seeds cannot meet everything.
    const hasMissed = this.#seeds >= 500 && missed.length > 0 && !this.#isNarrow;
    if (hasMissed) console.log(`never hit: ${missed.join(', ')}`);
    for (const [sort, count] of [...this.#sorts].toSorted(([, a], [, b]) => b - a)) {
      console.log(`${String(count).padStart(8)} seeds: ${sort}`);
    }
    console.log(`${this.#failed} of ${this.#done} seeds with a violation`);
    return this.#failed === 0 && !hasMissed;
  }

  #show(): void {
    this.#shownAt = performance.now();
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const rate = (this.#done / seconds).toFixed(1);
    console.log(
      `${this.#done}/${this.#seeds} seeds, ${this.#runs} runs, ${this.#requests} requests, ` +
        `${seconds.toFixed(0)} s, ${rate} seeds and ${(this.#runs / seconds).toFixed(1)} runs a second`,
    );
  }
}

/** A violation without what belongs to its seed alone. */
function sortOf(violation: string): string {
  const [first = ''] = violation.split('\n');
  const [sort = first] = first.startsWith('a bug') ? [first] : first.split(': ');
  return sort
    .replaceAll(/\b[a-z]+-[0-9a-z]{8}\b/g, 'ID')
    .replaceAll(/projects\.\S+/g, 'ADDRESS')
    .replaceAll(/\d+/g, 'N');
}

async function repeatOne(seed: number, narrowing: Narrowing): Promise<boolean> {
  const report = await runSeed(seed, narrowing, (line) => console.log(line));
  for (const violation of report.violations) console.log(`violation: ${violation}`);
  console.log(report.violations.length === 0 ? 'no violation' : describeNarrowing(seed, narrowing));
  return report.violations.length === 0;
}

const listOf = (text: string | undefined): string[] | undefined =>
  text === undefined ? undefined : text.split(',').filter((item) => item !== '');

function readKind(name: string): FaultKind {
  const kind = faultKinds.find((one) => one === name);
  if (!kind) throw new Error(`there is no fault "${name}"`);
  return kind;
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '500' },
      from: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(availableParallelism()) },
      verbose: { type: 'boolean', default: false },
      'no-shrink': { type: 'boolean', default: false },
      only: { type: 'string' },
      configurations: { type: 'string' },
      drop: { type: 'string' },
      kinds: { type: 'string' },
      plain: { type: 'boolean', default: false },
    },
  });
  const [from, seeds] = [Number(values.from), Number(values.seeds)];
  const only = listOf(values.only);
  const configurations = listOf(values.configurations)?.map(Number);
  const drop = listOf(values.drop);
  const kinds = listOf(values.kinds)?.map(readKind);
  if (values.verbose || only || configurations || drop) {
    const narrowing = {
      ...(only && { only }),
      ...(configurations && { configurations }),
      ...(drop && { drop }),
      ...(kinds && { kinds }),
      isPlain: values.plain,
    };
    return repeatOne(from, narrowing);
  }
  const tally = new Tally(seeds, kinds !== undefined || values.plain);
  const stride = Math.max(1, Math.min(seeds, Number(values.workers)));
  const isShrunk = !values['no-shrink'];
  const works = Array.from({ length: stride }, (_, index): Work => ({
    ...{
      from: from + index,
      seeds: seeds - index,
      stride,
      isShrunk,
      narrowing: { ...(kinds && { kinds }), isPlain: values.plain },
    },
  }));
  await Promise.all(
    works.map(
      (work) =>
        new Promise<void>((resolve, reject) => {
          const worker = new Worker(new URL(import.meta.url), { workerData: work });
          worker.on('message', (result: SeedResult) => tally.add(result));
          worker.on('error', reject);
          worker.on('exit', () => resolve());
        }),
    ),
  );
  return tally.finish();
}

if (isMainThread) process.exitCode = (await main()) ? 0 : 1;
else await serve(workerData as Work);
