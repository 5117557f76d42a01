// An apply on a real terminal, which `script` of util-linux makes.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Screen } from '../support/screen.ts';
import { openDemo, type Demo } from './demo.ts';

const columns = 50;
const hasScript = process.platform === 'linux' && existsSync('/usr/bin/script');

let demo: Demo;
beforeEach(async () => {
  demo = await openDemo(9, 20);
});
afterEach(() => demo.close());

/** Applies on a terminal; whenever `isDue` says so of what was printed, once, Ctrl-C is pressed. */
async function apply(isDue: (printed: string) => boolean = () => false) {
  const program = `stty cols ${columns} rows 12; exec "${process.execPath}" "${resolve('dist/main.js')}" apply "${demo.directory}" --auto-approve`;
  const child = spawn('/usr/bin/script', ['-qefc', program, '/dev/null'], {
    env: { ...process.env, ...demo.sandbox.env, TERM: 'xterm', CI: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  let isPressed = false;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
    if (isPressed || !isDue(printed)) return;
    isPressed = true;
    child.stdin.write('\u0003');
  });
  const code = await new Promise<number | null>((end) => void child.once('close', end));
  const screen = new Screen(columns, 12);
  const text = printed.replaceAll('\r\n', '\n').replaceAll('^C', '');
  screen.write(text);
  return { code, screen, drawn: text };
}

describe.runIf(hasScript)('an apply on a terminal', () => {
  test('draws in place, keeps to its width, and leaves nothing of it behind', async () => {
    const { code, screen, drawn } = await apply();
    expect(code).toBe(0);
    const live = drawn.match(/^ {2}projects\.demo\.vms\.web.*$/gm) ?? [];
    expect(live.length).toBeGreaterThan(0);
    expect(Math.max(...live.map((line) => line.length))).toBeLessThan(columns);
    expect(drawn).toMatch(/ of 11 done, 9 running/);
    expect(screen.lines.join('\n')).not.toMatch(/^ {2}projects\S+: |of 11 done/m);
    expect(screen.lines.filter((line) => line.includes('Creation complete'))).toHaveLength(11);
    expect(screen.lines.at(-1)).toContain('Apply complete! Resources: 11 added');
    // No mode of the terminal was changed: neither its cursor nor its screen.
    expect(drawn).not.toContain('\u001b[?');
  }, 60_000);

  test('Ctrl-C: says what it waits for, and leaves nothing of it behind', async () => {
    const { code, screen, drawn } = await apply((printed) => printed.includes(' 9 running'));
    expect(code).toBe(130);
    expect(drawn).toContain('Interrupted: waiting for 9 changes');
    expect(screen.lines.join('\n')).not.toMatch(
      /^ {2}projects\S+: |of 11 done|Interrupted: waiting/m,
    );
    expect(screen.lines.join('\n')).toContain('Begun and not finished');
  }, 60_000);
});
