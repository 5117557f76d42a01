import { describe, expect, it } from 'vitest';
import { getAbortReason, readErrorCode, toError } from '../../../src/model/errors.ts';
import { elementAt, getKnown } from '../../../src/model/group-by.ts';
import { createTable, isKeyOf, tableEntries, tableKeys } from '../../../src/model/tables.ts';
import { readTextList } from '../../../src/model/value.ts';

describe('parts that are known to be there', () => {
  it('are given', () => {
    expect([elementAt(['a', 'b'], 1), elementAt([null], 0)]).toEqual(['b', null]);
    expect(getKnown(new Map([['a', 1]]), 'a')).toBe(1);
  });

  it.each([
    ['an index behind the end', () => elementAt(['a'], 1), 'no element 1 in a list of 1'],
    ['an index before the start', () => elementAt(['a'], -1), 'no element -1 in a list of 1'],
    ['an absent key', () => getKnown(new Map<string, number>(), 'a'), 'a map has no a'],
  ])('are a bug where they are not: %s', (_what, read, words) => {
    expect(read).toThrow(words);
  });
});

it('a table has its own keys alone', () => {
  const table = createTable(['a', 'b'], (key) => key.toUpperCase());
  expect([tableKeys(table), tableEntries(table)]).toEqual([
    ['a', 'b'],
    [
      ['a', 'A'],
      ['b', 'B'],
    ],
  ]);
  expect(['a', 'c', 'toString'].map((text) => isKeyOf(table, text))).toEqual([true, false, false]);
});

it('anything that was thrown becomes an error, and keeps its code', () => {
  const error = Object.assign(new Error('no file'), { code: 'ENOENT' });
  expect(toError(error)).toBe(error);
  expect(toError('text')).toEqual(new Error('text'));
  expect(getAbortReason(AbortSignal.abort(error))).toBe(error);
  const coded = [error, new Error('none'), Object.assign(new Error('n'), { code: 1 }), 'ENOENT'];
  expect(coded.map(readErrorCode)).toEqual(['ENOENT', undefined, undefined, undefined]);
});

it('lists of texts are told from other values', () => {
  expect([readTextList(['a']), readTextList('a'), readTextList(undefined)]).toEqual([
    ['a'],
    [],
    [],
  ]);
});
