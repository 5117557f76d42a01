// What functions give at the edges: empty, one, many; unicode; what they refuse, with its reason.
import { createHash } from 'node:crypto';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { compileExpression } from '../../../../src/expressions/evaluate/compile-expression.ts';
import { NameTree, Unknown } from '../../../../src/expressions/values/scope.ts';
import type { Value } from '../../../../src/model/value.ts';

function run(text: string, names: Readonly<Record<string, Value | Unknown>> = {}): unknown {
  const scope = NameTree.of('', { u: new Unknown('u'), ...names });
  const outcome = compileExpression(text).evaluate(scope);
  return outcome.kind === 'value'
    ? outcome.value
    : outcome.kind === 'fault'
      ? outcome.fault.summary
      : outcome.kind;
}

describe('texts', () => {
  it.each<[string, unknown]>([
    ['join(",", [null])', 'join() takes texts, numbers and true or false, not null'],
    ['join(",", [[]])', 'join() takes texts, numbers and true or false, not a list'],
    ['join(",", [{}])', 'join() takes texts, numbers and true or false, not a map'],
    ['join(",")', 'join() takes at least 2 arguments, not 1'],
    ['join([], ",")', 'join() takes a text as its first argument'],
    ['upper()', 'upper() takes 1 argument, not 0'],
    ['upper(1)', 'upper() takes a text'],
    ['split("", "a😀é")', ['a', '😀', 'é']],
    ['split(",", ",a,")', ['', 'a', '']],
    ['title("o\'neill über-straße")', "O'Neill Über-Straße"],
    ['trim("  a b\\n")', 'a b'],
    ['trim("xxaxx", "x")', 'a'],
    ['trim("xxx", "x")', ''],
    ['trim("😀a😀", "😀")', 'a'],
    ['trimPrefix("web", "x")', 'web'],
    ['trimSuffix("web", "")', 'web'],
    ['replace("aaa", "a", "bb")', 'bbbbbb'],
    ['replace("hello", "/l+/", "L")', 'heLo'],
    [
      'replace("john smith", "/(\\\\w+) (?P<last>\\\\w+)/", "${last} $1 $$ $9 $none")',
      'smith john $  ',
    ],
    ['replace("a", "/(/", "-")', 'The pattern cannot be used: missing closing ): `(`'],
    ['substr("hello", -3, 2)', 'll'],
    ['substr("hello", 1, -1)', 'ello'],
    ['indent(2, "a")', 'a'],
    ['indent(-1, "a")', 'indent() takes 0 or more spaces'],
    ['formatList("%s-%d", ["a"], [1, 2])', 'formatList() takes lists of one length'],
    ['startsWith("", "")', true],
    ['endsWith("a", "b")', false],
    ['upper(u)', 'unknown'],
  ])('%s is %j', (text, value) => expect(run(text)).toEqual(value));

  it('make nothing larger than an expression may', () => {
    const names = { long: 'a'.repeat(900_000), many: Array.from({ length: 60_000 }, () => 'x') };
    const tooLong = 'The expression makes a text that is too long';
    expect(run('replace(long, "a", "bb")', names)).toBe(tooLong);
    expect(run('replace(long, "/a/", "bb")', names)).toBe(
      'The expression takes too long to evaluate',
    );
    expect(run('join("12345678901234567890", many)', names)).toBe(tooLong);
    expect(run('indent(1000, join("\\n", many))', names)).toBe(tooLong);
    expect(run('setProduct(many, many)', names)).toBe(
      'The expression makes a list that is too long',
    );
    expect(run('range(1000000)')).toBe('The expression makes a list that is too long');
  });
});

