// `npm run fuzz`: configurations and answers of the service, on as many processes as there are cores. Prints its seed,
// and for a case that fails one line that repeats it; its files are written out.
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  casesPerAccount,
  type Batch,
  type BatchResult,
  type Failure,
  type Target,
} from './worker.ts';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string' },
    cases: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    workers: { type: 'string' },
  },
});
const batchSizes: Readonly<Record<Target, number>> = { config: 200, answers: casesPerAccount };
/** A worker that has grown so much makes room for a new one. */
const restartMb = 500;
const longestCpuS = 12;
const longestQuietS = 90;

const only = flags.only as Target | undefined;
if (only !== undefined && !(only in batchSizes)) throw new Error('--only config or --only answers');
const firstSeed = Number(flags.seed ?? Math.floor(Math.random() * 2 ** 31));
const endsAt =
  performance.now() + Number(flags.minutes ?? (flags.cases === undefined ? 1 : 1e6)) * 60_000;
const mostCases = Number(flags.cases ?? Number.POSITIVE_INFINITY);
const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'hostwright-fuzz-'));
const kept = resolve('node_modules/.cache/hostwright-fuzz');

const next: Record<Target, number> = { config: firstSeed, answers: firstSeed };
const done: Record<Target, number> = { config: 0, answers: 0 };
const failures: Failure[] = [];
/** Cases that were not run to their end. */
const again: Batch[] = [];

function keep(failure: Failure): void {
  const { target, seed, problems, files } = failure;
  failures.push(failure);
  const directory = join(kept, `${target}-${seed}`);
  for (const [name, content] of Object.entries({
    ...files,
    'problems.txt': problems.join('\n\n'),
  })) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  const first = problems[0]?.split('\n').slice(0, 4).join('\n  ') ?? '';
  const start = target === 'answers' ? seed - (seed % casesPerAccount) : seed;
  console.log(
    `\nFAILED ${target} ${seed}: ${first}\n  ${directory}\n  npm run fuzz -- --only ${target} --seed ${start} --cases ${seed - start + 1}`,
  );
}

function takeBatch(): Batch | undefined {
  const waiting = again.pop();
  if (waiting) return waiting;
  if (performance.now() > endsAt) return undefined;
  // Answers take longer: one batch of them to each of configurations.
  const target =
    only ?? (next.answers - firstSeed < (next.config - firstSeed) / 10 ? 'answers' : 'config');
  const from = next[target];
  const left = mostCases - (from - firstSeed);
  // An account is shared from a multiple on.
  const whole =
    target === 'answers' ? casesPerAccount - (from % casesPerAccount) : batchSizes.config;
  const count = Math.min(whole, left);
  if (count <= 0) return undefined;
  next[target] += count;
  return { target, from, count };
}

/** Seconds of processor time of a process; undefined where the system does not say. */
function cpuOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}

/** One place for a worker, which may be another after each batch. */
class Seat {
  readonly #directory: string;
  #child: ChildProcess | undefined;
  #seen = { seed: '', atMs: 0, cpuS: 0 };

  constructor(index: number) {
    this.#directory = join(base, String(index));
    mkdirSync(this.#directory, { recursive: true });
  }

  async run(): Promise<void> {
    for (let batch = takeBatch(); batch; batch = takeBatch()) await this.#runBatch(batch);
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const started = fork(join(import.meta.dirname, 'worker.js'), [], {
      execArgv: ['--max-old-space-size=900'],
      env: { ...process.env, HOSTWRIGHT_FUZZ_DIRECTORY: this.#directory },
    });
    this.#child = started;
    return started;
  }

  #stop(): void {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async #runBatch(batch: Batch): Promise<void> {
    const child = this.#child ?? this.#start();
    const outcome = await new Promise<BatchResult | string>((finish) => {
      const watch = setInterval(() => {
        const why = this.#findHang(child.pid ?? 0);
        if (why !== undefined) finish(why);
      }, 1_000);
      const end = (result: BatchResult | string) => {
        clearInterval(watch);
        child.removeAllListeners();
        finish(result);
      };
      child.once('message', (result) => end(result as BatchResult));
      child.once('exit', (code, signal) =>
        end(`The process ended with ${signal ?? String(code)}.`),
      );
      this.#seen = { seed: '', atMs: performance.now(), cpuS: 0 };
      child.send(batch);
    });
    if (typeof outcome === 'string') this.#giveUp(batch, outcome);
    else {
      done[batch.target] += outcome.cases;
      outcome.failures.forEach(keep);
      if (outcome.rssMb > restartMb || outcome.failures.length > 0) this.#stop();
    }
  }

  /** The case at which it stands is one that fails; those behind it are run by another. */
  #giveUp({ target, from, count }: Batch, why: string): void {
    this.#stop();
    const seed = Number(this.#readCase()) || from;
    keep({ target, seed, problems: [why], files: {} });
    const left = from + count - seed - 1;
    if (left > 0) again.push({ target, from: seed + 1, count: left });
  }

  #readCase(): string {
    try {
      return readFileSync(join(this.#directory, 'case'), 'utf8').trim();
    } catch {
      return '';
    }
  }

  #findHang(pid: number): string | undefined {
    const seed = this.#readCase();
    const now = performance.now();
    const cpuS = cpuOf(pid) ?? 0;
    if (seed !== this.#seen.seed) this.#seen = { seed, atMs: now, cpuS };
    if (cpuS - this.#seen.cpuS > longestCpuS) return `It runs for more than ${longestCpuS} s.`;
    const quietS = (now - this.#seen.atMs) / 1_000;
    return quietS > longestQuietS && cpuS - this.#seen.cpuS < 1
      ? `It waits for more than ${longestQuietS} s.`
      : undefined;
  }
}

console.log(`seed ${firstSeed}`);
const startedAt = performance.now();
const tell = () => {
  const seconds = (performance.now() - startedAt) / 1_000;
  const rate = Math.round(done.config / seconds);
  console.log(
    `${Math.round(seconds)} s: ${done.config} configurations (${rate}/s), ${done.answers} answers, ${failures.length} failed`,
  );
};
const ticker = setInterval(tell, 10_000);
const seats = Math.min(Number(flags.workers ?? availableParallelism()), mostCases);
await Promise.all(Array.from({ length: seats }, (_, index) => new Seat(index).run()));
clearInterval(ticker);
tell();
rmSync(base, { recursive: true, force: true });
rmSync(import.meta.dirname, { recursive: true, force: true });
process.exit(failures.length > 0 ? 1 : 0);
