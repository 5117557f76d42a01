// The cost of a contract file: an apply, and the start of a plan, of a service that spells the contract otherwise, beside the same
// of one that does not. Both are run in pairs, and what is told is the median of the pairs: whatever else the machine does falls
// on both alike. A service is slower to speak a dialect by itself, so what counts is the processor time of our own process, and
// not the time until the end. Figures and ratios: they never pass or fail.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readBinding } from '../../src/config/contract/read-binding.ts';
import type { Binding } from '../../src/model/account/binding.ts';
import { type Account, applyInEarnest } from '../support/bench/apply-in-earnest.ts';
import { writeConfiguration } from '../support/bench/measure-span.ts';
import { openService, serveFor } from '../support/bench/serve-for.ts';

const program = 'dist/main.js';
const dialects = ['plain', 'flat', 'cursor'] as const;
const own = 'contract';

const pairs = { apply: 8, plan: 15 } as const;
/** With what belongs to them, these are a thousand resources. */
const vms = 725;

const fileOf = (dialect: string) => resolve('test/scenario/dialects', `${dialect}.contract.yaml`);

function readDialect(name: string): Binding | undefined {
  return name === own
    ? undefined
    : readBinding(readFileSync(fileOf(name), 'utf8'), fileOf(name)).binding;
}

/** The cost of one run. */
interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly requests: number;
  readonly resources: number;
}

/** One apply to an account of its own, by this process. */
async function applyOnce(dialect: string, account: Account): Promise<Cost> {
  const binding = readDialect(dialect);
  const { requests, ...cost } = await applyInEarnest({
    ...{ yaml: writeConfiguration(vms), account, parallelism: 1_000 },
    ...(binding && { binding }),
  });
  return { ...cost, requests: requests.writes + requests.looks + requests.reads };
}

/** The same in a process of its own, so that no run warms up the next. */
async function measureApply(dialect: string): Promise<Cost> {
  const { account, close } = await openService(import.meta.filename, dialect);
  const part = `apply ${dialect} ${account.baseUrl} ${account.token}`;
  const text = execFileSync(process.execPath, [import.meta.filename], {
    env: { ...process.env, HOSTWRIGHT_BENCH_PART: part },
    encoding: 'utf8',
  });
  await close();
  return JSON.parse(text) as Cost;
}

/** Tells the processor time of the program that it is loaded before, when that ends. */
const tellCpu = `import { writeSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(2, 'cpu ' + (user + system) + '\\n');
});`;
const preload = `--import=data:text/javascript,${encodeURIComponent(tellCpu)}`;

/** The built program plans what is in the folder. */
function planOnce(directory: string, token: string): Pick<Cost, 'wallMs' | 'cpuMs'> {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [preload, program, 'plan', directory], {
    env: { ...process.env, HOSTWRIGHT_TOKEN: token },
    encoding: 'utf8',
  });
  const wallMs = performance.now() - startedAt;
  const cpuUs = /^cpu (\d+)$/m.exec(stderr)?.[1];
  if (status !== 0 || cpuUs === undefined) throw new Error(`the plan failed:\n${stderr}`);
  return { wallMs, cpuMs: Number(cpuUs) / 1_000 };
}

/** A small configuration of an account that is served in a dialect. */
async function openPlan(dialect: string) {
  const { account, close } = await openService(import.meta.filename, dialect);
  const directory = mkdtempSync(join(tmpdir(), 'hostwright-bench-'));
  const contract = dialect === own ? '' : ', contract: hosting.contract.yaml';
  if (dialect !== own) {
    writeFileSync(join(directory, 'hosting.contract.yaml'), readFileSync(fileOf(dialect)));
  }
  const service = `service: { baseUrl: "${account.baseUrl}"${contract} }`;
  writeFileSync(join(directory, 'main.yaml'), `version: 1\n${service}\n${writeConfiguration(4)}`);
  return {
    plan: () => planOnce(directory, account.token),
    close: async () => {
      rmSync(directory, { recursive: true });
      await close();
    },
  };
}

interface Pair<T> {
  readonly bound: T;
  readonly unbound: T;
}

