// `npm run fleet`: what a server does under load, with the built program, PostgreSQL and the sandbox; with `--hours`, what a
// fleet does in so many hours of virtual time.
import { parseArgs } from 'node:util';
import { printDay } from './day/print-day.ts';
import { playDay } from './day/play-day.ts';
import { playPushes, type PushFigures } from './push-hour.ts';

/** Runs it. @returns the exit code of the process */
export async function runFleet(root: string, args: readonly string[]): Promise<number> {
  const values = readValues(args);
  if (!values) return 1;
  if (values.hours !== undefined) {
    const figures = await playDay({
      workspaces: Number(values.workspaces ?? 10_000),
      accounts: Number(values.accounts),
      workers: Number(values.workers),
      hours: Number(values.hours),
      seed: Number(values.seed),
      say: (text) => console.log(text),
    });
    return printDay(figures);
  }
  const figures = await playPushes(root, {
    workspaces: Number(values.workspaces ?? 10),
    workers: Number(values.workers),
    pushes: Number(values.pushes),
    everyMs: Number(values['every-ms']),
    killEvery: Number(values['kill-every']),
    restarts: Number(values.restarts),
  });
  return report(figures);
}

/** What there is to ask for. */
const options = {
  hours: { type: 'string' },
  accounts: { type: 'string', default: '100' },
  seed: { type: 'string', default: '1' },
  workspaces: { type: 'string' },
  workers: { type: 'string', default: '3' },
  pushes: { type: 'string', default: '60' },
  'every-ms': { type: 'string', default: '1000' },
  'kill-every': { type: 'string', default: '20' },
  restarts: { type: 'string', default: '2' },
} as const;

/** These may be none. */
const mayBeZero = new Set(['kill-every', 'restarts', 'seed']);

/** What was asked for; undefined, and a word about it, for what there is none of. */
function readValues(args: readonly string[]) {
  try {
    const { values } = parseArgs({ args: [...args], options });
    for (const [name, text] of Object.entries(values)) {
      const isGood = /^\d+$/.test(text) && (Number(text) > 0 || mayBeZero.has(name));
      if (!isGood) throw new Error(`--${name} is a whole number, and not "${text}".`);
    }
    return values;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

function report({ latenciesMs, recoveriesMs, runs, faults }: PushFigures): number {
  console.log(`Webhook to comment: ${describe(latenciesMs)}`);
  console.log(`Recovery of killed runs: ${describe(recoveriesMs)}`);
  console.log(`Runs: ${JSON.stringify(runs)}`);
  for (const fault of faults) console.log(`Fault: ${fault}`);
  return faults.length === 0 ? 0 : 1;
}

function describe(given: readonly number[]): string {
  if (given.length === 0) return 'none';
  const sorted = [...given].sort((left, right) => left - right);
  const at = (share: number) =>
    ((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) / 1_000).toFixed(
      1,
    );
  return `${sorted.length}, median ${at(0.5)} s, p99 ${at(0.99)} s, at most ${at(1)} s`;
}
