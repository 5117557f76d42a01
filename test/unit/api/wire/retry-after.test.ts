import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../../../src/api/wire/read-answer.ts';

const noon = Date.parse('Sat, 21 Nov 2026 12:00:00 GMT');

test.each<[string | null, number | null]>([
  [null, null],
  ['', null],
  ['soon', null],
  ['-5', null],
  ['0', 0],
  ['3', 3000],
  [' 3 ', 3000],
  ['1.5', 1500],
  ['120.5', 120_000],
  ['3600', 120_000],
  ['99999999999', 120_000],
  ['9'.repeat(400), 120_000],
  ['Sun, 22 Nov 2026 12:00:00 GMT', 120_000],
  ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
  ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['Sat, 99 Foo 2026', null],
  ['2026-11-21T12:00:30Z', null],
])('Retry-After %j is %j ms', (header, expected) => {
  expect(parseRetryAfter(header, noon)).toBe(expected);
});
