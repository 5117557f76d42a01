import { describe, expect, it } from 'vitest';
import { EvaluationBudget } from '../../../../src/expressions/values/budget.ts';
import { compileExpression } from '../../../../src/expressions/evaluate/compile-expression.ts';
import { FunctionError } from '../../../../src/expressions/parse/expression-fault.ts';
import { formatReference } from '../../../../src/expressions/parse/references.ts';
import { NameTree, Unknown } from '../../../../src/expressions/values/scope.ts';

const vm = NameTree.of('vm', { name: 'web', id: new Unknown('vm.id'), tag: null });
const scope = NameTree.of('', {
  var: NameTree.of('var', {
    env: 'prod',
    n: 3,
    d: 2.5,
    l: ['a', 'b'],
    m: { 'a-b': 1, constructor: 2 },
    'x-y': 5,
    none: {},
  }),
  vms: [vm, vm],
  vm,
  u: new Unknown('u.x'),
  known: new NameTree(
    'known',
    () => ['name', 'tag'],
    (key) => (key === 'name' ? 'a' : key === 'tag' ? null : undefined),
  ),
  order: { b: 3, a: 0, '9': 2, '10': 1 },
  mixed: { a: new Unknown('m.a'), b: 1 },
});

function evaluate(text: string): unknown {
  const functions = {
    host: (value?: unknown) => String(value).length + 2,
    fails: () => {
      throw new FunctionError('No', 'Really.');
    },
  };
  const outcome = compileExpression(text).evaluate(scope, { functions });
  if (outcome.kind === 'unknown') return `unknown ${outcome.unknown.reference}`;
  if (outcome.kind === 'value') return outcome.value;
  const { code, start, end } = outcome.fault;
  return `${code} ${start}-${end}`;
}

it.each<[string, unknown]>([
  ['var.env + "!"', 'prod!'],
  ['var.n + 1', 4],
  ['var.d * 2.0', 5],
  ['-var.n', -3],
  ['[3 / 2, 4 / 2, -7 / 2, var.n / 2, 3.0 / 2]', [1.5, 2, -3.5, 1.5, 1.5]],
  [
    '[7 / 2 == 3.5, 3.5 == 7 / 2, 7 / 2 != 3.5, 1 == 1.0, 1.5 == 1]',
    [true, true, false, true, false],
  ],
  ['9007199254740993 == 9007199254740992.0', false],
  [
    '[type(1) == int, type("a") == string, type(1.5) == int, type(var.l) == list]',
    [true, true, false, true],
  ],
  ['[type(null) == null_type, type(u.x) == type(1)]', 'unknown u.x'],
  [
    'string(timestamp("2020-01-01T00:00:00Z")) + string(duration("90m"))',
    '2020-01-01T00:00:00Z5400s',
  ],
  ['string(timestamp("2020-01-01T00:00:00.120Z"))', '2020-01-01T00:00:00.120Z'],
  ['type(1)', 'expression-type 0-7'],
  ['[ceil(3 / 2), floor(3 / 2), int(7 / 2)]', [2, 1, 3]],
  ['var.l[4 / 4] + var.l[0 / 3]', 'ba'],
  ['var.l[1 / 2]', 'expression-type 5-12'],
  ['1 / 0', 'expression-failed 0-5'],
  ['!(var.n > 2)', false],
  ['var.l + ["c"]', ['a', 'b', 'c']],
  ['[vm == null, null == vm, vm != null, null != mixed]', [false, false, true, true]],
  ['[vms == null, vm.tag == null, null == null, var.m != null]', [false, true, true, true]],
  ['vm.id == null', 'unknown vm.id'],
  ['null != u', 'unknown u.x'],
  ['vm == {}', 'unknown vm.id'],
  ['vm == null || vm.name == "web"', true],
  ['var.m["a-b"] + var.m.constructor', 3],
  ['var.l[1]', 'b'],
  ['[1, 2.5, "x", null, true]', [1, 2.5, 'x', null, true]],
  ['{"a": {1: 2}}', { a: { 1: 2 } }],
  ['"a" in var.l && !("q" in var.m)', true],
  ['var.n > 2 ? var.env : 1', 'prod'],
  ['size(var.l) + size("é") + size(var.m) + size(var)', 12],
  ['string(1) + string(2.5) + var.env.substring(0, 2)', '12.5pr'],
  ['duration("90s")', '90s'],
  ['timestamp("2026-01-02T03:04:05Z")', '2026-01-02T03:04:05.000Z'],
  ['5u + 1u', 6],
  ['vm.name', 'web'],
  ['known', { name: 'a', tag: null }],
  ['[known, 1] == [known, 1]', true],
  ['{"k": known}.k.name', 'a'],
  ['fails()', 'expression-failed 0-7'],
  ['host("x") + 1', 4],
  ['size(vms)', 2],
  ['vms[1].name', 'web'],
  ['mixed.b', 1],
  ['r"a\\b".size()', 3],
  ['"""a"b"""', 'a"b'],
])('values: %s', (text, value) => expect(evaluate(text)).toEqual(value));

