import { describe, expect, it } from 'vitest';
import { formatYaml } from '../../../../src/config/format/format-yaml.ts';
import { renderFirstConfiguration } from '../../../../src/render/yaml/first-configuration.ts';

const apply = (text: string, isOrdered = true) => formatYaml('f.yaml', text, { isOrdered });
const long = 'x'.repeat(95);

/** As it is written, and as it is then, where that is not the same. */
const cases: readonly (readonly [name: string, written: string, formatted?: string])[] = [
  [
    'keys in the order of the schema, names as they are written',
    'projects: { z: { vms: { w: {image: i, count: 2} }, name: n }, a: }\n\nversion: 1\n',
    'version: 1\n\nprojects: { z: { name: n, vms: { w: { count: 2, image: i } } }, a: }\n',
  ],
  ['a map with a key of nobody stays in its order', 'projects: {}\nversion: 1\nx: 1\n'],
  ['free values stay in their order', 'locals: { b: 1, a: { name: 1, id: 2 } }\n'],
  [
    'comments move with their keys',
    '# p\nprojects: # t\n  # a\n  a: # b\n\n# v\nversion: 1 # one\n',
    '# v\nversion: 1 # one\n\n# p\nprojects: # t\n  # a\n  a: # b\n',
  ],
  [
    'what is about the file stays above',
    '# yaml-language-server: $schema=s.json\nprojects: {}\nversion: 1\n',
    '# yaml-language-server: $schema=s.json\n\nversion: 1\nprojects: {}\n',
  ],
  [
    'so does a comment at the head, where the key that comes first has none',
    '# About us,\n# and our shop.\nprojects: {}\nservice: {}\n\nversion: 1\n',
    '# About us,\n# and our shop.\n\nversion: 1\nservice: {}\n\nprojects: {}\n',
  ],
  [
    'so does a paragraph of comments',
    '# About us.\n\nprojects: {}\nversion: 1\n',
    '# About us.\n\nversion: 1\nprojects: {}\n',
  ],
  [
    'indentation of 2, lists too',
    'a:\n      b:\n      - 1\n      -   c: 1\n          d: 2\n',
    'a:\n  b:\n    - 1\n    - c: 1\n      d: 2\n',
  ],
  [
    'quotes where they are needed',
    `a: 'x'\nb: "y: z"\nc: 'say "hi"'\nd: "it's"\ne: 'yes'\nf: "1"\n'g': ''\n"h i": 'a\\b'\n`,
    `a: x\nb: "y: z"\nc: say "hi"\nd: it's\ne: "yes"\nf: "1"\ng: ""\nh i: a\\b\n`,
  ],
  [
    'escapes as they are written',
    'a: "\\u00e9\\n"\nb: "\\"x: \\""\n',
    'a: "\\u00e9\\n"\nb: \'"x: "\'\n',
  ],
  [
    'expressions',
    "a: '${var.x}'\nb: { c: '${var.x}', d: web-${each.index} }\n",
    'a: ${var.x}\nb: { c: "${var.x}", d: "web-${each.index}" }\n',
  ],
  [
    'instances without quotes in brackets',
    'b: { vm: web[0] }\nc: web[0]\n',
    'b: { vm: "web[0]" }\nc: web[0]\n',
  ],
  ['brackets stay on one line', 'a: {b: 1,c: [ 1 ,2 ]}\n', 'a: { b: 1, c: [1, 2] }\n'],
  [
    'where they fit as wide characters are shown',
    `a: [${'日'.repeat(46)}]\nb: [${'日'.repeat(49)}]\n`,
    `a: [${'日'.repeat(46)}]\nb:\n  - ${'日'.repeat(49)}\n`,
  ],
  [
    'brackets on several lines go',
    'a: {\n  b: 1, # one\n  # two\n  c: [\n    2 ] }\n',
    'a:\n  b: 1 # one\n  # two\n  c:\n    - 2\n',
  ],
  ['so do those that are too long', `a: { b: ${long} }\n`, `a:\n  b: ${long}\n`],
  ['nothing', 'a: {}\nb: []\nc:\nd: ~\ne: { f, g: }\n'],
  [
    'empty lines: one at most, none at the ends',
    '\n\na: 1\n\n\n\nb:\n\n  c: 1\n\n\n',
    'a: 1\n\nb:\n  c: 1\n',
  ],
  [
    'line ends, a mark of the byte order, white space',
    '\ufeffa:   1   \r\nb: 2\t# x  ',
    'a: 1\nb: 2 # x\n',
  ],
  [
    'texts over several lines',
    'a: |-   # c\n      x\n        y\n\n\nb: >2\n      z\nc: |+\n   k\n\n',
    'a: |- # c\n  x\n    y\n\nb: >2\n      z\nc: |+\n  k\n\n',
  ],
  ['values over several lines', 'a: one\n     two\nb: "x\n  y"\n', 'a: one\n  two\nb: "x\n  y"\n'],
  [
    'anchors, aliases and tags',
    'a: &x {b: 1}\nc: *x\nd: &y\n    e: !!str 1\nf:\n  <<: *y\n',
    'a: &x { b: 1 }\nc: *x\nd: &y\n  e: !!str 1\nf:\n  <<: *y\n',
  ],
  [
    'comments in every place',
    '# 0\na: # 1\n   # 2\n   b: 1 # 3\n   # 4\n # 5\n# 6\nc: # 7\n   # 8\n   x\nd:\n  - # 9\n    e: 1\n  # 10\n# 11\n',
    '# 0\na: # 1\n  # 2\n  b: 1 # 3\n  # 4\n# 5\n# 6\nc: # 7\n  # 8\n  x\nd:\n  - # 9\n    e: 1\n  # 10\n# 11\n',
  ],
  [
    'a comment below a key without a value',
    'a:\n    # one\nb:\n# two\n',
    'a:\n  # one\nb:\n# two\n',
  ],
  ['the line that begins a document', '---\na: 1\n'],
  ['comments alone', '\n# a\n\n\n# b', '# a\n\n# b\n'],
  ['an empty file', ''],
  ['unicode', "é: 'Grüße 日本'\n", 'é: Grüße 日本\n'],
];

