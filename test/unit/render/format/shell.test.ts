import { expect, test } from 'vitest';
import { quoteForShell } from '../../../../src/render/format/shell.ts';

test.each([
  ['hosting', 'hosting'],
  ['../a-b/c.d', '../a-b/c.d'],
  ['my hosting', "'my hosting'"],
  ["it's", "'it'\\''s'"],
  ['', "''"],
  ['$HOME', "'$HOME'"],
  ["it's\u001b[2J\u200b", String.raw`$'it\'s\u001b[2J\u200b'`],
])('%j is pasted as %s', (text, pasted) => expect(quoteForShell(text)).toBe(pasted));
