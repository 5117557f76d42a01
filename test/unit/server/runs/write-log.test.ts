import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createSecretMask,
  sameLineCountReplacement,
} from '../../../../src/model/text/mask-texts.ts';
import { openRunLogWriter, type RunLogWriter } from '../../../../src/server/runs/write-log.ts';

const secret = 'correct-horse-battery';

let written: string[];
let writer: RunLogWriter;
beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  const add = (_id: string, lines: readonly { readonly text: string }[]) => {
    written.push(...lines.map(({ text }) => text));
    return Promise.resolve();
  };
  writer = openRunLogWriter({ add }, 'r', () => undefined);
  writer.hide(createSecretMask([secret], sameLineCountReplacement));
});
afterEach(async () => {
  await writer.close();
  vi.useRealTimers();
});

const say = (text: string) => writer.say('output', text);

test('what is said without a pause is seen soon all the same, and nothing twice or in another order', async () => {
  const said = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  for (const [at, line] of said.entries()) {
    say(line);
    await vi.advanceTimersByTimeAsync(100);
    expect(written.length).toBeGreaterThan(at - 15);
  }
  await vi.advanceTimersByTimeAsync(1_000);
  expect(written).toEqual(said);
});

test.each([0, 60, 240])('a secret in lines %s ms apart is seen in no part', async (gapMs) => {
  const filler = Array.from({ length: 7 }, (_, at) => `before ${at}`);
  for (const line of [...filler, 'correct-', 'horse-', 'battery', 'after']) {
    say(line);
    await vi.advanceTimersByTimeAsync(gapMs);
  }
  await vi.advanceTimersByTimeAsync(2_000);
  const text = written.join('\n');
  expect(written).toHaveLength(11);
  expect(text).toContain('after');
  expect(text).not.toMatch(/correct|horse|battery/);
});

test('what is left is written at the end', async () => {
  say('the last word');
  await writer.close();
  expect(written).toEqual(['the last word']);
});