it.each<[string, unknown]>(
  // prettier-ignore
  [
    ['regex("(?P<y>\\\\d+)-(?P<m>\\\\d+)", "2026-11").m', '11'],
    ['regex("x", "y")', 'regex() found no match for its pattern'],
    ['try(regex("x", "y"), "none")', 'none'],
    ['can(regex("x", "x"))', true],
    ['regexAll("(.)=(.)", "a=1 b=2")', [['a', '1'], ['b', '2']]],
    ['regex("(?=a)", "a")', 'The pattern cannot be used: invalid or unsupported Perl syntax: `(?=`'],
  ],
)('patterns: %s is %j', (text, value) => expect(run(text)).toEqual(value));

it.each<[string, unknown]>(
  // prettier-ignore
  [
    ['contains([[1], {"a": 1}], {"a": 1})', true],
    ['contains([], 1)', false],
    ['values({"é": 1, "z": 2})', [2, 1]],
    ['merge([{"a": 1}, {"b": 2}])', { a: 1, b: 2 }],
    ['merge({"a": 1}, [1])', 'merge() takes maps, or a list of maps'],
    ['merge({"__proto__": 1}, {"constructor": 2}).constructor', 2],
    ['lookup({"a": null}, "a", 1)', null],
    ['lookup({}, "constructor", "none")', 'none'],
    ['lookup({}, "a")', 'lookup() was given a map without the key "a"'],
    ['lookup({}, "a", 1, 2)', 'lookup() takes at most 3 arguments, not 4'],
    ['lookup({})', 'lookup() takes at least 2 arguments, not 1'],
    ['concat()', 'concat() takes at least 1 argument, not 0'],
    ['concat([1], 2)', 'concat() takes a list as its second argument'],
    ['flatten([])', []],
    ['distinct([1, "1", 1.0, {"a": 1, "b": 2}, {"b": 2, "a": 1}, [1]])', [1, '1', { a: 1, b: 2 }, [1]]],
    ['sort([10, 9.5, -1])', [-1, 9.5, 10]],
    ['sort([1, "a"])', 'sort() takes a list of texts, or a list of numbers'],
    ['zipMap(["a"], [])', 'zipMap() takes as many values as keys'],
    ['zipMap([1], [1])', 'zipMap() takes texts as keys'],
    ['range(3, 1)', [3, 2]],
    ['range(0, 1, 0.5)', [0, 0.5]],
    ['range(0, 5, 2)', [0, 2, 4]],
    ['range(0, 2.1, 0.7)', [0, 0.7, 1.4]],
    ['range(0.3, 0, -0.1)', [0.3, 0.2, 0.1]],
    ['range(0, 5, 2.5)', [0, 2.5]],
    ['range(1, 3, -1)', 'range() never reaches its end with this step'],
    ['range(1, 3, 0)', 'range() never reaches its end with this step'],
    ['compact([null, "", 0, false])', [0, false]],
    ['chunk([1], -1)', 'chunk() takes a size of 0 or more'],
    ['one([1, 2])', 'one() was given a list of 2 items'],
    ['sum([0.1, 0.2])', 0.3],
    ['sum([-0.05, 1e-7, 2])', 1.9500001],
    ['sum([])', 'sum() was given an empty list'],
    ['sum(["a"])', 'sum() takes a list of numbers'],
    ['setUnion()', 'setUnion() takes at least 1 argument, not 0'],
    ['setUnion([true, "a"], [1, true])', [true, 'a', 1]],
    ['setProduct([[1, 2], [3]])', [[1, 3], [2, 3]]],
    ['setProduct([])', 'setProduct() takes two or more lists, or one list of them'],
    ['setIntersection([1, 1, 2])', [1, 2]],
    ['setIntersection([1, 2], [2, 3], [2])', [2]],
    ['sort([u])', 'unknown'],
  ],
)('lists and maps: %s is %j', (text, value) => expect(run(text)).toEqual(value));