describe('the canonical form', () => {
  const pairs = cases.map(([name, text, form = text]) => [name, text, form] as const);
  it.each(pairs)('%s', (_, written, formatted) => {
    expect(apply(written)).toEqual({ text: formatted, diagnostics: [] });
    expect(apply(formatted).text).toBe(formatted);
  });

  it('keeps an alias below its anchor, whatever the order of keys', () => {
    const text = 'projects: &p {}\nlocals: { a: *p }\nversion: 1\n';
    expect(apply(text).text).toBe(text);
    const twice = 'projects: &p {}\nlocals: { a: *p }\nmodules: &p {}\nversion: 1\n';
    expect(apply(twice).text).toBe(twice);
  });

  it('orders no keys that are none of a configuration', () =>
    expect(apply('projects: {}\nversion: 1\n', false).text).toBe('projects: {}\nversion: 1\n'));

  it('is that of the first configuration', () => {
    const text = renderFirstConfiguration(undefined);
    expect(apply(text).text).toBe(text);
  });
});

it.each([
  ['is broken', 'a: [1\n', 'broken-yaml'],
  ['has a key twice', 'a: 1\na: 2\n', 'duplicate-key'],
  ['has several documents', 'a: 1\n---\nb: 2\n', 'broken-yaml'],
  ['has a key that is no word', '? [a]\n: 1\n', 'invalid-key'],
  ['has a key over two lines', '? a\n  b\n: 1\n', 'format-unknown'],
  ['has a directive', '%YAML 1.2\n---\na: 1\n', 'format-unknown'],
  ['has a comment within an entry', 'a\n# one\n: 1\n', 'broken-yaml'],
])('a file that stays as it is: %s', (_, text, code) => {
  const { text: made, diagnostics } = apply(text);
  expect(made).toBeUndefined();
  expect(diagnostics.map((one) => one.code)).toContain(code);
});
