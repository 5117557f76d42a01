import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import {
  formatCanonicalJson,
  listCanonicalJsonParts,
} from '../../../../src/model/text/canonical-text.ts';
import {
  collectLazyLists,
  joinTextChunks,
  LazyList,
  mapLazily,
  minTextChunkLength,
  generateJsonLine,
} from '../../../../src/model/text/json-parts.ts';

const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });

describe('JSON in pieces', () => {
  test.prop([value])('is what JSON.stringify makes of it', (given) => {
    expect([...generateJsonLine(given)].join('')).toBe(`${JSON.stringify(given)}\n`);
  });

  test('leaves out what is undefined, but not from a list', () => {
    const given = { a: undefined, b: [undefined, 1], c: { d: undefined }, e: {}, f: [] };
    expect([...generateJsonLine(given)].join('')).toBe(`${JSON.stringify(given)}\n`);
  });

  test.prop([fc.dictionary(fc.string(), value)])(
    'is canonical where it is asked to be',
    (given) => {
      expect([...listCanonicalJsonParts(given)].join('')).toBe(formatCanonicalJson(given));
    },
  );

  test('is canonical whatever it is, half a character as its escape', () => {
    const texts = [undefined, '\ud800', '\\ud800'].map(formatCanonicalJson);
    expect(texts).toEqual(['null', String.raw`"\\ud800"`, String.raw`"\\ud800"`]);
  });

  test('has lazy lists as arrays, and makes their items as they are read', () => {
    const made: number[] = [];
    const list = mapLazily([1, 2, 3], (item) => {
      made.push(item);
      return item === 2 ? undefined : item * 10;
    });
    const pieces = generateJsonLine({ list, in: { list } });
    expect(made).toEqual([]);
    expect([...pieces].join('')).toBe('{"list":[10,30],"in":{"list":[10,30]}}\n');
    expect(made).toEqual([1, 2, 3, 1, 2, 3]);
    expect(collectLazyLists({ list, in: { list }, one: [null, list.constructor.name] })).toEqual({
      list: [10, 30],
      in: { list: [10, 30] },
      one: [null, 'LazyList'],
    });
  });
});

describe('pieces', () => {
  test('are as long as is worth writing, and no part is torn', () => {
    const parts = Array.from({ length: 3_000 }, (_, index) => `${index};`.padStart(100, '.'));
    const pieces = [...joinTextChunks(parts)];
    expect(pieces.join('')).toBe(parts.join(''));
    expect(pieces).toHaveLength(Math.ceil(parts.join('').length / (minTextChunkLength + 36)));
    for (const piece of pieces) expect(piece.length).toBeLessThan(minTextChunkLength + 100);
    for (const piece of pieces.slice(0, -1)) {
      expect(piece.length).toBeGreaterThanOrEqual(minTextChunkLength);
      expect(piece.endsWith(';')).toBe(true);
    }
  });

  test('are none of nothing', () => {
    expect([...joinTextChunks([])]).toEqual([]);
    expect([...joinTextChunks(['', ''])]).toEqual([]);
  });

  test('are made no sooner than they are asked for', () => {
    let made = 0;
    const parts = new LazyList(function* () {
      for (;;) {
        made += 1;
        yield 'x'.repeat(1_024);
      }
    });
    const pieces = joinTextChunks(parts);
    pieces.next();
    expect(made).toBe(64);
  });
});
