// An apply on a real terminal, which `script` of util-linux makes.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Screen } from '../support/screen.ts';
import { erasure } from '../support/terminal-output.mjs';
import { openDemo, type Demo } from './demo.ts';
import { hurried } from './hurried-clock.ts';
import { expectWords } from '../support/expect-words.ts';

const columns = 50;
/** Enough for all that is drawn once every line of it is broken in two: what has scrolled away cannot be erased. */
const rows = 24;
const hasScript = process.platform === 'linux' && existsSync('/usr/bin/script');

let demo: Demo;
beforeEach(async () => {
  demo = await openDemo(9);
});
afterEach(() => demo.close());

interface Act {
  /** Once this was printed, or stands at the end; each only once, one after the other. */
  readonly at: string | RegExp;
  /** What is pressed then, once the service has taken all VMs where they are running. */
  readonly press?: string;
  /** How wide the terminal is made then. */
  readonly columns?: number;
  /** The service makes the VMs then. */
  readonly release?: true;
}

/** Applies on a terminal, and does something to it meanwhile. */
async function apply(
  acts: readonly Act[] = [],
  { env = {}, flags = '--auto-approve' }: { env?: Record<string, string>; flags?: string } = {},
) {
  const program = `tty; stty cols ${columns} rows ${rows}; exec "${process.execPath}" "${resolve('dist/main.js')}" apply "${demo.directory}" ${flags}`;
  const child = spawn('/usr/bin/script', ['-qefc', program, '/dev/null'], {
    env: { ...process.env, ...hurried, ...demo.env, TERM: 'xterm', CI: '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  const due = [...acts];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
    while (due[0] && isPrinted(due[0].at, printed)) {
      const { press, columns: width, release } = due.shift()!;
      if (release) demo.release();
      const isRunning = isPrinted(/2 of 11 done, 9 running/, printed);
      const isDue = isRunning ? demo.hasTaken(9) : Promise.resolve();
      if (press !== undefined) void isDue.then(() => child.stdin.write(press));
      const [terminal = ''] = printed.split('\r\n');
      if (width !== undefined) execFileSync('stty', ['-F', terminal, 'cols', String(width)]);
    }
  });
  const code = await new Promise<number | null>((end) => void child.once('close', end));
  expect(due).toEqual([]);
  const drawn = printed.replaceAll('\r\n', '\n').replaceAll('^C', '');
  return {
    ...{ code, drawn },
    get screen() {
      return replay(drawn, acts.find((act) => act.columns)?.columns);
    },
  };
}

const isPrinted = (what: string | RegExp, printed: string): boolean =>
  typeof what === 'string'
    ? printed.includes(what)
    : what.test(stripVTControlCharacters(printed).trimEnd());

/** What stands on the screen in the end. It becomes narrower as the program first draws for that. */
function replay(drawn: string, narrower: number | undefined): Screen {
  const screen = new Screen(columns, rows);
  for (const piece of drawn.split(beforeErasure)) {
    const last = stripVTControlCharacters(piece).trimEnd().split('\n').at(-1) ?? '';
    const isLive = /2 of 11 done|Interrupted: wait/.test(last);
    if (narrower !== undefined && isLive && last.length < narrower) screen.columns = narrower;
    screen.write(piece);
  }
  return screen;
}

const beforeErasure = new RegExp(`(?=${erasure.source.replace('(', '(?:')})`);
/** The project and its network are there, and all VMs are being made. */
const underWay = '2 of 11 done, 9 running';
const ctrlC = '\u0003';
/** The last live line, shorter than 30 columns. */
const narrowLine = /\n(?=[^\n]{0,29}$).*2 of 11 done[^\n]*$/;
const liveLine = /^ {2}projects\S+: |of 11 done|Interrupted: waiting/m;

describe.runIf(hasScript)('an apply on a terminal', () => {
  test('draws in place, keeps to its width, and leaves nothing of it behind', async () => {
    const { code, screen, drawn } = await apply([{ at: underWay, release: true }]);
    expect(code).toBe(0);
    const live = drawn.match(/^ {2}projects\.demo\.vms\.web.*$/gm) ?? [];
    expect(live.length).toBeGreaterThan(0);
    expect(Math.max(...live.map((line) => line.length))).toBeLessThan(columns);
    expect(drawn).toMatch(/ of 11 done, 9 running/);
    expect(screen.lines.join('\n')).not.toMatch(liveLine);
    // A line that is too long goes on below.
    const said = screen.lines.join(' ').replaceAll(/ +/g, ' ');
    expect(said.match(/Creation complete/g)).toHaveLength(11);
    expect(said).toMatch(/Apply complete! Resources: 11 added, 0 changed, 0 destroyed\.$/);
    expect(drawn).toContain('\u001b[?25l');
    expect(screen.modes).toEqual(new Set());
  }, 60_000);

  test('Ctrl-C: says what it waits for, and leaves nothing of it behind', async () => {
    const { code, screen, drawn } = await apply([
      { at: underWay, press: ctrlC },
      { at: 'Interrupted: waiting for 9 changes', release: true },
    ]);
    expect(code).toBe(130);
    expect(drawn).toContain('Interrupted: waiting for 9 changes');
    expect(screen.lines.join('\n')).not.toMatch(liveLine);
    expect(screen.lines.join('\n')).toContain('Started and not finished');
  }, 60_000);

  test('Ctrl-C at the question: ends at once, on a line of its own', async () => {
    const { code, drawn } = await apply([{ at: 'Enter a value', press: ctrlC }], { flags: '' });
    expect(code).toBe(130);
    expect(drawn).not.toContain('Nobody answered');
    expect(drawn.endsWith('\n')).toBe(true);
  }, 60_000);

  test('Ctrl-C twice: ends at once, and leaves nothing of it behind', async () => {
    const { code, screen } = await apply([
      { at: underWay, press: ctrlC },
      { at: 'Interrupted: waiting for 9 changes', press: ctrlC },
    ]);
    expect(code).toBe(130);
    expect(screen.lines.join('\n')).not.toMatch(liveLine);
    expect(screen.lines.at(-1)).toBe('Interrupted again: stopped at once.');
    expect(screen.modes).toEqual(new Set());
  }, 60_000);

  test.each(['exception', 'rejection'])(
    'a crash by an %s: says so, and leaves nothing of it behind',
    async (kind) => {
      const preload = `--import=${resolve('test/support/crash-at.mjs')}`;
      const { code, screen } = await apply([{ at: underWay }], {
        env: { CRASH_AT: underWay, CRASH_BY: kind, NODE_OPTIONS: preload },
      });
      expect(code).toBe(1);
      const left = screen.lines.join('\n');
      expect(left).not.toMatch(liveLine);
      expectWords(left, 'This is a bug in Hostwright.', 'Error: made for the test');
    },
    60_000,
  );

  test.each<[string, number, Act[]]>([
    ['to its end', 0, [{ at: narrowLine, release: true }]],
    [
      'until Ctrl-C is pressed twice',
      130,
      [
        { at: narrowLine, press: ctrlC },
        { at: 'Interrupted: wait', press: ctrlC },
      ],
    ],
  ])(
    'made narrower while it runs, %s: leaves nothing of it behind',
    async (_, expected, then) => {
      const { code, screen } = await apply([{ at: underWay, columns: 30 }, ...then]);
      expect(code).toBe(expected);
      expect(screen.columns).toBe(30);
      expect(screen.lines.join('\n')).not.toMatch(liveLine);
    },
    60_000,
  );
});