describe('what is unknown stays in its place', () => {
  it.each<[string, unknown]>([
    ['size([u, 1]) + size(mixed) + size({"a": u})', 5],
    ['[u, 1][1]', 1],
    ['{"a": u, "b": 2}.b', 2],
    ['keys(mixed)', ['a', 'b']],
    ['values(mixed)[1]', 1],
    ['values(mixed)[0]', 'unknown m.a'],
    ['values({"x": vm, "y": vm}).map(v, v.name)', ['web', 'web']],
    ['lookup(mixed, "b") + lookup(mixed, "c", 1)', 2],
    ['lookup(mixed, u)', 'unknown u.x'],
    ['merge(mixed, {"a": 2})', { a: 2, b: 1 }],
    ['merge(mixed, {"c": 2}).b', 1],
    ['merge([mixed, u])', 'unknown u.x'],
    ['zipMap(["a", "b"], [u, 2]).b', 2],
    ['zipMap([u, "b"], [1, 2])', 'unknown u.x'],
    ['concat([u], [2])[1]', 2],
    ['([u] + [2])[1]', 2],
    ['reverse([u, 2])[0]', 2],
    ['size(chunk([u, 2, 3], 2))', 2],
    ['one([u])', 'unknown u.x'],
    // What is unknown may be a list.
    ['flatten([[u], [1]])', 'unknown u.x'],
    ['size(setProduct([u, 2], ["a", "b"]))', 4],
    ['"a" in mixed && !("z" in mixed) && "b" in {"b": u}', true],
    ['1 in [u, 1]', true],
    ['2 in [u, 1]', 'unknown u.x'],
    ['contains([u, 1], 1)', true],
    ['contains([u, 1], 2)', 'unknown u.x'],
    ['[u, 1].map(v, 2)', [2, 2]],
    ['vms.map(v, {"name": v.name, "id": v.id}).map(v, v.name)', ['web', 'web']],
    ['mixed.transformMap(k, v, k)', { a: 'a', b: 'b' }],
    ['mixed.transformMap(k, v, k == "b", v)', { b: 1 }],
    ['[u, 1].filter(v, v == 1)', 'unknown u.x'],
    ['coalesce([u, 1], [2])[1]', 1],
    ['try([u, 1], [2])[1]', 1],
    ['can([u])', 'unknown u.x'],
    // What looks at every item needs them all.
    ['join(",", [u, "a"])', 'unknown u.x'],
    ['jsonEncode(mixed)', 'unknown m.a'],
    ['distinct([u, 1])', 'unknown u.x'],
    ['[u, 1] == [2, 1]', 'unknown u.x'],
    ['[u, 1]', 'unknown u.x'],
  ])('%s', (text, value) => expect(evaluate(text)).toEqual(value));

  it('beside what is known, in the value as a whole', () => {
    const made = compileExpression('{"ids": vms.map(v, v.id), "n": size(vms)}').evaluate(scope);
    const id = new Unknown('vm.id');
    expect(made).toEqual({ kind: 'unknown', unknown: id, value: { ids: [id, id], n: 2 } });
  });
});