/** Runs both in turn, and which goes first in turn, too. */
async function runPairs<T>(count: number, run: (isBound: boolean) => T | Promise<T>) {
  const found: Pair<T>[] = [];
  for (let pair = 0; pair < count; pair += 1) {
    const isBoundFirst = pair % 2 === 1;
    const first = await run(isBoundFirst);
    const second = await run(!isBoundFirst);
    found.push(
      isBoundFirst ? { bound: first, unbound: second } : { bound: second, unbound: first },
    );
  }
  return found;
}

/** The median, and where the middle half of the values lies. */
function spread(values: readonly number[]): readonly [number, number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? NaN;
  const [low, high] = [Math.floor, Math.ceil].map(
    (round) => sorted[round((sorted.length - 1) / 2)] ?? NaN,
  );
  return [((low ?? NaN) + (high ?? NaN)) / 2, at(0.25), at(0.75)];
}

const column = (value: string | number) => String(value).padStart(11);
const row = (...values: (string | number)[]) => console.log(values.map(column).join(''));
const ms = (value: number) => `${value.toFixed(0)} ms`;

async function reportApplies(): Promise<void> {
  console.log(`apply: the median of ${pairs.apply} pairs, and the middle half of the ratios`);
  row(
    'dialect',
    'resources',
    'requests',
    'unbound',
    'bound',
    'ratio',
    'from',
    'to',
    'least',
    'wall',
  );
  for (const dialect of dialects) {
    const found = await runPairs(pairs.apply, (isBound) => measureApply(isBound ? dialect : own));
    const [ratio, from, to] = spread(
      found.map(({ bound, unbound }) => bound.cpuMs / unbound.cpuMs),
    );
    const [wall] = spread(found.map(({ bound, unbound }) => bound.wallMs / unbound.wallMs));
    const middle = (values: readonly number[]) => spread(values)[0];
    // A busy machine only ever adds: the least of all runs has least of that.
    const least = (of: (pair: Pair<Cost>) => number) => Math.min(...found.map(of));
    row(
      ...[dialect, found[0]?.bound.resources ?? 0],
      `${middle(found.map(({ unbound }) => unbound.requests))}/${middle(found.map(({ bound }) => bound.requests))}`,
      ms(middle(found.map(({ unbound }) => unbound.cpuMs))),
      ms(middle(found.map(({ bound }) => bound.cpuMs))),
      ...[
        ratio,
        from,
        to,
        least((one) => one.bound.cpuMs) / least((one) => one.unbound.cpuMs),
        wall,
      ].map((one) => one.toFixed(3)),
    );
  }
}

async function reportPlans(): Promise<void> {
  if (!existsSync(program)) throw new Error(`There is no ${program}: run npm run build`);
  console.log(
    `plan of few resources: the median of ${pairs.plan} pairs, and the middle half of the differences`,
  );
  row('dialect', 'unbound', 'bound', 'more', 'from', 'to', 'least', 'wall');
  for (const dialect of dialects) {
    const unbound = await openPlan(own);
    const bound = await openPlan(dialect);
    const found = await runPairs(pairs.plan, (isBound) => (isBound ? bound : unbound).plan());
    await bound.close();
    await unbound.close();
    const [more, from, to] = spread(found.map((pair) => pair.bound.cpuMs - pair.unbound.cpuMs));
    const least = (of: (pair: (typeof found)[number]) => number) => Math.min(...found.map(of));
    const leastMore = least((one) => one.bound.cpuMs) - least((one) => one.unbound.cpuMs);
    const [wall] = spread(found.map((pair) => pair.bound.wallMs - pair.unbound.wallMs));
    row(
      dialect,
      ms(spread(found.map((pair) => pair.unbound.cpuMs))[0]),
      ms(spread(found.map((pair) => pair.bound.cpuMs))[0]),
      ...[more, from, to, leastMore, wall].map((one) => `${one.toFixed(1)} ms`),
    );
  }
}

const [part = '', dialect = own, baseUrl = '', token = ''] = (
  process.env.HOSTWRIGHT_BENCH_PART ?? ''
).split(' ');
// The other service goes the way of a dialect, too, though it spells nothing otherwise: a slower one lets the engine write its
// journal in more and smaller parts, and that would be counted.
if (part === 'serve') await serveFor([], readDialect(dialect) ?? { version: 1 });
else if (part === 'apply') {
  process.stdout.write(JSON.stringify(await applyOnce(dialect, { baseUrl, token })));
} else {
  console.log('processor time of our own process, the service in another one');
  await reportPlans();
  await reportApplies();
}