describe('numbers that JavaScript would change', () => {
  const long = '12345678901234567890';
  it.each<[string, unknown]>([
    ['jsonDecode(text)', { a: long, b: [-1, 0.5], c: '{"d": 1}' }],
    ['yamlDecode(text)', { a: long, b: [-1, 0.5], c: '{"d": 1}' }],
  ])('%s keeps a long whole number as its text', (text, value) => {
    const json = `{"a": ${long}, "b": [-1, 0.5], "c": "{\\"d\\": 1}"}`;
    expect(run(text, { text: json })).toEqual(value);
  });

  it.each(['{a: !!set {b, c}}', '!!omap [a: 1]', 'a: !!binary aGk=', 'a: !own 1'])(
    'yamlDecode refuses what JSON has no value for: %s',
    (text) => {
      expect(run('yamlDecode(text)', { text })).toBe(
        'yamlDecode() was given a text that is not YAML',
      );
    },
  );

  it.each([
    ...['int("")', 'int("0b1")', 'int("0o7")', 'int("1.5")', 'int(" 5")'],
    ...['double("")', 'double("0x10")', 'double("-0b1")'],
  ])('%s is refused', (text) => {
    const name = text.slice(0, text.indexOf('('));
    expect(run(text)).toBe(`${name}() type error: cannot convert to ${name}`);
  });

  it.each<[string, unknown]>([
    ['int("-5")', -5],
    ['int("007")', 7],
    ['double("1e3")', 1000],
  ])('%s is %j', (text, value) => expect(run(text)).toBe(value));
});

describe('values that may be missing', () => {
  it.each<[string, unknown]>([
    ['try({}.a.b, [][0], 3)', 3],
    ['try(u, 1)', 'unknown'],
    ['try({}.a, u)', 'unknown'],
    ['try(1, u)', 1],
    ['try({}.a)', 'None of the arguments of try() has a value. The last one: `{}` has no `a`'],
    ['can(u)', 'unknown'],
    ['can({}.a)', false],
    ['coalesce(null, "", 0)', 0],
    ['coalesce(u, 1)', 'unknown'],
    ['coalesce(1, u)', 1],
    ['coalesce(null)', 'All arguments of coalesce() are null or empty'],
  ])('%s is %j', (text, value) => expect(run(text)).toEqual(value));

  it('does not catch what costs too much', () =>
    expect(run('try(range(1000000), 1)')).toBe('The expression makes a list that is too long'));
});

it.each<[string, unknown]>([
  ['abs("a")', 'abs() takes a number'],
  ['min([3, 1.5])', 1.5],
  ['max([])', 'max() takes numbers, or a list of them, and at least one'],
  ['max()', 'max() takes numbers, or a list of them, and at least one'],
  ['min(1, "a")', 'min() takes numbers, or a list of them, and at least one'],
  ['parseInt("2", 2)', 'parseInt() was given a text that is not a whole number of base 2'],
  ['parseInt("99999999999999999999", 10)', 'parseInt() was given a number that is too large'],
  ['parseInt("1", 1)', 'parseInt() takes a base from 2 to 62'],
  ['parseInt("1", 2.5)', 'parseInt() takes a whole number as its second argument'],
])('numbers: %s is %j', (text, value) => expect(run(text)).toEqual(value));

