// How long a command takes to start, beside Node itself doing nothing: every round runs each of them once, so that what
// else the machine does falls on all alike. Figures and ratios: they never pass or fail.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const program = 'dist/main.js';
const rounds = 21;

const commands: Readonly<Record<string, readonly string[]>> = {
  'node -e 0': ['-e', '0'],
  version: [program, 'version'],
  'validate examples/quickstart': [program, 'validate', 'examples/quickstart'],
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

function time(args: readonly string[]): number {
  const startedAt = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${String(status)}`);
  return performance.now() - startedAt;
}

if (!existsSync(program)) throw new Error(`There is no ${program}: run npm run build`);
const times = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, args] of Object.entries(commands)) times.get(name)?.push(time(args));
}
const bare = median(times.get('node -e 0') ?? []);
console.log(`start: the median of ${rounds} rounds, and how many times that of Node alone`);
for (const [name, all] of times) {
  const took = median(all);
  console.log(
    `${name.padEnd(32)}${took.toFixed(0).padStart(6)} ms${(took / bare).toFixed(2).padStart(8)}`,
  );
}
