/**
 * Writes examples/shop/apply.svg, the recording in the README: an apply of the shop on a terminal of 80 columns and 24
 * rows, as it was shown; only its time runs faster. A line that the program never wrote ends it.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawRecording } from './draw-terminal.mjs';
import { openSession } from './terminal-session.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const target = join(root, 'examples/shop/apply.svg');
const title =
  'A terminal: hostwright creates the 58 resources of the shop, with a line for each that runs, what waits, and a bar';
const size = { columns: 80, rows: 24 };
const frameCount = 11;
const command = 'apply examples/shop --auto-approve --parallelism 30';

/** Runs the program on a terminal; resolves to its screens, each with its time, as they stood after each drawing. */
async function record(directory) {
  const screens = [];
  const shown = `$ npx hostwright ${command}`;
  const { ended, screen } = openSession({
    command: `printf '\\033[1m%s\\033[0m\\n' '${shown}'; exec "${process.execPath}" "${join(root, 'dist/main.js')}" ${command}`,
    cwd: directory,
    ...size,
    onScreen(seen) {
      seen.check();
      if (/ of \d+ done, |Apply complete/.test(seen.text)) {
        screens.push({ at: Date.now(), lines: seen.readLines() });
      }
    },
  });
  const code = await ended;
  if (code !== 0) throw new Error(`it answered ${code}:\n${screen.text}`);
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
    const frames = pickFrames(await record(directory));
    await writeFile(target, drawRecording(frames, title));
    const { length } = await readFile(target);
    console.log(`Wrote examples/shop/apply.svg: ${frames.length} frames, ${length} bytes.`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

await main();