it.each<[string, unknown]>([
  ['var.l.map(v, v + "x")', ['ax', 'bx']],
  ['var.l.map(v, v != "a", v + "x")', ['bx']],
  ['var.l.filter(v, v > "a")', ['b']],
  ['var.l.all(v, v != "c")', true],
  ['var.l.all(v, v != "a")', false],
  ['var.l.exists(v, v == "b")', true],
  ['var.l.exists(v, v == "c")', false],
  ['var.l.exists_one(v, v == "b")', true],
  ['var.l.exists(v, v == "b" || int(v) > 1)', true],
  ['[1, 0].exists(v, 1 / v == 1)', true],
  ['[0].exists(v, 1 / v == 1)', 'expression-failed 14-19'],
  ['[1].map(a, [2].map(b, a + b))', [[3]]],
  ['var.m.map(k, k)', ['a-b', 'constructor']],
  ['vms.map(v, v.name)', ['web', 'web']],
  ['vm.map(v, v)', ['id', 'name', 'tag']],
  ['{"b": 1, "a": 2}.map(k, k) == keys({"b": 1, "a": 2})', true],
  ['zipMap(keys(order), order.map(k, order[k])) == order', true],
  ['order.filter(k, order[k] > 1)', ['9', 'b']],
  ['{10: "x", 9: "y"}.map(k, k)', [9, 10]],
  ['order.transformList(k, v, k + string(v))', ['101', '92', 'a0', 'b3']],
  ['order.transformList(k, v, v > 1, v)', [2, 3]],
  ['order.transformMap(k, v, v + 1)', { 10: 2, 9: 3, a: 1, b: 4 }],
  ['order.transformMap(k, v, k < "b" && v > 0, v)', { 10: 1, 9: 2 }],
  ['var.l.transformList(i, v, string(i) + v)', ['0a', '1b']],
  ['var.l.transformMap(i, v, v)', { 0: 'a', 1: 'b' }],
  ['vm.transformMap(k, v, k == "name", v)', { name: 'web' }],
  ['vm.transformList(k, v, k == "name" ? v : "")', ['', 'web', '']],
  ['order.all(k, v, v < 4) && order.exists(k, v, k == "b" && v == 3)', true],
  ['var.l.exists_one(i, v, i == 1 && v == "b")', true],
  ['[1].map(a, [2].transformList(i, a, a + i))', [[2]]],
  ['var.l.transformMap(v, v)', 'unknown-function 0-24'],
  ['cel.bind(x, var.n, x * x)', 9],
  ['[u].map(v, v)', 'unknown u.x'],
  ['[1].map(v, u)', 'unknown u.x'],
  ['[1].map(v, u, v)', 'unknown u.x'],
  ['[1].all(v, u)', 'unknown u.x'],
  ['[1, 2].all(v, v == 1 ? u : false)', false],
  ['[1].exists_one(v, u)', 'unknown u.x'],
  ['vms.map(v, v.id)', 'unknown vm.id'],
  ['[1].filter(v, v)', 'expression-type 14-15'],
  ['var.n.map(v, v)', 'expression-type 0-5'],
  ['has(var.env) && !has(var.q) && has(var.m.constructor) && !has(var.none.a)', true],
  ['has(vm.name) && !has(vm.tag)', true],
  ['has(vm.id)', 'unknown vm.id'],
  ['has(u.a)', 'unknown u.x'],
  ['has(var.n.a)', false],
  ['has(var["env"])', 'expression-type 4-14'],
])('loops: %s', (text, value) => expect(evaluate(text)).toEqual(value));

it.each<[string, unknown]>([
  ['u', 'unknown u.x'],
  ['u + 1', 'unknown u.x'],
  ['-u', 'unknown u.x'],
  ['u.a.b[0]', 'unknown u.x'],
  ['var.l[u]', 'unknown u.x'],
  ['[1, u]', 'unknown u.x'],
  ['{"a": u}', 'unknown u.x'],
  ['{u: 1}', 'unknown u.x'],
  ['mixed', 'unknown m.a'],
  ['{"k": vm}', 'unknown vm.id'],
  ['{"k": vm} == {"k": vm}', 'unknown vm.id'],
  ['known.gone', 'unknown-name 6-10'],
  ['[mixed]', 'unknown m.a'],
  ['vm', 'unknown vm.id'],
  ['size(u)', 'unknown u.x'],
  ['string(u)', 'unknown u.x'],
  ['u.startsWith("a")', 'unknown u.x'],
  ['u ? 1 : 2', 'unknown u.x'],
  ['u || true', true],
  ['true || u', true],
  ['u && false', false],
  ['false && u', false],
  ['u && true', 'unknown u.x'],
  ['var.n > 2 ? 1 : u', 1],
  ['u || 1 / 0 > 1', 'unknown u.x'],
  ['1 / 0 > 1 && u', 'unknown u.x'],
  ['false || 1 / 0 > 1', 'expression-failed 9-14'],
  ['[0, 1].exists(n, n == 1 ? u : 1 / n > 1)', 'unknown u.x'],
  ['[0, 1].all(n, n == 0 ? u : 1 / 0 > 1)', 'unknown u.x'],
  ['u == 1 / 0', 'expression-failed 5-10'],
  ['u || 1 > "a"', 'expression-type 5-12'],
  ['u && var.nonsuch', 'unknown-name 9-16'],
  ['[1, 2].exists(n, n == 1 ? u : n > "a")', 'expression-type 30-37'],
])('unknowns: %s', (text, value) => expect(evaluate(text)).toEqual(value));