it.each<[string, unknown]>(
  // prettier-ignore
  [
    ['jsonEncode({"b": {"d": 1, "c": 2}, "a": 1})', '{"a":1,"b":{"c":2,"d":1}}'],
    ['base64Decode("4pyT")', '✓'],
    ['base64Decode("SGk")', 'base64Decode() was given a text that is not base64'],
    ['base64Decode("a")', 'base64Decode() was given a text that is not base64'],
    ['base64Decode("/w==")', 'base64Decode() was given bytes that are not UTF-8 text'],
    ['csvDecode("")', 'csvDecode() was given a text without a header'],
    ['csvDecode("a,b\\r\\n1,\\"x,\\"\\"y\\"\\"\\nz\\"\\n")', [{ a: '1', b: 'x,"y"\nz' }]],
    ['csvDecode("a,b\\n1,\\n\\n,2")', [{ a: '1', b: '' }, { a: '', b: '2' }]],
    ['csvDecode("a,b\\n1")', 'Row 1 given to csvDecode() does not have as many fields as the header'],
    ['csvDecode("a,a\\n1,2")', 'csvDecode() was given two columns of one name'],
    ['csvDecode("a\\nx\\"y")', 'csvDecode() was given a text with a stray quote in its line 2'],
    ['csvDecode("a,b\\n1,")', [{ a: '1', b: '' }]],
    ['uuidV5("url", "")', '1b4db7eb-4057-5ddf-91e0-36dec72071f5'],
    ['uuidV5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com")', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
    ['uuidV5("nope", "x")', 'uuidV5() takes a namespace as its first argument'],
  ],
)('encoding: %s is %j', (text, value) => expect(run(text)).toEqual(value));

describe('times', () => {
  const at = '"2026-03-09T00:05:06+02:00"';
  it.each<[string, unknown]>([
    [
      `formatDate("YYYY YY MMMM MMM MM M DD D EEEE EEE", ${at})`,
      '2026 26 March Mar 03 3 09 9 Monday Mon',
    ],
    [`formatDate("hh h HH H AA aa mm m ss s", ${at})`, '00 0 12 12 AM am 05 5 06 6'],
    [`formatDate("ZZZZZ ZZZZ ZZZ Z", ${at})`, '+02:00 +0200 +0200 +02:00'],
    ['formatDate("ZZZ Z AA aa HH", "2026-03-09T13:05:06Z")', 'UTC Z PM pm 01'],
    [`formatDate("'day' D 'o''clock' ''", ${at})`, "day 9 o'clock '"],
    [`formatDate("YYY", ${at})`, 'formatDate() does not know the letters `YYY`'],
    ['formatDate("YYYY", "2026-02-30T00:00:00Z")', 'formatDate() takes a timestamp of RFC 3339'],
    ['formatDate("YYYY", "2026-02-03")', 'formatDate() takes a timestamp of RFC 3339'],
    ['timeAdd("2026-01-01T00:00:00Z", "1d")', 'timeAdd() takes a duration as its second argument'],
    ['timeAdd("9999-12-31T23:00:00Z", "2h")', 'timeAdd() leaves the years from 0 to 9999'],
  ])('%s is %j', (text, value) => expect(run(text)).toEqual(value));
});

it.each<[string, unknown]>([
  ['cidrSubnet("10.0.0.0/24", 9, 0)', 'cidrSubnet() cannot make a /33 range out of a /24 range'],
  ['cidrSubnet("10.0.0.0/24", 1, 2)', 'The address range given to cidrSubnet() has no such subnet'],
  ['cidrHost("0:0:1:0:0:1:1:0/112", 1)', '::1:0:0:1:1:1'],
  ['cidrHost("1:0:0:1:0:0:0:0/112", 1)', '1:0:0:1::1'],
  ['cidrNetmask("::/8")', 'cidrNetmask() takes an IPv4 range'],
  ['cidrContains("10.0.0.0/8", "11.0.0.0")', false],
  ['cidrContains("10.0.0.0/16", "10.0.0.0/8")', false],
  ['cidrContains("::/0", "fe80::1")', true],
  ['cidrContains("10.0.0.0/8", "::1")', false],
  [
    'cidrContains("10.0.0.0/8", "x")',
    'cidrContains() takes an address or a range as its second argument',
  ],
  ['cidrContains("x", "10.0.0.0")', 'cidrContains() takes an address range as its first argument'],
])('address ranges: %s is %j', (text, value) => expect(run(text)).toEqual(value));

it.each([
  ['cidrContains("10.0.0.0/8", "::ffff:10.1.2.3")', /^Write the IPv4 address without `::ffff:`/],
  ['cidrHost("::FFFF:10.0.0.0/104", 1)', /^Write the IPv4 address without `::ffff:`/],
  ['cidrContains("10.0.0.0/8", "::ffff:x")', /^Write for example/],
])(
  'an IPv4 address in the form of an IPv6 one is none, and is told what to be: %s',
  (text, hint) => {
    const outcome = compileExpression(text).evaluate(NameTree.of('', {}));
    expect(outcome).toMatchObject({ fault: { hint: expect.stringMatching(hint) as string } });
  },
);

describe('properties', () => {
  const json = fc.jsonValue() as fc.Arbitrary<Value>;

  property.prop([json])('JSON there and back is the same value', (value) => {
    // Minus zero is none in CEL.
    const text = JSON.stringify(value).replaceAll('-0', '0');
    const given = JSON.parse(text) as Value;
    expect(run('jsonDecode(jsonEncode(given))', { given })).toEqual(run('given', { given }));
  });

  property.prop([fc.string({ unit: 'grapheme' })])(
    'base64 there and back is the same text',
    (text) => {
      expect(run('base64Decode(base64Encode(text))', { text })).toBe(text);
    },
  );

  property.prop([fc.array(fc.record({ a: fc.string(), 'b c': fc.string() }), { minLength: 1 })])(
    'CSV as RFC 4180 writes it is read as it was',
    (rows) => {
      const quote = (one: string) => `"${one.replaceAll('"', '""')}"`;
      const text = ['a,b c', ...rows.map((row) => [row.a, row['b c']].map(quote).join())].join(
        '\r\n',
      );
      // Line ends within fields become those of Unix.
      const read = JSON.parse(JSON.stringify(rows).replaceAll(String.raw`\r\n`, String.raw`\n`));
      expect(run('csvDecode(text)', { text })).toEqual(read);
    },
  );

  property.prop([
    fc.array(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom('a', 'b'))),
    fc.array(fc.integer({ min: -5, max: 5 })),
  ])('sets have each value once, and what is in both', (left, right) => {
    const both = run('setIntersection(left, right)', { left, right }) as Value[];
    const any = run('setUnion(left, right)', { left, right }) as Value[];
    expect(new Set(any)).toEqual(new Set([...left, ...right]));
    expect(any).toHaveLength(new Set(any).size);
    expect(new Set(both)).toEqual(new Set(left.filter((one) => right.includes(one as number))));
  });

  property.prop([json])('YAML is read as it was, by readers of 1.2 and of 1.1', (value) => {
    const given = JSON.parse(JSON.stringify(value).replaceAll('-0', '0')) as Value;
    const text = run('yamlEncode(given)', { given }) as string;
    expect(run('yamlDecode(text)', { text })).toEqual(run('given', { given }));
    expect(parseYaml(text, { version: '1.1' })).toEqual(given);
  });

  property.prop([fc.string({ unit: 'grapheme' })])('a checksum is that of others', (text) => {
    expect(run('sha256(text)', { text })).toBe(createHash('sha256').update(text).digest('hex'));
  });

  property.prop([fc.double({ noNaN: true, min: -1e300, max: 1e300 }), fc.nat(20)])(
    'a number with so many digits is as near as they allow',
    (n, digits) => {
      const fixed = run(`format("%.${digits}f", n)`, { n }) as string;
      const scientific = run(`format("%.${digits}e", n)`, { n }) as string;
      const size = Math.abs(n);
      expect(Math.abs(Number(fixed) - n)).toBeLessThanOrEqual(10 ** -digits + size * 2 ** -50);
      expect(Math.abs(Number(scientific) - n)).toBeLessThanOrEqual(
        size * 10 ** -digits + size * 2 ** -50,
      );
      expect(Number(run('format("%g", n)', { n }))).toBe(n + 0);
    },
  );

  property.prop([fc.string({ unit: 'binary' }), fc.nat(8)])(
    'a text and what is cut off it are the whole',
    (text, count) => {
      const [head, rest] = run('[substr(text, 0, count), substr(text, count, -1)]', {
        text,
        count,
      }) as string[];
      expect(`${head}${rest}`).toBe(text);
    },
  );
});
