import { describe, expect, it } from 'vitest';
import { TypeChecker } from '../../../src/expressions/evaluate/check-types.ts';
import { compileExpression } from '../../../src/expressions/evaluate/compile-expression.ts';
import { evaluateDeferred } from '../../../src/expressions/deferred/evaluate-deferred.ts';
import { makeProjectNames, NameTrie } from '../../../src/expressions/deferred/name-trie.ts';
import { NameTree, Unknown } from '../../../src/expressions/values/scope.ts';
import { compileTemplate } from '../../../src/expressions/evaluate/template.ts';
import type { DeferredValue } from '../../../src/model/deferred.ts';
import type { SourceRange } from '../../../src/model/source.ts';

const scope = NameTree.of('', { n: 3, l: [1], m: { a: 1 }, u: new Unknown('u'), none: null });

function run(text: string): unknown {
  const outcome = compileExpression(text).evaluate(scope);
  return outcome.kind === 'value'
    ? outcome.value
    : outcome.kind === 'fault'
      ? outcome.fault.summary
      : outcome.kind;
}

it.each<[string, unknown]>([
  ['format("a")', 'a'],
  ['format("%s-%03d-%+d-%5s|%-5s|%%", "x", 7, 3, "r", "l")', 'x-007-+3-    r|l    |%'],
  [
    'format("%x %X %o %b %.2f %f %q %v %.1s", 255, 255, 8, 5, 1.005, 2, "q", [1], "abc")',
    'ff FF 10 101 1.00 2.000000 "q" [1] a',
  ],
  ['format("%+05d %05d", 3, -3)', '+0003 -0003'],
  ['format(1)', 'format() takes a text as its first argument'],
  ['format("%d", "a")', 'format() needs a number for %d'],
  ['format("%d", 1.5)', 'format() needs a whole number for %d'],
  ['format("%f", "a")', 'format() needs a number for %f'],
  ['format("%k", 1)', 'format() has no verb %k'],
  ['format("%s", [1])', 'format() needs a text, a number or true or false for %s'],
  ['format("%s")', 'format() has more places than values'],
  ['format("a", 1)', 'format() has more values than places'],
  ['format("%9999d", 1)', 'format() makes places of at most 1000 characters'],
  ['cidrHost("10.0.0.77/24", -1)', '10.0.0.255'],
  ['cidrHost("fd00::/64", 5)', 'fd00::5'],
  ['cidrHost("1:2:3:4:5:6:7:8/128", 0)', '1:2:3:4:5:6:7:8'],
  ['cidrHost("::/0", 0)', '::'],
  ['cidrHost("10.0.0.0/24", 256)', 'The address range given to cidrHost() has no such address'],
  ['cidrHost("10.0.0.0/24", -257)', 'The address range given to cidrHost() has no such address'],
  ['cidrHost("10.0.0.0/33", 0)', 'cidrHost() takes an address range as its first argument'],
  ['cidrHost("10.0.0/8", 0)', 'cidrHost() takes an address range as its first argument'],
  ['cidrHost("10.0.0.0", 0)', 'cidrHost() takes an address range as its first argument'],
  ['cidrHost("1::2::3/8", 0)', 'cidrHost() takes an address range as its first argument'],
  ['cidrHost("1:2/8", 0)', 'cidrHost() takes an address range as its first argument'],
  ['cidrHost("1:2:3:4:5:6:7::8/8", 0)', 'cidrHost() takes an address range as its first argument'],
  ['cidrHost("g::/8", 0)', 'cidrHost() takes an address range as its first argument'],
  ['cidrHost(1, 0)', 'cidrHost() takes a text as its first argument'],
  ['cidrHost("10.0.0.0/8", "a")', 'cidrHost() takes a whole number as its second argument'],
  ['jsonDecode("{\\"a\\": [1, 2.5, null]}").a[1]', 2.5],
  ['jsonDecode("{")', 'jsonDecode() was given a text that is not JSON'],
  ['jsonDecode(1)', 'jsonDecode() takes a text'],
])('functions: %s', (text, value) => expect(run(text)).toEqual(value));

