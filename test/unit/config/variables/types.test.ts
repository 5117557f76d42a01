// Types of variables, and what Terraform 1.11 makes of the same values.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { convertDeferredValue } from '../../../../src/config/variables/complete-deferred.ts';
import { convertToVariableType } from '../../../../src/config/variables/convert-value.ts';
import { parseVariableType } from '../../../../src/config/variables/parse-type.ts';
import type { VariableType } from '../../../../src/config/variables/value-type.ts';
import { Unknown } from '../../../../src/expressions/values/scope.ts';
import type { DeferredValue } from '../../../../src/model/deferred.ts';
import type { Value } from '../../../../src/model/value.ts';

function typeOf(text: string): VariableType {
  const type = parseVariableType(text);
  if ('kind' in type) return type;
  throw new Error(type.summary);
}

/** An object of these members, which are not optional unless they say so. */
const objectOf = (members: Readonly<Record<string, object>>) => ({
  kind: 'object',
  members: new Map(
    Object.entries(members).map(([name, given]) => [
      name,
      { isOptional: false, default: null, ...given },
    ]),
  ),
});

describe('a type', () => {
  it.each<[string, unknown]>(
    // prettier-ignore
    [
      ['string', { kind: 'string' }],
      [' bool ', { kind: 'bool' }],
      ['boolean', { kind: 'bool' }],
      ['list', { kind: 'list', of: { kind: 'any' } }],
      ['set(map(number))', { kind: 'set', of: { kind: 'map', of: { kind: 'number' } } }],
      ['tuple([string, any])', { kind: 'tuple', items: [{ kind: 'string' }, { kind: 'any' }] }],
      ['tuple([])', { kind: 'tuple', items: [] }],
      ['object({})', { kind: 'object', members: new Map() }],
      ['object({ a = string, "b c": optional(bool), })', objectOf({ a: { type: { kind: 'string' } }, 'b c': { type: { kind: 'bool' }, isOptional: true } })],
      // As YAML folds what Terraform has on lines of their own, and with a comment.
      ['object({ a = string b = optional(number, 3) })', objectOf({ a: { type: { kind: 'string' } }, b: { type: { kind: 'number' }, isOptional: true, default: 3 } })],
      ['object({\n  # how many\n  n = number\n})', objectOf({ n: { type: { kind: 'number' } } })],
    ],
  )('%s', (text, type) => expect(parseVariableType(text)).toEqual(type));

  it.each<[text: string, part: string, summary: string, hint?: string]>(
    // prettier-ignore
    [
      ['strng', 'strng', 'There is no type `strng`', 'Did you mean `string`?'],
      ['list(foo)', 'foo', 'There is no type `foo`', 'Use one of string, number, bool, any, list, set, map, object, tuple.'],
      ['list(string', '', 'The type ends here, where `)` is missing'],
      ['list(string))', ')', 'The type continues after its end'],
      ['', '', 'A type is missing here'],
      ['list()', ')', 'A type is missing here'],
      ['object(string)', 'string', 'The type has `string` here, where `{` is missing'],
      ['object({ a })', '}', 'The type has `}` here, where `=` is missing'],
      ['object({ a = string, a = string })', '=', 'The object has the member `a` twice'],
      ['object({ 5 = string })', '5', 'The name of a member, or `}`, is missing here'],
      ['tuple(string)', 'string', 'The type has `string` here, where `[` is missing'],
      ['optional(string)', 'optional', '`optional` is for members of objects alone'],
      ['object({ a = optional(number, x) })', 'x', 'The default of a member must be a number', 'Give a value of its type.'],
      ['object({ a = optional(number, ) })', ')', 'The default of a member is missing here'],
      ['list('.repeat(30) + 'string' + ')'.repeat(30), 'list', 'The type is nested too deeply'],
    ],
  )('%s has a fault with its place', (text, part, summary, hint) => {
    const fault = parseVariableType(text);
    expect(fault).toMatchObject({ summary, ...(hint !== undefined && { hint }) });
    if ('kind' in fault || part === '') return;
    expect(text.slice(fault.start, fault.end)).toBe(part);
  });

  property.prop([fc.string({ unit: fc.constantFrom(...Array.from('lis(t)obje{}=,ap"[] \nsr')) })])(
    'of any text is a type or a fault',
    (text) => {
      expect(parseVariableType(text)).toBeDefined();
    },
  );
});

const size =
  'object({ name = optional(string, "d"), ram = optional(number, 3), n = optional(string), in = optional(object({ a = optional(bool, true) }), {}) })';
const all =
  'object({ name = optional(string, "d"), l = list(string), s = set(string), m = map(number) })';

