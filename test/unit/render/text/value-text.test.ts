import { describe, expect, test } from 'vitest';
import type { Change } from '../../../../src/model/plan/plan.ts';
import type { Value } from '../../../../src/model/value.ts';
import { renderPlanText } from '../../../../src/render/text/text.ts';
import { aliceKey, makeChange, makePlan, otherKey, plain } from '../sample-plan.ts';

/** The lines of the attributes of one change. */
function drawAttributes(change: Change, columns = 80): string {
  const text = renderPlanText(makePlan([change]), { ...plain, columns });
  const lines = text.slice(text.indexOf('{\n') + 2, text.indexOf('\n    }\n')).split('\n');
  return lines.filter((line) => !/^ +[~+-]? ?id\b/.test(line)).join('\n');
}

function drawUpdate(
  before: Value,
  after: Value,
  given: Partial<Change> = {},
  columns = 80,
): string {
  const fields = [{ name: 'x', effect: 'update' }] as const;
  const sides = { before: { x: before }, after: { x: after } };
  return drawAttributes(makeChange({ action: 'update', fields, ...sides, ...given }), columns);
}
const drawCreate = (value: Value, columns = 80) =>
  drawAttributes(makeChange({ action: 'create', after: { x: value } }), columns);
const drawDelete = (value: Value) =>
  drawAttributes(makeChange({ action: 'delete', before: { x: value } }));

describe('scalars', () => {
  test.each<[string, string, string]>([
    ['a string is quoted', drawCreate('a "b"'), '      + x  = "a \\"b\\""'],
    ['a number', drawCreate(3), '      + x  = 3'],
    ['a boolean', drawDelete(true), '      - x  = true -> null'],
    ['numbers', drawUpdate(1, 2), '      ~ x  = 1 -> 2'],
    ['another type', drawUpdate('1', 1), '      ~ x  = "1" -> 1'],
    ['a value where none was', drawUpdate(null, 'a'), '      + x  = "a"'],
    ['a value that goes', drawUpdate('a', null), '      - x  = "a" -> null'],
    [
      'escapes',
      drawCreate('a\u001b[31m\u202eb\u009b'),
      '      + x  = "a\\u001b[31m\\u202eb\\u009b"',
    ],
    ['unicode is left as it is', drawCreate('日本 é 🚀'), '      + x  = "日本 é 🚀"'],
  ])('%s', (_, text, line) => expect(text).toBe(line));

  test('nothing on both sides is not an attribute', () =>
    expect(drawAttributes(makeChange({ action: 'create', after: { x: null, y: 1 } }))).toBe(
      '      + y  = 1',
    ));

  test('an attribute name that needs quotes', () =>
    expect(drawAttributes(makeChange({ action: 'create', after: { 'a b': 1 } }))).toBe(
      '      + "a b" = 1',
    ));
});

describe('what is unknown or hidden', () => {
  test('known after apply', () =>
    expect(drawUpdate('a', null, { after: {}, unknown: ['x'] })).toBe(
      '      ~ x  = "a" -> (known after apply)',
    ));

  test('a whole list known after apply, which forces a replacement', () => {
    const given = {
      action: 'replace',
      after: {},
      unknown: ['x', 'id'],
      fields: [{ name: 'x', effect: 'replace' }],
    } as const;
    expect(drawUpdate(['a'], null, given)).toMatchInlineSnapshot(
      `"      ~ x  = ["a"] -> (known after apply) # forces replacement"`,
    );
  });

  test.each<[string, string, string]>([
    [
      'on create',
      drawAttributes(makeChange({ action: 'create', after: { x: 1 }, sensitive: ['x'] })),
      '      + x  = (sensitive value)',
    ],
    [
      'on update',
      drawUpdate('secret', 'other', { sensitive: ['x'] }),
      '      ~ x  = (sensitive value)',
    ],
    [
      'on delete',
      drawAttributes(makeChange({ action: 'delete', before: { x: 1 }, sensitive: ['x'] })),
      '      - x  = (sensitive value) -> null',
    ],
  ])('sensitive %s', (_, text, line) => expect(text).toBe(line));

  test('unchanged and sensitive is counted like any other', () => {
    const text = drawUpdate('s', 's', { fields: [], sensitive: ['x'] });
    expect(text).toBe('        # (1 unchanged attribute hidden)');
  });
});