describe('patterns', () => {
  const texts = [
    '',
    'a',
    'ab',
    'aab',
    'b',
    'abc',
    'a-b',
    'A',
    'aaa',
    'é',
    '😀',
    'a b',
    'x\ny',
    '1',
    'ab1_',
  ];
  const matching = String.raw`
    a ^a$ a* a+b (a|b)+$ ^(?:ab?)+$ [a-c]{2} ^[^a] a{2,} ^a{1,2}$ ^a{0}$ \d \w+ \bb a\B ^.$ \. -
    a?b ^(a|)b$ (?i)^a$ (?s)^x.y$ [\]a] \p{L} a|b|c ^\s*$ \x61 a+?b (?P<n>a)b ^$`;
  it.each(matching.trim().split(/\s+/))('%s matches what JavaScript matches', (pattern) => {
    const flags = /^\(\?([is]+)\)/.exec(pattern)?.[1] ?? '';
    const native = new RegExp(
      pattern.replace(/^\(\?[is]+\)/, '').replace('?P<', '?<'),
      `u${flags}`,
    );
    for (const text of texts) {
      expect(run(`${JSON.stringify(text)}.matches(${JSON.stringify(pattern)})`), text).toBe(
        native.test(text),
      );
    }
  });

  const refused = String.raw`
    (?=a) (?<!a) \1 (a a) [a *a a{2,1} a{5000} \k (?P=a) [z-a] ((a{90}){90}){90} [[:alpha:]
    (?:abcdefghij){900}`;
  it.each([...refused.trim().split(/\s+/), 'a'.repeat(1001)])('%s is refused', (pattern) => {
    const outcome = compileExpression(`"a".matches(${JSON.stringify(pattern)})`).evaluate(scope);
    expect(outcome).toMatchObject({ kind: 'fault', fault: { code: 'unsafe-pattern', start: 12 } });
  });

  it('never take exponential time', () => {
    // Such a time would outlive whoever waits for it.
    expect(run(`"${'a'.repeat(5000)}b".matches("^(a+)+$")`)).toBe(false);
    expect(run(`"${'a'.repeat(5000)}b".matches("^(a|a)*$")`)).toBe(false);
    expect(run(`"${'a'.repeat(15000)}".matches("a*a*a*a*a*a*a*a*a*b")`)).toBe(false);
    expect(run('"a".matches(n)')).toContain('No such operation');
  });
});

describe('templates', () => {
  it.each<[string, unknown]>([
    ['x', 'x'],
    ['${n}', 3],
    ['a ${n} ${n + 1}', 'a 3 4'],
    ['$${n} ${l[0]}', '${n} 1'],
    ['${l}', [1]],
    ['v-${0.0000001}-${1e21}', 'v-0.0000001-1000000000000000000000'],
    ['${"}"}', '}'],
  ])('%s', (text, value) => {
    expect(compileTemplate(text).evaluate(scope)).toEqual({ kind: 'value', value });
  });

  it.each<[string, string, number]>([
    ['ab ${l}', 'A list cannot be part of a text', 5],
    ['ab ${m}', 'A map cannot be part of a text', 5],
    ['ab ${none}', 'Null cannot be part of a text', 5],
    ['ab ${ q }', 'There is no name `q`', 6],
    ['ab ${ 1 + }', 'The expression ends too early', 9],
    ['ab ${n', 'An expression begins with `${` and is not closed', 3],
    ["a ${join('\n', l)} b", 'A text in quotes has a line break in it', 2],
    ['${"a\r\nb"}', 'A text in quotes has a line break in it', 0],
    ["${join('\n', l) b", 'A text in quotes is not closed', 0],
  ])('%s is a fault', (text, summary, start) => {
    expect(compileTemplate(text).evaluate(scope)).toMatchObject({
      kind: 'fault',
      fault: { summary, start },
    });
  });

  it('are unknown when a part is', () =>
    expect(compileTemplate('a ${u}').evaluate(scope)).toMatchObject({ kind: 'unknown' }));
});

it('checks types in what is not taken too', () => {
  const types = new TypeChecker({ var: { s: 'string', 'a-b': 'bool' }, local: 'dyn' });
  expect(types.check('true ? "a" : var.s + 1')).toMatchObject({
    code: 'expression-type',
    start: 13,
    end: 22,
  });
  expect(types.check('true ? "a" : var.s + 1')).toMatchObject({ start: 13 });
  expect(types.check('!var["a-b"] && local.x > 1')).toBeUndefined();
  expect(types.check('true ? "a" : null')).toBeUndefined();
  expect(types.check('nope + var.q')).toBeUndefined();
  expect(types.check('1 +')).toMatchObject({ start: 3, end: 4 });
});

