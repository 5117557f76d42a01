import { describe, expect, it } from 'vitest';
import { inShop, listFaults, loadText } from './load.ts';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly faults: readonly string[];
  readonly says?: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'a tab',
    text: 'version: 1\nprojects:\n\tshop: {}\n',
    faults: ['a.yaml:3:1 broken-yaml'],
    says: ['The indentation contains a tab', 'The parser says: Tabs are not allowed'],
  },
  {
    name: 'an unknown escape',
    text: 'version: 1\nservice: { baseUrl: "a\\qb" }\n',
    faults: ['a.yaml:2:23 broken-yaml'],
    says: ['An escape in double quotes is unknown'],
  },
  {
    name: 'a quote that is not closed',
    text: 'version: 1\nservice: "a\n',
    faults: ['a.yaml:2:10 broken-yaml'],
    says: ['A quote is not closed', 'Close it with `"`.'],
  },
  {
    name: 'a bracket that is not closed',
    text: 'version: 1\nmoved: [1, 2\n',
    faults: ['a.yaml:2:8 broken-yaml'],
    says: ['A bracket is not closed', 'Close it with `]`.'],
  },
  {
    name: 'a colon in a value',
    text: 'version: 1\nservice: a: b\n',
    faults: ['a.yaml:2:10 broken-yaml'],
    says: ['A second key is where a value was expected', 'quotes if it holds a colon'],
  },
  {
    name: 'a missing colon',
    text: 'version: 1\nservice\nprojects:\n',
    faults: ['a.yaml:2:1 broken-yaml'],
    says: ['A line is not of the form `key: value`'],
  },
  {
    name: 'two faults on lines of their own',
    text: 'version: @1\nservice: `x\n',
    faults: ['a.yaml:1:10 broken-yaml', 'a.yaml:2:10 broken-yaml'],
    says: ['cannot begin with this character'],
  },
  {
    name: 'an instance that is none, without quotes in { }',
    text: inShop(
      'publicIps:\n  e:\n    forwards:\n      f: { protocol: tcp, publicPort: 1, vm: web[0 ], vmPort: 1 }\n  g: {}',
    ),
    faults: ['a.yaml:7:53 broken-yaml'],
    says: ['A value with a bracket needs quotes inside { } or [ ]', "{ vm: 'web[0]' }"],
  },
  {
    name: 'the same in [ ]',
    text: 'version: 1\nmoved: [web[]]\n',
    faults: ['a.yaml:2:12 broken-yaml'],
    says: ['A value with a bracket needs quotes'],
  },
  {
    name: 'an expression that is not closed, without quotes in { }',
    text: inShop('vms: { web: { name: web-${each.index, image: u } }'),
    faults: ['a.yaml:4:30 broken-yaml', 'a.yaml:5:1 broken-yaml'],
    says: ["{ name: 'web-${each.index}' }"],
  },
  {
    name: 'something else beside brackets that could be read',
    text: inShop('vms: { web: { name: web-${each.index} } }\nnetworks: [ }\nsshKeys: {}'),
    faults: ['a.yaml:4:30 broken-yaml'],
  },
  {
    name: 'a tag',
    text: 'version: !!binary aGk=\nservice: !x y\n',
    faults: ['a.yaml:1:10 broken-yaml', 'a.yaml:2:10 broken-yaml'],
    says: ['A YAML tag is unknown'],
  },
  {
    name: 'a directive that is none',
    text: '%YAML 9\n---\nversion: 1\n',
    faults: ['a.yaml:1:7 broken-yaml'],
    says: ['A YAML directive is not well formed'],
  },
  {
    name: 'two documents',
    text: 'version: 1\n---\nversion: 1\n',
    faults: ['a.yaml:2:1 broken-yaml'],
    says: ['more than one YAML document', 'a file of its own'],
  },
  {
    name: 'a control character',
    text: 'version: 1\nservice: "a\u0007b"\n',
    faults: ['a.yaml:2:12 broken-yaml'],
    says: ['The file contains a control character', 'U+0007'],
  },
  {
    name: 'nesting without end',
    text: `version: 1\nservice: ${'['.repeat(20_000)}\n`,
    faults: ['a.yaml:2:74 broken-yaml'],
    says: ['nested deeper than 64 levels'],
  },
  {
    name: 'nesting of keys without end',
    text: `version: 1\nservice: ${'? {'.repeat(100)}\n`,
    faults: ['a.yaml:2:201 broken-yaml'],
  },
  {
    name: 'a block in brackets',
    text: 'version: 1\nservice: {\n  a: |\n    x\n}\n',
    faults: ['a.yaml:3:6 broken-yaml'],
  },
  {
    name: 'an unknown kind of fault in plain words',
    text: 'version: 1\nservice: &a &b x\n',
    faults: ['a.yaml:2:13 broken-yaml'],
    says: ['The YAML is not well formed here'],
  },
  {
    name: 'a key twice, naming both places',
    text: 'version: 1\nservice: {}\nservice: {}\n',
    faults: ['a.yaml:3:1 duplicate-key'],
    says: ['The key `service` is in one map twice', 'It is first at a.yaml:2:1.'],
  },
  {
    name: 'a key that is a map, and one that is an alias',
    text: 'version: &v 1\n? { a: 1 }\n: 2\n? *v\n: 3\n',
    faults: ['a.yaml:2:3 invalid-key', 'a.yaml:4:3 invalid-key'],
    says: ['A key must be text'],
  },
  { name: 'a key that is nothing', text: 'version: 1\n: 2\n', faults: ['a.yaml:1:1 unknown-key'] },
  {
    name: 'an alias without its anchor',
    text: 'version: 1\nservice: *nothing\n',
    faults: ['a.yaml:2:10 invalid-alias'],
    says: ['There is no anchor `&nothing` before this alias'],
  },
  {
    name: 'an alias inside its own anchor',
    text: 'version: 1\nservice: &a { sandbox: *a }\n',
    faults: ['a.yaml:2:24 invalid-alias'],
  },
  {
    name: 'a merge of something else',
    text: 'version: 1\nservice: { <<: 5 }\nprojects: { <<: [{}, 1] }\naccount: { <<: }\nguards: { <<: *x }\n',
    faults: ['a.yaml:2:12 invalid-merge', 'a.yaml:3:13 invalid-merge', 'a.yaml:5:15 invalid-alias'],
    says: ['The merge key `<<` takes a map', 'Got the number 5.'],
  },
  {
    name: 'aliases of aliases without end',
    text: `version: 1\nlocals:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n${Array.from(
      { length: 12 },
      (_, n) =>
        `  a${n + 1}: &a${n + 1} [${Array.from({ length: 10 }, () => `*a${n}`).join(', ')}]\n`,
    ).join('')}`,
    faults: ['a.yaml:1:1 too-many-aliases'],
    says: ['more than 100000 values'],
  },
];

