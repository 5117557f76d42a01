import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openLineReader } from '../../../src/cli/read-lines.ts';
import type { LineReader, EnteredLine } from '../../../src/model/runtime.ts';

/** A terminal whose keys the test presses. */
function openTerminal() {
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const screen = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let shown = '';
  screen.setEncoding('utf8').on('data', (text: string) => (shown += text));
  const names = ['local.prefix', 'local.price'];
  const lines = openLineReader(
    { input: keys, output: screen },
    { complete: (line) => [names.filter((name) => name.startsWith(line)), line] },
  );
  return { lines, press: (text: string) => keys.write(text), shown: () => shown };
}

async function readAll(lines: LineReader): Promise<readonly EnteredLine[]> {
  const all: EnteredLine[] = [];
  do all.push(await lines.next('> '));
  while (all.at(-1)?.kind !== 'end');
  return all;
}

test('lines of a pipe come as they are, without a prompt', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const lines = openLineReader({ input, output }, { complete: () => [[], ''] });
  input.end('one\r\ntwo\n\nlast');
  const texts = (await readAll(lines)).map((line) =>
    line.kind === 'line' ? line.text : line.kind,
  );
  expect(texts).toEqual(['one', 'two', '', 'last', 'end']);
  expect(output.read()).toBeNull();
  expect(lines.isTerminal).toBe(false);
});

test('on a terminal lines are asked for, completed, and brought back', async () => {
  const { lines, press, shown } = openTerminal();
  // What comes at once is taken for pasted.
  for (const keys of ['local.pref', '\t', '\r']) {
    press(keys);
    await setImmediate();
  }
  expect(await lines.next('> ')).toEqual({ kind: 'line', text: 'local.prefix' });
  press('\u001b[A + 1\r');
  expect(await lines.next('... ')).toEqual({ kind: 'line', text: 'local.prefix + 1' });
  press('\u0004');
  expect(await lines.next('> ')).toEqual({ kind: 'end' });
  expect(shown()).toContain('> ');
});

test('Ctrl-C throws away what was typed, and ends where nothing was', async () => {
  const { lines, press, shown } = openTerminal();
  const first = lines.next('> ');
  press('nonsense\u0003');
  expect(await first).toEqual({ kind: 'cancelled' });
  press('1 + 1\r');
  expect(await lines.next('> ')).toEqual({ kind: 'line', text: '1 + 1' });
  press('\u0003');
  expect(await lines.next('> ')).toEqual({ kind: 'end' });
  expect(shown()).toContain('^C');
});
