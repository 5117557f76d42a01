/**
 * Writes examples/shop/apply.svg, the recording in the README: an apply of the shop on a terminal of 80 columns and 24
 * rows, as it was printed; only its time runs faster. The terminal is made by `script` of util-linux.
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bold, drawRecording } from './draw-terminal.mjs';
import { erasure } from './terminal-output.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const target = join(root, 'examples/shop/apply.svg');
const title =
  'A terminal: hostwright creates the 58 resources of the shop, with a line for each that runs, what waits, and a bar';
const size = { columns: 80, rows: 24 };
const frameCount = 11;
const command = 'apply examples/shop --auto-approve --parallelism 30';

/** Runs the program on a terminal; resolves to what it printed, each piece with its time. */
function record(directory) {
  const program = `stty cols ${size.columns} rows ${size.rows}; exec "${process.execPath}" "${join(root, 'dist/main.js')}" ${command}`;
  const kept = Object.entries(process.env).filter(
    ([name]) => name !== 'NO_COLOR' && !name.startsWith('HOSTWRIGHT_'),
  );
  return new Promise((resolve, reject) => {
    const child = spawn('/usr/bin/script', ['-qefc', program, '/dev/null'], {
      cwd: directory,
      env: { ...Object.fromEntries(kept), TERM: 'xterm-256color', CI: '' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const pieces = [];
    child.stdout.setEncoding('utf8').on('data', (text) => pieces.push({ at: Date.now(), text }));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(pieces);
      else reject(new Error(`it answered ${code}`));
    });
  });
}

/** The screens one after the other, as they stood before each drawing. */
function replay(pieces) {
  const screens = [];
  let lines = [];
  for (const { at, text } of pieces) {
    // What is printed, and then again and again: the number of lines erased, and what is printed in their place.
    const parts = ['0', ...text.replaceAll('\r\n', '\n').split(erasure)];
    for (let index = 0; index < parts.length; index += 2) {
      const [up, part] = parts.slice(index);
      if (up !== '0') lines = lines.slice(0, -Number(up));
      const printed = part.replace(/\n$/, '');
      if (printed !== '') lines = [...lines, ...printed.split('\n')];
      if (/ of \d+ done, |Apply complete/.test(printed)) {
        screens.push({ at, lines: lines.slice(-size.rows + 1) });
      }
    }
  }
  return screens;
}

/** As many of them as make a recording, at even distances in time; the last one stays a while. */
function pickFrames(screens) {
  const [from, to] = [screens[0].at, screens.at(-1).at];
  const moments = Array.from({ length: frameCount }, (_, index) => index / (frameCount - 1));
  return moments.map((moment, index) => ({
    lines: screens.findLast(({ at }) => at <= from + moment * (to - from)).lines,
    seconds: index === frameCount - 1 ? 5 : 1,
  }));
}

async function main() {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-recording-'));
  try {
    const shop = join(directory, 'examples/shop');
    await cp(join(root, 'examples/shop'), shop, {
      recursive: true,
      filter: (path) => basename(path) !== '.hostwright',
    });
    const screens = replay(await record(directory));
    const frames = pickFrames(screens);
    const prompt = bold(`$ npx hostwright ${command}`);
    const drawn = frames.map(({ lines, seconds }) => ({ lines: [prompt, ...lines], seconds }));
    await writeFile(target, drawRecording(drawn, title));
    const { length } = await readFile(target);
    console.log(`Wrote examples/shop/apply.svg: ${frames.length} frames, ${length} bytes.`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

await main();
