/**
 * A program on a terminal, and what the terminal shows: `script` of util-linux makes the terminal, and xterm reads what is
 * written to it, piece by piece, as it came. Used by the recordings in the README and by the gallery.
 */
import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import xterm from '@xterm/headless';

// eslint-disable-next-line no-control-regex -- the escape character opens every sequence
const escapes = /\u001b(?:\[[?>]?[\d;]*[A-Za-z]|\][^\u0007]*\u0007|[=>])/g;
const frameStart = '\u001b[?2026h';
const frameEnd = '\u001b[?2026l';

/** What a terminal shows when everything in `text` was written to it. */
export class TerminalScreen {
  #terminal;
  #raw = '';

  constructor(columns, rows) {
    this.rows = rows;
    this.columns = columns;
    const options = { cols: columns, rows, scrollback: 10_000, allowProposedApi: true };
    this.#terminal = new xterm.Terminal(options);
  }

  /** Resolves when it is on the screen. */
  write(text) {
    this.#raw += text;
    return new Promise((done) => this.#terminal.write(text, done));
  }

  /** The lines that are seen, or all from the first one on, with their colours; without the empty ones at the end. */
  readLines({ isWhole = false } = {}) {
    const { active } = this.#terminal.buffer;
    const first = isWhole ? 0 : active.baseY;
    const lines = Array.from({ length: active.length - first }, (_, index) =>
      paintLine(active.getLine(first + index)),
    );
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }

  /** The text on the screen. */
  get text() {
    return this.readLines().join('\n').replaceAll(escapes, '');
  }

  /** @throws where a line is shown that was never written: then it is not the program that is shown */
  check() {
    const written = new Set(
      this.#raw
        .replaceAll(escapes, '')
        .split(/\r\n|\r|\n/)
        .map((line) => line.trimEnd()),
    );
    for (const line of this.#joinWrapped()) {
      if (!written.has(line)) throw new Error(`The program never wrote ${JSON.stringify(line)}.`);
    }
  }

  /** Lines that were too long for the terminal as the program wrote them; one that has left the screen in part is left out. */
  #joinWrapped() {
    const { active } = this.#terminal.buffer;
    const lines = [];
    for (let index = 0; index < active.length; index += 1) {
      const line = active.getLine(index);
      const text = line.translateToString(!active.getLine(index + 1)?.isWrapped);
      if (line.isWrapped && lines.length > 0) lines.push(lines.pop() + text);
      else lines.push(text);
    }
    return lines.map((line) => line.trimEnd());
  }
}

/** A line with the codes of its colours. */
function paintLine(line) {
  let painted = '';
  let style = '';
  for (let at = 0; at < line.length; at += 1) {
    const cell = line.getCell(at);
    if (cell.getWidth() === 0) continue;
    const next = styleOf(cell);
    if (next !== style) painted += `\u001b[0m${next}`;
    style = next;
    painted += cell.getChars() || ' ';
  }
  const plain = painted.replaceAll(escapes, '');
  if (plain.trim() === '') return '';
  return painted.trimEnd() + (style === '' ? '' : '\u001b[0m');
}

function styleOf(cell) {
  const color = cell.isFgPalette() ? cell.getFgColor() : undefined;
  return [
    cell.isBold() ? '\u001b[1m' : '',
    cell.isDim() ? '\u001b[2m' : '',
    color === undefined || color > 15 ? '' : `\u001b[${color < 8 ? 30 + color : 82 + color}m`,
  ].join('');
}

/** The environment without what leads to an account, and with colour. */
function buildEnvironment(more) {
  const kept = Object.entries(process.env).filter(
    ([name]) => name !== 'NO_COLOR' && !name.startsWith('HOSTWRIGHT_'),
  );
  return { ...Object.fromEntries(kept), TERM: 'xterm-256color', CI: '', ...more };
}

/**
 * Runs a shell command on a terminal of its own. `onScreen(screen)` is called whenever a frame is whole, and may keep what
 * is seen then. `type` sends keys, `waitFor` resolves once the screen has a text.
 */
export function openSession({ command, cwd, columns = 80, rows = 24, env = {}, onScreen }) {
  const screen = new TerminalScreen(columns, rows);
  const sized = `stty cols ${columns} rows ${rows}; ${command}`;
  const child = spawn('/usr/bin/script', ['-qefc', sized, '/dev/null'], {
    cwd,
    env: buildEnvironment(env),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let isWithin = false;
  let written = Promise.resolve();
  child.stdout.setEncoding('utf8').on('data', (text) => {
    for (const part of text.split(new RegExp(`(?<=${frameEnd.replace(/[[?]/g, '\\$&')})`))) {
      written = written.then(async () => {
        await screen.write(part);
        isWithin =
          part.lastIndexOf(frameStart) > part.lastIndexOf(frameEnd) ||
          (isWithin && !part.includes(frameEnd));
        if (!isWithin) onScreen?.(screen);
      });
    }
  });
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => void written.then(() => resolve(code), reject));
  });
  return {
    screen,
    ended,
    type: (keys) => child.stdin.write(keys),
    async waitFor(pattern, seconds = 60) {
      const until = Date.now() + seconds * 1000;
      while (!pattern.test(screen.text)) {
        if (Date.now() > until) throw new Error(`${pattern} is not to be seen:\n${screen.text}`);
        await setTimeout(20);
      }
    },
    end() {
      child.kill();
    },
  };
}
