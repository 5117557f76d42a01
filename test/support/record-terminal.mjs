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
import stringWidth from 'string-width';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = join(root, 'dist/main.js');
const target = join(root, 'examples/quickstart/terminal.svg');

const cell = { width: 8.4, height: 19, baseline: 14 };
const padding = { side: 18, top: 46, bottom: 18 };

/** On a background of its own, so that it reads the same on a light and on a dark page. */
const colors = {
  background: '#161b22',
  border: '#3d444d',
  text: '#dfe3e8',
  31: '#ff7b72',
  32: '#56d364',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#39c5cf',
  90: '#8b949e',
};

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

/** One line of output as runs of text in one style. */
function parseLine(line) {
  const runs = [];
  let style = {};
  // eslint-disable-next-line no-control-regex -- the escape character is what opens a colour
  for (const [, codes, text] of line.matchAll(/(?:\u001b\[([\d;]*)m)?([^\u001b]*)/g)) {
    if (codes !== undefined) style = codes.split(';').reduce(applyCode, style);
    if (text !== '') runs.push({ text, ...style });
  }
  return runs;
}

function applyCode(style, text) {
  const code = Number(text);
  if (code === 0) return {};
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 39) return { ...style, color: undefined };
  return colors[code] === undefined ? style : { ...style, color: colors[code] };
}

const textOf = (line) => parseLine(line).reduce((all, { text }) => all + text, '');
const dim = (text) => `\u001b[2m${text}\u001b[0m`;
const bold = (text) => `\u001b[1m${text}\u001b[0m`;

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

const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A run of text, word group by word group, each held to the grid whatever the width of the reader's font. */
function drawRun({ text, color, isBold, isDim }, column, row) {
  const look = [
    color === undefined ? '' : ` fill="${color}"`,
    isBold ? ' font-weight="bold"' : '',
    isDim ? ' opacity="0.6"' : '',
  ].join('');
  const y = padding.top + row * cell.height + cell.baseline;
  return [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index }) => {
    const start = column + stringWidth(text.slice(0, index));
    const x = (padding.side + start * cell.width).toFixed(1);
    const length = (stringWidth(words) * cell.width).toFixed(1);
    return `<text x="${x}" y="${y}" textLength="${length}"${look}>${escape(words)}</text>`;
  });
}

function drawLine(line, row) {
  let column = 0;
  const drawn = [];
  for (const one of parseLine(line)) {
    drawn.push(...drawRun(one, column, row));
    column += stringWidth(one.text);
  }
  return drawn;
}

function drawPicture(lines) {
  const columns = Math.max(80, ...lines.map((line) => stringWidth(textOf(line))));
  const width = Math.ceil(columns * cell.width + 2 * padding.side);
  const height = lines.length * cell.height + padding.top + padding.bottom;
  const lights = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, index) => `<circle cx="${padding.side + 6 + index * 20}" cy="22" r="6" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    '<title id="title">A terminal: hostwright plans seven new resources, creates them, and then finds no changes</title>',
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${colors.background}" stroke="${colors.border}"/>`,
    ...lights,
    `<g fill="${colors.text}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace" font-size="14">`,
    ...lines.flatMap(drawLine),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
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
    await writeFile(target, drawPicture(lines));
    console.log(`Wrote examples/quickstart/terminal.svg: ${lines.length} lines.`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

await main();
