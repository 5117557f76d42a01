/**
 * `npm run picture`: writes examples/quickstart/terminal.svg, the picture in the README, from real output. Runs the
 * built program on a terminal of 80 columns, on a copy of the quickstart, and draws what the terminal shows, colours and all. What does not
 * fit in one screen is left out where the picture says so; nothing is ever drawn that the program did not print.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bold, dim, drawPicture, textOf } from './draw-terminal.mjs';
import { openSession } from './terminal-session.mjs';

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
  { args: ['apply', 'examples/quickstart', '--auto-approve'], from: /: Creation complete / },
  { args: ['plan', 'examples/quickstart'] },
];

/** Runs the program on a terminal; resolves to all lines that it shows, colours and all. */
async function run(args, cwd) {
  const { ended, screen } = openSession({
    command: `exec "${process.execPath}" "${program}" ${args.join(' ')}`,
    cwd,
  });
  const code = await ended;
  const lines = screen.readLines({ isWhole: true });
  if (code !== 0)
    throw new Error(`"hostwright ${args.join(' ')}" answered ${code}:\n${lines.join('\n')}`);
  screen.check();
  return lines;
}

/** The first line that matches; an error where the output is no longer what the scene was made for. */
function findLine(lines, pattern) {
  const index = lines.findIndex((line) => pattern.test(textOf(line)));
  if (index === -1) throw new Error(`No line matches ${pattern}:\n${lines.join('\n')}`);
  return index;
}

const more = (count) => dim(`  ⋮ ${count} more lines`);

/** The lines of a scene that are drawn: a part, and what was left out said in lines of their own. */
function cut(lines, { from, until, hideFrom, hideTo }) {
  const start = from === undefined ? 0 : findLine(lines, from);
  const end = until === undefined ? lines.length : findLine(lines, until) + 1;
  const part = lines.slice(start, end);
  const before = start > 0 ? [more(start)] : [];
  const after = end < lines.length ? [more(lines.length - end)] : [];
  if (hideFrom === undefined) return [...before, ...part, ...after];
  const first = findLine(part, hideFrom);
  const last = findLine(part, hideTo);
  const middle = [more(last - first), ''];
  return [...before, ...part.slice(0, first), ...middle, ...part.slice(last), ...after];
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
