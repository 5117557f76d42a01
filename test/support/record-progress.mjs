/**
 * Writes examples/shop/apply.svg, the recording in the README: an apply of the shop on a terminal of 80 columns and 24
 * rows, as it was shown; only its time runs faster. Then docs/pictures/rollout.svg: a rollout that stops, as its apply
 * draws it. A line that the program never wrote ends a recording. With the name of one, only that is made.
 */
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawRecording } from './draw-terminal.mjs';
import { openSession } from './terminal-session.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const size = { columns: 80, rows: 24 };
const frameCount = 11;

/** Each recording: where it is written, what it shows, and the end of the program. */
const recordings = {
  shop: {
    target: 'examples/shop/apply.svg',
    title:
      'A terminal: hostwright creates the 58 resources of the shop, with a line for each that runs, what waits, and a bar',
    command: 'apply examples/shop --auto-approve --parallelism 30',
    code: 0,
    prepare: (directory) =>
      cp(join(root, 'examples/shop'), join(directory, 'examples/shop'), {
        recursive: true,
        filter: (path) => basename(path) !== '.hostwright',
      }),
  },
  rollout: {
    target: 'docs/pictures/rollout.svg',
    title:
      'A terminal: hostwright rebuilds two VMs at a time and probes them; one is never ready, and the others are left alone',
    command: 'apply --auto-approve --allow-probes --allow-commands',
    code: 1,
    prepare: prepareRollout,
  },
};

/** Six web servers with an old image; the fourth will not serve with the new one. */
async function prepareRollout(directory) {
  const write = (image) =>
    writeFile(
      join(directory, 'main.yaml'),
      `version: 1
service: { sandbox: true }
projects:
  shop:
    vms:
      web:
        count: 6
        image: debian-${image}
        configuration: c1-r1-d20
        tariff: monthly
        rollout:
          atOnce: 2
          within: 5s
          ready:
            - command: [./smoke.sh, "\${self.name}", "\${self.image}"]
`,
    );
  const smoke = join(directory, 'smoke.sh');
  await writeFile(smoke, '#!/bin/sh\ntest "$1 $2" != "web-3 debian-13"\n');
  await chmod(smoke, 0o755);
  await write('12');
  const args = ['apply', '--auto-approve', '--allow-probes', '--allow-commands'];
  const { ended, screen } = openSession({
    command: ['exec', process.execPath, join(root, 'dist/main.js'), ...args].join(' '),
    cwd: directory,
    ...size,
  });
  if ((await ended) !== 0) throw new Error(screen.text);
  await write('13');
}

/** Runs the program on a terminal; resolves to its screens, each with its time, as they stood after each drawing. */
async function record(directory, { command, code: expected }) {
  const screens = [];
  const shown = `$ npx hostwright ${command}`;
  const { ended, screen } = openSession({
    command: `printf '\\033[1m%s\\033[0m\\n' '${shown}'; exec "${process.execPath}" "${join(root, 'dist/main.js')}" ${command}`,
    cwd: directory,
    ...size,
    onScreen(seen) {
      seen.check();
      if (/ of \d+ done, |Apply complete|Apply incomplete/.test(seen.text)) {
        screens.push({ at: Date.now(), lines: seen.readLines() });
      }
    },
  });
  const code = await ended;
  if (code !== expected) throw new Error(`it answered ${code}:\n${screen.text}`);
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

async function write(recording) {
  const { target, title, prepare } = recording;
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-recording-'));
  try {
    await prepare(directory);
    const frames = pickFrames(await record(directory, recording));
    await writeFile(join(root, target), drawRecording(frames, title));
    const { length } = await readFile(join(root, target));
    console.log(`Wrote ${target}: ${frames.length} frames, ${length} bytes.`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const [only] = process.argv.slice(2);
for (const [name, recording] of Object.entries(recordings))
  if (only === undefined || only === name) await write(recording);
