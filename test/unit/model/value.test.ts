import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { isEqual, readAttributeText, type Value } from '../../../src/model/value.ts';

describe('isEqual', () => {
  it.each<[Value | undefined, Value | undefined, boolean]>([
    [1, 1, true],
    [1, '1', false],
    [null, null, true],
    [null, undefined, false],
    [undefined, undefined, true],
    [null, {}, false],
    [[], [], true],
    [[], {}, false],
    [{}, [], false],
    [[1, 2], [1, 2], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [[{ a: null }], [{ a: null }], true],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(isEqual(a, b)).toBe(expected);
    expect(isEqual(b, a)).toBe(expected);
  });

  test.prop([fc.jsonValue(), fc.jsonValue()])('is as JSON with sorted keys is', (a, b) => {
    const sorted = (value: unknown): string =>
      JSON.stringify(value, (_key, one: unknown) =>
        typeof one === 'object' && one !== null && !Array.isArray(one)
          ? Object.fromEntries(Object.entries(one).sort(([x], [y]) => (x < y ? -1 : 1)))
          : one,
      );
    expect(isEqual(a as Value, JSON.parse(JSON.stringify(a)) as Value)).toBe(true);
    expect(isEqual(a as Value, b as Value)).toBe(sorted(a) === sorted(b));
  });
});

describe('textOf', () => {
  const attributes = { name: 'web', port: 443, isOn: false, none: null, list: ['a'], map: {} };
  it.each([
    ['name', 'web'],
    ['port', '443'],
    ['isOn', 'false'],
    ['none', ''],
    ['list', ''],
    ['map', ''],
    ['absent', ''],
  ])('of %s is "%s"', (name, text) => expect(readAttributeText(attributes, name)).toBe(text));
});
