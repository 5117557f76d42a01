import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { redactData, redactText } from '../../../../src/api/transport/redact.ts';

const tokenOf = (at: number) => `hwk_${'0123456789abcdefghijkl'.repeat(2)}_${at}`;
const escape = (text: string) => Array.from(text, (one) => `%${one.charCodeAt(0).toString(16)}`);

test('a token is taken out however many there were since', () => {
  for (const at of [...Array(40).keys(), 0]) {
    const token = tokenOf(at);
    expect(redactData(`it is ${token}`, token)).toBe('it is [token]');
    expect(redactText(`at ?key=${escape(token).join('')}`, token)).toBe('at ?key=[token]');
  }
});

test('tokens of earlier runs are not kept', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const use = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) redactText(escape(tokenOf(at)).join(''), tokenOf(at));
    // The engine itself keeps a pattern until several collections have passed.
    for (let times = 0; times < 8; times += 1) collect();
    return getHeapCodeStatistics().code_and_metadata_size;
  };
  const before = use(0, 10);
  // Thirty patterns more would be nine megabytes.
  expect(use(10, 40) - before).toBeLessThan(3_000_000);
});