describe('faults', () => {
  it.each<[string, string]>([
    ['', 'broken-expression 0-0'],
    ['1 +', 'broken-expression 3-4'],
    ['"x', 'broken-expression 0-2'],
    ['for', 'broken-expression 0-3'],
    ['a b', 'broken-expression 2-3'],
    ['x'.repeat(20_001), 'broken-expression 0-20001'],
    ['1 + '.repeat(1500) + '1', 'broken-expression'],
    ['!'.repeat(19_000) + 'true', 'expression-too-deep 0-19004'],
    ['nope', 'unknown-name 0-4'],
    ['vAr.env', 'unknown-name 0-3'],
    ['var.nope', 'unknown-name 4-8'],
    ['var.x-y', 'unknown-name 4-5'],
    ['var.m["q"]', 'unknown-name 5-10'],
    ['var[1]', 'unknown-name 3-6'],
    ['var.none.q', 'unknown-name 9-10'],
    ['var.l[2]', 'unknown-name 5-8'],
    ['[][0]', 'unknown-name 2-5'],
    ['var.l["a"]', 'expression-type 5-10'],
    ['var.n.a', 'expression-type 6-7'],
    ['var.env + 1', 'expression-type 0-11'],
    ['!var.n', 'expression-type 0-6'],
    ['-var.env', 'expression-type 0-8'],
    ['var.n ? 1 : 2', 'expression-type 0-5'],
    ['true && var.n', 'expression-type 8-13'],
    ['1 / 0', 'expression-failed 0-5'],
    ['int("x")', 'expression-failed 0-8'],
    ['nope(1)', 'unknown-function 0-7'],
    ['siz(1)', 'unknown-function 0-6'],
    ['var.env.nope()', 'unknown-function 0-14'],
    ['size(1, 2, 3)', 'expression-type 0-13'],
    ['b"abc"', 'expression-type 0-6'],
    ['type(1)', 'expression-type 0-7'],
    ['9007199254740993', 'expression-type 0-16'],
    ['1.0 / 0.0', 'expression-type 0-9'],
  ])('%.40s', (text, fault) => expect(evaluate(text)).toEqual(expect.stringContaining(fault)));

  it('name what was meant', () => {
    const hint = (text: string) => {
      const outcome = compileExpression(text).evaluate(scope);
      return outcome.kind === 'fault' ? outcome.fault.hint : '';
    };
    expect(hint('var.enx')).toBe('Did you mean `env`?');
    expect(hint('var.x-y')).toBe('Write `var["x-y"]` for a key with a `-`.');
    expect(hint('siz(1)')).toBe('Did you mean `size()`?');
    expect(hint('vars.env')).toBe('Did you mean `var`?');
  });
});

describe('cost', () => {
  const numbers = `[${Array.from({ length: 10 }, (_, n) => n).join(', ')}]`;
  const nested = (macro: string) =>
    'abcdefgh'.split('').reduce((inner, name) => `${numbers}.${macro}(${name}, ${inner})`, 'false');

  it.each([
    ['loops in loops', nested('map')],
    ['conditions in conditions', nested('exists')],
    ['texts that double', `["xxxx"]${'.map(v, v + v)'.repeat(25)}`],
    ['lists that double', `[[1, 2]]${'.map(v, v + v)'.repeat(25)}`],
  ])('of %s is bounded', (_name, text) => {
    expect(evaluate(text)).toContain('expression-too-costly');
  });

  it('is shared by all expressions of a budget', () => {
    const all = new EvaluationBudget(50);
    const run = () =>
      compileExpression('1 + 1 + 1 + 1').evaluate(scope, {
        budget: new EvaluationBudget(undefined, all),
      });
    expect(Array.from({ length: 8 }, () => run().kind)).toContain('fault');
  });
});

it('tells what an expression mentions', () => {
  const { references, calls } = compileExpression(
    'projects.shop["a-b"].vms.web[0].name + list[var.i].x + [1].map(v, v + local.x) + format("a", cel.bind(q, path.module, q)) + {var.k: -each.index}.y + f(has(u.w))[1]',
  );
  expect(references.map(formatReference).sort()).toEqual([
    'each.index',
    'list',
    'local.x',
    'path.module',
    'projects.shop["a-b"].vms.web[0].name',
    'u.w',
    'var.i',
    'var.k',
  ]);
  expect(calls.map(({ name }) => name)).toEqual(['format', 'f']);
});
