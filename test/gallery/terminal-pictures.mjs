// Pictures of a terminal: plans at three widths, and applies that run, fail, are interrupted, and go on after Ctrl-Z.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dim, drawPicture } from '../support/draw-terminal.mjs';
import { drawSvg } from './page-pictures.mjs';
import { openSession } from '../support/terminal-session.mjs';

const rows = 24;
async function draw(browser, path, lines, columns, title) {
  const svg = drawPicture(lines, title, columns);
  await writeFile(path, svg);
  await drawSvg(browser, svg, path.replace(/svg$/, 'png'));
}

/** Everything that a plan prints on a terminal so wide. */
export async function readPlan({ cwd, env, flags, columns }) {
  const command = ['hostwright plan', ...flags].join(' ');
  const session = openSession({ command, cwd, env, columns, rows });
  await session.ended;
  session.screen.check();
  return session.screen.readLines({ isWhole: true });
}

/** A picture of it. */
export async function drawPlan(browser, path, { columns, ...shop }) {
  const lines = await readPlan({ columns, ...shop });
  await draw(browser, path, shorten(lines), columns, `A plan at ${columns} columns`);
}

/** Most of what matters in a plan is at its ends: of a long one, these. */
function shorten(lines) {
  const most = 140;
  const left = lines.length - 2 * most;
  return left <= 1
    ? lines
    : [...lines.slice(0, most), dim(`  ⋮ ${left} more lines`), ...lines.slice(-most)];
}

/** What is done to an apply while it runs, until the screen is worth a picture. */
const scenes = {
  async running({ waitFor }) {
    await waitFor(/[1-9]\d* of \d+ done/);
  },
  async failed({ ended }) {
    await ended;
  },
  async interrupted({ waitFor, type }) {
    await waitFor(/[1-9]\d* of \d+ done/);
    type('\u0003');
    await waitFor(/Interrupted/);
  },
  async continued({ waitFor, type }) {
    await waitFor(/[1-9]\d* of \d+ done/);
    type('\u001a');
    await waitFor(/Stopped/);
    type('echo of the shell\n');
    await waitFor(/^of the shell/m);
    type('fg\n');
    await waitFor(/fg[^]*\d+ of \d+ done/);
  },
};

/** The names of the scenes. */
export const sceneNames = Object.keys(scenes);

/** One scene of an apply. The shell has jobs, so that what is stopped can go on. */
export async function drawScene(browser, path, { name, cwd, env, columns }) {
  const apply = 'hostwright apply --auto-approve';
  const hasShell = name === 'continued';
  const session = openSession({
    command: hasShell ? 'PS1="\\$ " exec bash --norc --noprofile -i' : apply,
    ...{ cwd, env, columns, rows },
  });
  try {
    if (hasShell) session.type(`${apply}\n`);
    await scenes[name](session);
    await draw(browser, path, session.screen.readLines(), columns, `An apply, ${name}`);
  } finally {
    session.end();
    await session.ended;
  }
}

/** Where a scene of a case has its picture. */
export const pictureOf = (directory, name, columns) => join(directory, `${name}-${columns}.svg`);
