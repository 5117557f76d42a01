// A process that runs cases. It tells which one it is at, so that a hang or a crash has a name.
import { mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace, runAnswerCase, type AnswerPlace } from './answer-case.ts';
import { describe, runConfigCase } from './config-case.ts';
import type { Found } from './found.ts';

/** What is fuzzed. */
export type Target = 'config' | 'answers';

/** Cases to be run, one after the other. */
export interface Batch {
  readonly target: Target;
  readonly from: number;
  readonly count: number;
}

/** What came of them. */
export interface BatchResult {
  readonly cases: number;
  readonly failures: readonly Failure[];
  readonly rssMb: number;
}

/** A case in which something did not hold. */
export interface Failure {
  readonly target: Target;
  readonly seed: number;
  readonly problems: readonly string[];
  readonly files: Found['files'];
}

/** Answer cases share an account for so many: a case is repeated with those before it. */
export const casesPerAccount = 20;

const longestCpuMs = 10_000;
const mostMb = 1_024;

/** Errors that nobody waited for; they belong to the case that runs. */
let stray: string[] = [];

async function runOne(target: Target, seed: number, directory: string, place?: AnswerPlace) {
  stray = [];
  const before = process.cpuUsage();
  const found =
    target === 'config' || !place
      ? await runConfigCase(seed, directory)
      : await runAnswerCase(seed, place);
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1_000;
  const peakMb = process.resourceUsage().maxRSS / 1_024;
  const problems = [
    ...found.problems,
    ...stray,
    ...(cpuMs > longestCpuMs ? [`It took ${Math.round(cpuMs)} ms of processor time.`] : []),
    ...(peakMb > mostMb ? [`The process has come to ${Math.round(peakMb)} MB.`] : []),
  ];
  return { found, problems };
}

/** Runs cases in a directory of its own. `onCase` is told of each before it begins. */
export async function runBatch(
  { target, from, count }: Batch,
  directory: string,
  onCase: (seed: number) => void = () => undefined,
): Promise<BatchResult> {
  mkdirSync(directory, { recursive: true });
  const failures: Failure[] = [];
  let cases = 0;
  let place: AnswerPlace | undefined;
  for (let seed = from; seed < from + count; seed += 1) {
    onCase(seed);
    if (target === 'answers' && (!place || seed % casesPerAccount === 0)) {
      place?.sandbox.close();
      place = await openPlace(join(directory, 'account'), seed);
    }
    const { found, problems } = await runOne(target, seed, directory, place);
    cases += found.cases;
    if (problems.length > 0) failures.push({ target, seed, problems, files: found.files });
  }
  place?.sandbox.close();
  return { cases, failures, rssMb: process.memoryUsage.rss() / 1024 / 1024 };
}

/** Serves the process that started this one. */
function serve(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const at = openSync(join(directory, 'case'), 'w');
  const note = (seed: number) => void writeSync(at, String(seed).padEnd(12), 0);
  for (const event of ['unhandledRejection', 'uncaughtException']) {
    process.on(event, (error: unknown) => stray.push(`${event}: ${describe(error)}`));
  }
  process.on('message', (batch: Batch) => {
    void runBatch(batch, join(directory, 'files'), note).then((result) => process.send?.(result));
  });
}

if (process.env.HOSTWRIGHT_FUZZ_DIRECTORY !== undefined && process.send) {
  serve(process.env.HOSTWRIGHT_FUZZ_DIRECTORY);
}