describe('lists', () => {
  test('by element, with what stands next to a change', () => {
    const before = ['a', 'b', 'c', 'd', 'e', 'f'];
    const after = ['a', 'b', 'c', 'x', 'e', 'f'];
    expect(drawUpdate(before, after)).toMatchInlineSnapshot(`
      "      ~ x  = [
                  # (2 unchanged elements hidden)
                  "c",
                - "d",
                + "x",
                  "e",
                  # (1 unchanged element hidden)
              ]"
    `);
  });

  test('of maps, compared one by one', () => {
    const before = [{ a: 1, b: 1 }, { a: 5 }];
    const after = [{ a: 2, b: 1 }];
    expect(drawUpdate(before, after)).toMatchInlineSnapshot(`
      "      ~ x  = [
                ~ {
                    ~ a = 1 -> 2
                      # (1 unchanged attribute hidden)
                  },
                - {
                    - a = 5
                  },
              ]"
    `);
  });

  test('a scalar for a map', () =>
    expect(drawUpdate([{ a: 1 }], ['a'])).toMatchInlineSnapshot(`
      "      ~ x  = [
                - {
                    - a = 1
                  },
                + "a",
              ]"
    `));

  test('next to an unchanged map and list', () =>
    expect(drawUpdate([{ a: [1] }, 'x'], [{ a: [1] }, 'y'])).toMatchInlineSnapshot(`
      "      ~ x  = [
                  {
                      a = [1]
                  },
                - "x",
                + "y",
              ]"
    `));

  test.each<[string, string, string]>([
    ['an empty one is created', drawCreate([]), '      + x  = []'],
    ['an empty one is deleted', drawDelete([]), '      - x  = [] -> null'],
    ['an empty map is deleted', drawDelete({}), '      - x  = {} -> null'],
  ])('%s', (_, text, line) => expect(text).toBe(line));

  test('deleted whole, only the whole says null', () =>
    expect(drawDelete(['a', { b: 'c' }])).toMatchInlineSnapshot(`
      "      - x  = [
                - "a",
                - {
                    - b = "c"
                  },
              ] -> null"
    `));

  test('too many edits to align', () => {
    const before = Array.from({ length: 1500 }, (_, index) => `a${index}`);
    const after = Array.from({ length: 1500 }, (_, index) => `b${index}`);
    const lines = drawUpdate(before, after).split('\n');
    expect(lines).toHaveLength(3002);
    expect(lines[1]).toBe('          - "a0",');
    expect(lines[3000]).toBe('          + "b1499",');
  });
});

describe('maps', () => {
  test('nested, with keys in order and aligned', () => {
    const before = { long: 1, gone: { a: 1 }, 'b c': [] };
    const after = { long: 2, new: true, 'b c': [] };
    expect(drawUpdate(before, after)).toMatchInlineSnapshot(`
      "      ~ x  = {
                - gone  = {
                    - a = 1
                  } -> null
                ~ long  = 1 -> 2
                + new   = true
                  # (1 unchanged attribute hidden)
              }"
    `);
  });

  test('a map in the place of a string', () =>
    expect(drawUpdate('a', { b: 1 })).toMatchInlineSnapshot(`
      "      ~ x  = "a" -> {
                + b = 1
              }"
    `));

  test('a string in the place of a list, which forces a replacement', () => {
    const given = { action: 'replace', fields: [{ name: 'x', effect: 'replace' }] } as const;
    expect(drawUpdate(['a'], 'b', given)).toMatchInlineSnapshot(
      `"      ~ x  = ["a"] -> "b" # forces replacement"`,
    );
  });
});

describe('texts of several lines', () => {
  test('created', () =>
    expect(drawCreate('a\n  b\u001b\n')).toMatchInlineSnapshot(`
      "      + x  = <<-EOT
                  a
                    b\\u001b
                  
              EOT"
    `));

  test('deleted', () =>
    expect(drawDelete('a\nb')).toMatchInlineSnapshot(`
      "      - x  = <<-EOT
                  a
                  b
              EOT -> null"
    `));

  test('changed by line, and forcing a replacement', () => {
    const given = { action: 'replace', fields: [{ name: 'x', effect: 'replace' }] } as const;
    expect(drawUpdate('a\nb\nc', 'a\nB\nc', given)).toMatchInlineSnapshot(`
      "      ~ x  = <<-EOT # forces replacement
                  a
                - b
                + B
                  c
              EOT"
    `);
  });
});

describe('values that are longer than the line', () => {
  test('keep their start and their end', () =>
    expect(drawCreate(aliceKey, 60)).toBe(
      '      + x  = "ssh-ed25519 AAAAC3NzaC1lZD…wRtVn alice@laptop"',
    ));

  test('stand below each other when they change', () =>
    expect(drawUpdate('a'.repeat(40), 'b'.repeat(40))).toMatchInlineSnapshot(`
      "      ~ x  = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                -> "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb""
    `));

  test('show where they differ', () => {
    const given = { action: 'replace', fields: [{ name: 'x', effect: 'replace' }] } as const;
    expect(drawUpdate(aliceKey, otherKey, given)).toMatchInlineSnapshot(`
      "      ~ x  = "ssh-ed25519 AAA…0Wm4oJ9xLrYcN2bD5eHsKpQzUaXgEiCwRtVn alice@laptop"
                -> "ssh-ed25519 AAA…0Wm4oJ9xZZZZN2bD5eHsKpQzUaXgEiCwRtVn alice@laptop"
                # forces replacement"
    `);
  });

  test('a short one next to a long one, with its comment in the same line', () => {
    const given = { action: 'replace', fields: [{ name: 'x', effect: 'replace' }] } as const;
    expect(drawUpdate(aliceKey, 'x', given)).toMatchInlineSnapshot(`
      "      ~ x  = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIF…zUaXgEiCwRtVn alice@laptop"
                -> "x" # forces replacement"
    `);
  });

  test('nothing is cut where the width is endless', () =>
    expect(drawCreate(aliceKey, Infinity)).toBe(`      + x  = "${aliceKey}"`));

  test('a line of a text is cut at its end', () =>
    expect(drawCreate(`${'a'.repeat(90)}\nb`, 40)).toBe(
      `      + x  = <<-EOT\n            ${'a'.repeat(27)}…\n            b\n        EOT`,
    ));
});