describe('a value', () => {
  it.each<[type: string, given: Value, made: Value]>(
    // prettier-ignore
    [
      ['string', 5, '5'],
      ['string', true, 'true'],
      ['string', 1e21, '1000000000000000000000'],
      ['string', null, null],
      ['number', '5', 5],
      ['number', '1e3', 1000],
      ['number', '.5', 0.5],
      ['number', '+5', 5],
      ['number', '5.0', 5],
      ['bool', 'true', true],
      ['bool', '1', true],
      ['bool', '0', false],
      ['any', [1, '2'], [1, '2']],
      ['list(string)', [1, null, true], ['1', null, 'true']],
      ['list(number)', ['1', '2.50'], [1, 2.5]],
      ['set(string)', ['b', 'a', 'b', 1], ['1', 'a', 'b']],
      ['set(number)', [10, '9', 10], [9, 10]],
      ['tuple([string, number])', [1, '2'], ['1', 2]],
      [size, {}, { in: { a: true }, n: null, name: 'd', ram: 3 }],
      [size, { a: 1 }, { in: { a: true }, n: null, name: 'd', ram: 3 }],
      [size, { in: null }, { in: { a: true }, n: null, name: 'd', ram: 3 }],
      [size, { in: { a: null }, name: null }, { in: { a: true }, n: null, name: 'd', ram: 3 }],
      [all, { name: null, l: [1, true], s: ['b', 'a', 'b'], m: { a: '5' }, extra: 1 }, { l: ['1', 'true'], m: { a: 5 }, name: 'd', s: ['a', 'b'] }],
      ['list(object({ a = optional(number, 1), b = string }))', [{ b: 1 }, { a: 2, b: 'x' }], [{ a: 1, b: '1' }, { a: 2, b: 'x' }]],
    ],
  )('of the type %s: %j is %j, as in Terraform', (type, given, made) => {
    expect(convertToVariableType(given, typeOf(type))).toEqual({ value: made, problems: [] });
  });

  it.each<[type: string, given: Value, problems: unknown[]]>(
    // prettier-ignore
    [
      ['string', [1], [{ path: [], says: 'must be text' }]],
      ['number', 'true', [{ path: [], says: 'must be a number' }]],
      ['number', '1_0', [{ path: [], says: 'must be a number' }]],
      ['number', ' 5', [{ path: [], says: 'must be a number' }]],
      ['number', 'Infinity', [{ path: [], says: 'must be a number' }]],
      ['bool', 'yes', [{ path: [], says: 'must be true or false' }]],
      ['bool', 'True', [{ path: [], says: 'must be true or false' }]],
      ['bool', 5, [{ path: [], says: 'must be true or false' }]],
      ['list(string)', {}, [{ path: [], says: 'must be a list' }]],
      ['map(string)', [], [{ path: [], says: 'must be a map' }]],
      [size, [1], [{ path: [], says: 'must be a map' }]],
      [size, { name: [1] }, [{ path: ['name'], says: 'must be text' }]],
      [size, { in: { a: 'yes' }, ram: 'x' }, [{ path: ['ram'], says: 'must be a number' }, { path: ['in', 'a'], says: 'must be true or false' }]],
      ['list(number)', [true, 1, 'x'], [{ path: [0], says: 'must be a number' }, { path: [2], says: 'must be a number' }]],
      ['tuple([string, number])', [1], [{ path: [], says: 'must be a list of length 2' }]],
      [all, { name: 'x', m: {} }, [{ path: [], says: 'lacks the members `l`, `s`' }]],
      ['list(object({ b = string }))', [{}], [{ path: [0], says: 'lacks the member `b`' }]],
    ],
  )('of the type %s: %j is refused', (type, given, problems) => {
    expect(convertToVariableType(given, typeOf(type)).problems).toEqual(problems);
  });

  it('keeps what is unknown in it', () => {
    const u = new Unknown('u');
    const { value, problems } = convertToVariableType({ name: u, in: u }, typeOf(size));
    expect({ value, problems }).toEqual({
      value: { name: u, ram: 3, n: null, in: u },
      problems: [],
    });
    expect(convertToVariableType(['b', u, 'a'], typeOf('set(string)')).value).toEqual([
      'b',
      u,
      'a',
    ]);
  });

  property.prop([
    fc.jsonValue(),
    fc.constantFrom(size, all, 'set(string)', 'map(list(any))', 'tuple([number])'),
  ])('that was made fit once fits for ever', (given, type) => {
    const once = convertToVariableType(given as Value, typeOf(type));
    if (once.problems.length > 0) return;
    expect(convertToVariableType(once.value, typeOf(type))).toEqual(once);
  });
});

it('what is known only after apply is completed by its type', () => {
  const later: DeferredValue = {
    ...{ kind: 'expression', text: 'projects.a.id', isTemplate: false, prefix: '' },
    ...{ references: ['projects.a.id'], names: [] },
    source: { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 },
  };
  const value = (one: Value): DeferredValue => ({ kind: 'value', value: one });
  const given: DeferredValue = {
    kind: 'map',
    entries: { name: later, n: value(5), in: value(null) },
  };
  expect(convertDeferredValue(given, typeOf(size))).toEqual({
    kind: 'map',
    entries: { name: later, ram: value(3), n: value('5'), in: value({ a: true }) },
  });
  expect(
    convertDeferredValue({ kind: 'list', items: [later, value(1)] }, typeOf('list(string)')),
  ).toEqual({ kind: 'list', items: [later, value('1')] });
  expect(
    convertDeferredValue({ kind: 'map', entries: { a: value(1) } }, typeOf('map(string)')),
  ).toEqual({ kind: 'map', entries: { a: value('1') } });
  expect(convertDeferredValue(later, typeOf(size))).toBe(later);
  expect(convertDeferredValue(given, typeOf('any'))).toBe(given);
});
