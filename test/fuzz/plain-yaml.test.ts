// The quick reader comes to the same tree as the full one, to the last offset, or leaves the file to it.
import { fc, test as propertyTest } from '@fast-check/vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildTree } from '../../src/config/source/build-tree.ts';
import { FaultList } from '../../src/config/source/fault-list.ts';
import type { LocatedNode } from '../../src/config/source/located-node.ts';
import { parseYaml } from '../../src/config/source/parse-yaml.ts';
import { readPlainly } from '../../src/config/source/read-plainly.ts';
import { SourceFile } from '../../src/config/source/source-file.ts';
import { countRuns } from '../support/budget/budget.ts';

/** A tree as nested lists, with all its offsets and in the order of its keys. */
function flatten(node: LocatedNode): unknown {
  const { start, end } = node;
  if (node.kind === 'scalar') return [start, end, node.value];
  if (node.kind === 'list') return [start, end, ...node.items.map(flatten)];
  const entries = [...node.entries].map(([name, { key, value }]) => {
    return { name, key: [key.start, key.end], value: flatten(value) };
  });
  return [start, end, { entries }];
}

function readFully(text: string) {
  const faults = new FaultList();
  const file = new SourceFile('a.yaml', text);
  const document = parseYaml(file, faults);
  const tree = document && buildTree(document, file, faults);
  return { tree: tree && flatten(tree), faults: faults.size };
}

/** Whether the quick reader took it. */
function expectSame(text: string): boolean {
  const tree = readPlainly(new SourceFile('a.yaml', text));
  if (!tree) return false;
  expect({ tree: flatten(tree), faults: 0 }).toEqual(readFully(text));
  return true;
}

/** Values of one line, those that look like something else among them. */
const scalar = fc.oneof(
  fc.constantFrom(
    ...['', 'a', 'web-1', 'c1-r1-d20', '1', '-7', '+7', '007', '0o17', '0x1F', '1.5', '.5', '1e3'],
    ...[
      '1e',
      '-',
      '~',
      'null',
      'Null',
      'nUll',
      'true',
      'True',
      'yes',
      'off',
      '.inf',
      '-.INF',
      '.nan',
    ],
    ...['10.0.0.1', '2026-01-02', '12:30', '1_000', '0b1', '${a.b[0]}', '"${a}"', "'it''s'", '""'],
    ...["''", '"a\\tb"', '"a\\', '"\\u00e9"', 'a b  c', 'a: b', 'a:b', 'a #b', 'a#b', '#', '&x a'],
    ...[
      '*x',
      '!!str 1',
      '!a',
      '|',
      '>',
      '|-',
      '[',
      ']',
      '{}',
      '[]',
      '{ }',
      '[ ]',
      '[a, b]',
      '[a,b]',
    ],
    ...['{ a }', '{ a, b }', '{a: 1}', '{ a: 1, b: [c] }', '[{ a: }]', '[a: 1]', '[a, ]', '[,]'],
    ...[
      '{ "a": 1 }',
      '{"a":1}',
      '[web[0]]',
      'web[0]',
      'a]',
      '@a',
      '`a`',
      '%a',
      '? a',
      '- a',
      '--- a',
    ],
    ...[
      'ü',
      '日本',
      '🙂',
      '<<',
      '"<<"',
      'a,b',
      '{a: b}c',
      '"a" b',
      '"a"#b',
      "'a' : b",
      '9007199254740993',
    ],
    ...[
      '1234567890123456789',
      '-0',
      '0',
      '0.0',
      '1.',
      'a\\b',
      'x  ',
      '"a\n  b"',
      "'a\n b'",
      '[a,\n    b]',
    ],
    ...[
      '{ a: 1,\n    b: 2 }',
      'a\n    b',
      '[ # c\n a ]',
      '[a # c\n ]',
      '{ a: 1 # c\n    }',
      '! a',
      'a\u0085b',
    ],
  ),
  fc.string({ maxLength: 6 }),
);
const key = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'c',
    'web',
    '"q"',
    "'s'",
    '1',
    'true',
    'null',
    '~',
    '<<',
    '? a',
    '',
    'ü',
    'a b',
  ),
  fc.string({ maxLength: 3 }),
);
const ending = fc.constantFrom(
  '\n',
  '\n',
  '\n',
  '\n',
  ' \n',
  ' # c\n',
  '\n\n',
  '\n# c\n',
  '\n  # c\n',
  '\n      # c\n',
  '#c\n',
  '\t\n',
  '\r\n',
);
const line = fc
  .record({
    indent: fc.constantFrom(0, 0, 2, 2, 4, 4, 6, 1, 3),
    dashes: fc.constantFrom('', '', '', '- ', '- ', '-   ', '- - '),
    head: fc.oneof(
      key.map((name) => `${name}:`),
      key.map((name) => `${name}: `),
      fc.tuple(key, scalar).map(([name, value]) => `${name}: ${value}`),
      fc.tuple(key, scalar).map(([name, value]) => `${name} :  ${value}`),
      scalar,
    ),
    ending,
  })
  .map(({ indent, dashes, head, ending }) => `${' '.repeat(indent)}${dashes}${head}${ending}`);

/** A tree as somebody would write it. */
const { written } = fc.letrec<{ written: string[] }>((tie) => ({
  written: fc.array(
    fc
      .tuple(
        fc.constantFrom('a', 'b', 'c', 'd', 'e', '"q"', '5', 'true'),
        fc.oneof(
          { depthSize: 'small' },
          scalar.map((text) => [text]),
          tie('written'),
          tie('written'),
        ),
        fc.boolean(),
        ending,
      )
      .map(([name, value, isList, end]) => {
        if (value.length === 1 && !value[0]?.includes(':')) return `${name}: ${value[0]}${end}`;
        const inner = value.map((one) => one.replace(/^(?=.)/gm, isList ? '    ' : '  '));
        const lines = isList ? inner.map((one) => one.replace(/^ {4}/, '  - ')) : inner;
        return `${name}:${end}${lines.join('')}`;
      }),
    { maxLength: 4 },
  ),
}));

const start = fc.constantFrom(
  '',
  '',
  '',
  '',
  '# c\n',
  '\n',
  '---\n',
  '--- # c\n',
  '%YAML 1.2\n---\n',
  '\ufeff',
  '  ',
);
const finish = fc.constantFrom('', '', '', '...\n', '---\n', '# c', '   ', '\n\n  # c\n');
const numRuns = countRuns(200_000, 600);

describe('the quick reader and the full one', () => {
  propertyTest.prop([start, fc.array(line, { maxLength: 7 }), finish], { numRuns })(
    'agree on lines of any kind',
    (head, lines, tail) => {
      expectSame(head + lines.join('') + tail);
    },
  );

  propertyTest.prop([start, written, finish], { numRuns })(
    'agree on what is written as it should be',
    (head, lines, tail) => {
      expectSame(head + lines.join('') + tail);
    },
  );

  test('agree on every file of the golden cases, and the quick one takes most', () => {
    const root = join(import.meta.dirname, '../golden');
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
    const texts = names
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => readFileSync(join(root, name), 'utf8'));
    expect(texts.filter(expectSame).length).toBeGreaterThan(texts.length * 0.9);
  });
});
