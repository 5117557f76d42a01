// How long a command takes to start, beside Node itself doing nothing: every round runs each of them once, so that what
// else the machine does falls on all alike. Then a first start: of a package that was unpacked just now, and of one in a
// fresh container, where nothing of it is in memory and nothing is at home. Beside both stands Terraform with a plan of
// nothing. Pulumi is left out: a figure for it needs its program and its service. Figures: they never pass or fail.

import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const program = resolve('dist/main.js');
const rounds = 21;
const firstRounds = 7;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

function time(...starts: readonly Start[]): number {
  const startedAt = performance.now();
  for (const { file, args, cwd, env } of starts) {
    const { status } = spawnSync(file, args, { stdio: 'ignore', cwd, env });
    if (status !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${String(status)}`);
  }
  return performance.now() - startedAt;
}

const show = (name: string, took: number, bare: number) =>
  console.log(
    `${name.padEnd(44)}${took.toFixed(0).padStart(6)} ms${(took / bare).toFixed(2).padStart(8)}`,
  );

/** Takes a folder or a file out of the memory of the system, as far as nobody else has it open. */
function forget(path: string): void {
  const files = readdirSync(path, { recursive: true, withFileTypes: true });
  for (const file of files) {
    if (!file.isFile()) continue;
    const whole = join(file.parentPath, file.name);
    spawnSync('sync', [whole]);
    spawnSync('dd', [`if=${whole}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' });
  }
}

/** Where Terraform is; undefined where it is not. */
function findTerraform(): string | undefined {
  const folders = (process.env.PATH ?? '').split(':');
  return folders.map((folder) => join(folder, 'terraform')).find((path) => existsSync(path));
}

if (!existsSync(program)) throw new Error(`There is no ${program}: run npm run build`);
const sandbox = spawn(process.execPath, [program, 'sandbox', '--port', '0', '--quiet', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [ready] = (await once(sandbox.stdout, 'data')) as [Buffer];
const { baseUrl, token } = JSON.parse(ready.toString()) as { baseUrl: string; token: string };
const scratch = mkdtempSync(join(tmpdir(), 'hostwright-bench-start-'));

/** A folder with a configuration of nothing for both programs. */
function makeNothing(name: string): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'hostwright.yaml'), 'version: 1\n');
  writeFileSync(join(folder, 'main.tf'), '');
  return folder;
}

const account = { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token };
const nothing = makeNothing('nothing');
const terraform = findTerraform();
const commands: Readonly<Record<string, Start>> = {
  'node -e 0': { file: process.execPath, args: ['-e', '0'] },
  version: { file: process.execPath, args: [program, 'version'] },
  'validate examples/quickstart': {
    ...{ file: process.execPath, args: [program, 'validate', 'examples/quickstart'] },
  },
  'plan of nothing': {
    ...{ file: process.execPath, args: [program, 'plan'], cwd: nothing },
    env: { ...process.env, ...account },
  },
  ...(terraform && {
    'terraform: plan of nothing': { file: terraform, args: ['plan'], cwd: nothing },
  }),
};

/** What is copied anew for a first start, and the commands that are run from there. */
const installed: Readonly<Record<string, { from: string; starts: (copy: string) => Start[] }>> = {
  'plan of nothing': {
    from: resolve('dist'),
    starts: (copy) => [{ file: process.execPath, args: [join(copy, 'main.js'), 'plan'] }],
  },
  ...(terraform && {
    'terraform: init, and plan of nothing': {
      from: terraform,
      starts: (copy) =>
        ['init', 'plan'].map((command) => ({ file: join(copy, 'terraform'), args: [command] })),
    },
  }),
};

/** One first start. @param isContainer nothing of the program is in memory, and its environment is that of a container */
function startFirst(name: string, round: string, isContainer: boolean): number {
  const { from, starts } = installed[name]!;
  const folder = makeNothing(`${round}-${basename(from)}`);
  const copy = join(folder, 'package');
  cpSync(from, from.endsWith('terraform') ? join(copy, 'terraform') : copy, { recursive: true });
  const home = join(folder, 'home');
  mkdirSync(home);
  if (isContainer) forget(copy);
  const around = isContainer ? { PATH: '/usr/bin:/bin' } : process.env;
  const env = { ...around, HOME: home, XDG_CACHE_HOME: join(home, 'cache'), ...account };
  const took = time(...starts(copy).map((start) => ({ ...start, cwd: folder, env })));
  rmSync(folder, { recursive: true });
  return took;
}

try {
  if (terraform) time({ file: terraform, args: ['init'], cwd: nothing });
  else console.log('There is no Terraform on this machine.');
  const times = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, start] of Object.entries(commands)) times.get(name)?.push(time(start));
  const bare = median(times.get('node -e 0') ?? []);
  console.log(`start: the median of ${rounds} rounds, and how many times that of Node alone`);
  for (const [name, all] of times) show(name, median(all), bare);
  for (const [place, isContainer] of [
    ['just unpacked', false],
    ['in a fresh container', true],
  ] as const) {
    console.log(`first start, ${place}: the median of ${firstRounds} rounds`);
    const first = new Map(Object.keys(installed).map((name) => [name, [] as number[]]));
    for (let round = 0; round < firstRounds; round += 1)
      for (const [name, all] of first) all.push(startFirst(name, `${place} ${round}`, isContainer));
    for (const [name, all] of first) show(name, median(all), bare);
  }
} finally {
  sandbox.kill();
  rmSync(scratch, { recursive: true, force: true });
}
