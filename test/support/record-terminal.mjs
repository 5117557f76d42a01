/**
 * `npm run picture`: writes examples/quickstart/terminal.svg, the picture in the README, from real output. Runs the
 * built program on a copy of the quickstart with FORCE_COLOR=1 and draws what came out, colours and all. What does not
 * fit in one screen is left out where the picture says so; nothing is ever drawn that the program did not print.
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bold, dim, drawPicture, textOf } from './draw-terminal.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = join(root, 'dist/main.js');
const target = join(root, 'examples/quickstart/terminal.svg');

const title =
  'A terminal: hostwright plans seven new resources, creates them, and then finds no changes';

/** The scenes; of the long one, what stands between `hideFrom` and `hideTo` is left out. */
const scenes = [
  {
    args: ['plan', 'examples/quickstart'],
    hideFrom: /networks\.backend will be created$/,
    hideTo: /vms\.web\[1\] will be created$/,
    until: /^Plan: /,
  },
  { args: ['apply', 'examples/quickstart', '--auto-approve'], from: /: Creating\.\.\.$/ },
  { args: ['plan', 'examples/quickstart'] },
];

/** Runs the program; resolves to the lines of both its streams, in the order in which they came. */
function run(args, cwd) {
  const kept = Object.entries(process.env).filter(
    ([name]) => name !== 'NO_COLOR' && !name.startsWith('HOSTWRIGHT_'),
  );
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { ...Object.fromEntries(kept), FORCE_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output.trimEnd().split('\n'));
      else reject(new Error(`"hostwright ${args.join(' ')}" answered ${code}:\n${output}`));
    });
  });
}

/** The first line that matches; an error where the output is no longer what the scene was made for. */
function findLine(lines, pattern) {
  const index = lines.findIndex((line) => pattern.test(textOf(line)));
  if (index === -1) throw new Error(`No line matches ${pattern}:\n${lines.join('\n')}`);
  return index;
}

/** The lines of a scene that are drawn: a part, and what was left out said in a line of its own. */
function cut(lines, { from, until, hideFrom, hideTo }) {
  const start = from === undefined ? 0 : findLine(lines, from);
  const end = until === undefined ? lines.length : findLine(lines, until) + 1;
  const part = lines.slice(start, end);
  if (hideFrom === undefined) return part;
  const first = findLine(part, hideFrom);
  const last = findLine(part, hideTo);
  return [...part.slice(0, first), dim(`  ⋮ ${last - first} more lines`), '', ...part.slice(last)];
}

async function main() {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-picture-'));
  try {
    await cp(join(root, 'examples/quickstart'), join(directory, 'examples/quickstart'), {
      recursive: true,
      filter: (path) => basename(path) !== '.hostwright',
    });
    const lines = [];
    for (const scene of scenes) {
      if (lines.length > 0) lines.push('');
      lines.push(bold(`$ npx hostwright ${scene.args.join(' ')}`));
      lines.push(...cut(await run(scene.args, directory), scene));
    }
    await writeFile(target, drawPicture(lines, title));
    console.log(`Wrote examples/quickstart/terminal.svg: ${lines.length} lines.`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

await main();
