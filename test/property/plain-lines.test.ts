// The quick reader of contract files comes to the same value as the full reader of YAML, or leaves the file to it.
import { fc, test as propertyTest } from '@fast-check/vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSimpleYaml } from '../../src/config/contract/read-plain-lines.ts';
import { ConfigurationFaultList } from '../../src/config/source/fault-list.ts';
import { toPlainValue } from '../../src/config/source/located-node.ts';
import { readYamlTree } from '../../src/config/source/read-tree.ts';
import { SourceFile } from '../../src/config/source/source-file.ts';
import { countRuns } from '../support/budget/budget.ts';

/** True where the quick reader took the text, as the full one does without a fault. */
function isTakenAlike(text: string): boolean {
  const plain = readSimpleYaml(text);
  if (plain === undefined) return false;
  const faults = new ConfigurationFaultList();
  const tree = readYamlTree(new SourceFile('a.contract.yaml', text), faults)?.tree;
  const full = tree && JSON.stringify(toPlainValue(tree));
  expect([JSON.stringify(plain), faults.size]).toEqual([full, 0]);
  return true;
}

/** Texts of every form that a value can have, those of another form than they seem among them. */
const scalars = [
  ...['a', 'GET /vms/{vmId}', '/data/0/id', '/a~1b', 'path id', 'none', 'open', 'MB', 'a  b'],
  ...['1', '0', '007', '-7', '1.5', '1e3', '12e5', '0x1f', '0o17', '0b1', '1_000', '12:30', '.5'],
  ...['9f2c', '00a1', '1234567890123456789', 'null', 'True', 'FALSE', 'yes', '~', '', '.inf'],
  ...['"a b"', '""', "''", "'it''s'", '"a\\tb"', '"a: b"', "'#'", '"a" b', '"a\n  b"', 'a\n    b'],
  ...['a: b', 'a:b', 'a :b', 'a #b', 'a#b', '# c', '&x a', '*x', '!!str 1', '|', '>-', '@a', '- a'],
  ...['{}', '[]', '{ a: b }', '{a: b}', '{ a: b, c: [d, 1] }', '[a, b]', '[a,]', '[,]', '{ a }'],
  ...[
    '{ a: b,\n    c: d }',
    '{\n      a: b\n    }',
    '{ a: b\n}',
    '[a\n    b]',
    '{ a: b } c',
    '{a:b}',
  ],
  ...[
    '{ "a": b }',
    '{"a":b}',
    '{ a: { b: c } }',
    '{ a: b c, d: e }',
    '[a[0]]',
    'a]',
    '{ a: b',
    'ü',
  ],
  ...['[ a # c\n ]', '{ a: b:c }', '{ a: /x/{y} }', '[a: 1]', '{ a: b, a: c }', '{ /a: b }'],
];
const keys = [
  'a',
  'b',
  'listVms',
  '/region',
  '/a/*',
  '"q"',
  "'s'",
  '"/a b"',
  '1',
  'true',
  '<<',
  '__proto__',
  '? a',
  '',
  'ü',
  'a b',
];
const endings = [
  '\n',
  '\n',
  '\n',
  ' \n',
  ' # c\n',
  '\n\n',
  '\n# c\n',
  '\n      # ü\n',
  '#c\n',
  '\t\n',
  '\r\n',
  '',
];
const line = fc
  .record({
    indent: fc.constantFrom(0, 0, 0, 2, 2, 4, 1),
    key: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...keys) }, fc.string({ maxLength: 3 })),
    colon: fc.constantFrom(': ', ': ', ': ', ':', ':  ', ' : ', ' '),
    value: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('', ...scalars) },
      fc.string({ maxLength: 6 }),
    ),
    ending: fc.constantFrom(...endings),
  })
  .map(({ indent, key, colon, value, ending }) => {
    return `${' '.repeat(indent)}${key}${colon}${value}${ending}`;
  });
const start = fc.constantFrom(
  '',
  '',
  '',
  '# c\n',
  '\n',
  '---\n',
  '%YAML 1.2\n---\n',
  '\ufeff',
  '  ',
);
const finish = fc.constantFrom('', '', '', '...\n', '---\n', '# c', '   ', '\n  # c\n', '}');

propertyTest.prop([start, fc.array(line, { minLength: 1, maxLength: 6 }), finish], {
  numRuns: countRuns(200_000, 3_000),
})('agrees with the full reader, or takes nothing', (head, lines, tail) => {
  isTakenAlike(head + lines.join('') + tail);
});

propertyTest.prop(
  [fc.constantFrom(...scalars), fc.constantFrom(...scalars), fc.constantFrom(...endings)],
  { numRuns: countRuns(20_000, 1_000) },
)('agrees on each value, at the top, below a key and in brackets', (one, other, ending) => {
  isTakenAlike(`a: ${one}${ending}`);
  isTakenAlike(`a:\n  b: ${one}${ending}  c: ${other}\nd: e\n`);
  isTakenAlike(`a: { b: ${one}, c: ${other} }${ending}`);
  isTakenAlike(`a:\n  b:\n    ${one}${ending}  c:\n   ${other}\n`);
  isTakenAlike(`a:\n  b: [${one}, ${other}]${ending}`);
});

it('takes the contract files that there are', () => {
  const root = join(import.meta.dirname, '../scenario/dialects');
  const files = readdirSync(root).filter((name) => name.endsWith('.contract.yaml'));
  expect(files.length).toBeGreaterThan(2);
  for (const name of files) {
    expect([name, isTakenAlike(readFileSync(join(root, name), 'utf8'))]).toEqual([name, true]);
  }
});

it('leaves brackets without an end, and deep ones, to the full reader', () => {
  expect(readSimpleYaml(`a: ${'{ a: '.repeat(50_000)}`)).toBeUndefined();
  expect(readSimpleYaml('a: [')).toBeUndefined();
  const steps = Array.from({ length: 5_000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('');
  expect(readSimpleYaml(steps)).toBeUndefined();
});