it.each<[string, boolean]>([
  ['var.m.transformMap(k, v, v + 1)', true],
  ['var.m.transformMap(k, v, v != 1, k + "x")', true],
  ['var.l.exists(i, v, v == "a") && var.m.all(k, v, v != "")', true],
  ['var.l.transformList(i, v, "a" + 1)', false],
  ['var.l.transformList(i, v, 1 == "a", v)', false],
  ['(1 + "a").transformList(i, v, v)', false],
])('checks the types in a loop with two variables: %s', (text, isSound) => {
  const types = new TypeChecker({ var: { m: 'map<string, dyn>', l: 'list<string>' } });
  expect(types.check(text) === undefined).toBe(isSound);
});

describe('deferred values', () => {
  const source: SourceRange = { file: 'a.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
  const expression = (
    text: string,
    names: [string[], DeferredValue][] = [],
    isTemplate = false,
  ): DeferredValue => {
    return { kind: 'expression', text, isTemplate, source, references: [], names, prefix: '' };
  };
  const projectsOf = (prefix: string) =>
    makeProjectNames(
      [
        { address: 'projects.p', values: { name: 'p' } },
        { address: 'projects.p.vms.web[0]', values: { name: 'web-0', id: new Unknown('id') } },
        { address: 'projects.p.vms.app["a b"]', values: { name: 'app' } },
        { address: 'projects.p.publicIps.e', values: {} },
        { address: 'modules.m.projects.q', values: { name: 'q' } },
      ],
      prefix,
    );

  it.each<[DeferredValue, unknown]>(
    // prettier-ignore
    [
      [{ kind: 'value', value: 1 }, { kind: 'value', value: 1 }],
      [expression('projects.p.vms.app["a b"].name + projects.p.vms.web[0].name'), { kind: 'value', value: 'appweb-0' }],
      [expression('x ${local.a} ${projects.p.name}', [[['local', 'a'], expression('projects.p.name')]], true), { kind: 'value', value: 'x p p' }],
      [expression('local.a', [[['local', 'a'], expression('projects.p.vms.web[0].id')]]), { kind: 'unknown' }],
      [expression('true || local.a', [[['local', 'a'], expression('nope')]]), { kind: 'value', value: true }],
      [{ kind: 'list', items: [expression('1 + 1'), { kind: 'value', value: 'a' }] }, { kind: 'value', value: [2, 'a'] }],
      [{ kind: 'map', entries: { a: expression('after.n') } }, { kind: 'value', value: { a: 5 } }],
      [{ kind: 'list', items: [expression('nope')] }, { kind: 'fault' }],
      [expression('size(projects.p.publicIps.e)'), { kind: 'value', value: 0 }],
      [expression('size(projects)'), { kind: 'value', value: 1 }],
    ],
  )('%#', (deferred, outcome) => {
    expect(evaluateDeferred(deferred, { projectsOf, names: { after: { n: 5 } } })).toMatchObject(
      outcome as object,
    );
  });

  it('are of one module', () => {
    const deferred: DeferredValue = {
      ...(expression('projects.q.name') as DeferredValue & { kind: 'expression' }),
      prefix: 'modules.m.',
    };
    expect(evaluateDeferred(deferred, { projectsOf })).toEqual({ kind: 'value', value: 'q' });
  });

  it('are unknown where a part of a list or a map is', () => {
    const unknown = expression('projects.p.vms.web[0].id');
    for (const deferred of [
      { kind: 'list' as const, items: [unknown] },
      { kind: 'map' as const, entries: { a: unknown } },
    ]) {
      expect(evaluateDeferred(deferred, { projectsOf })).toMatchObject({ kind: 'unknown' });
    }
    const nothing: DeferredValue = { kind: 'map', entries: { a: { kind: 'value', value: null } } };
    expect(evaluateDeferred(nothing, { projectsOf })).toEqual({
      kind: 'value',
      value: { a: null },
    });
  });

  it('gather names, numbers as lists', () => {
    const trie = new NameTrie();
    trie.put(['a', 1], 'x');
    const tree = trie.toTree('');
    expect(tree.get('a')).toEqual([null, 'x']);
    expect(tree.get('b')).toBeUndefined();
    expect(tree.keys()).toEqual(['a']);
  });
});