describe('broken YAML', () => {
  it.each(cases)('$name', async ({ text, faults, says = [] }) => {
    const result = await loadText(text);
    expect(listFaults(result)).toEqual(faults);
    const [first] = result.diagnostics;
    const words = [first?.summary, first?.detail, first?.hint].join('\n');
    for (const piece of says) expect(words).toContain(piece);
    for (const { hint, source } of result.diagnostics) {
      expect(hint).toBeTruthy();
      expect(source?.frame).toContain('^');
    }
  });

  it('does not repeat what the parser says of a secret', async () => {
    const result = await loadText('version: 1\nservice:\n  token: "hunter2\\q"\n');
    expect(result.diagnostics).toMatchObject([{ code: 'broken-yaml' }]);
    expect(result.diagnostics[0]!.detail).toBeUndefined();
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('cuts what the parser says', async () => {
    const result = await loadText(`version: ! ${'x'.repeat(300)}\n  y: [}${'z'.repeat(400)}\n`);
    for (const { detail } of result.diagnostics) expect(detail!.length).toBeLessThan(200);
  });

  it.each(['---\n', '---\n# the end\n', '...\n'])('takes %j at the end of a file', async (end) => {
    const result = await loadText(`version: 1\nprojects: { shop: }\n${end}`);
    expect(listFaults(result)).toEqual([]);
  });

  it('reads the values of YAML 1.2, whatever a file says of its version', async () => {
    const { configuration } = await loadText(
      '%YAML 1.1\n---\nversion: 1\nprojects: { on: { name: yes }, null: , 1a-b: }\n',
    ).then(() => loadText('%YAML 1.1\n---\nversion: 1\nprojects: { on: { name: yes }, null: }\n'));
    expect(configuration!.graph.resources.map(({ attributes }) => attributes.name)).toEqual([
      'yes',
      'null',
    ]);
  });
});
