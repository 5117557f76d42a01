import { describe, expect, test } from 'vitest';
import { explainCondition } from '../../../../src/expressions/explain/explain-condition.ts';
import {
  formatCelValue,
  type TraceSensitivity,
} from '../../../../src/expressions/explain/show-value.ts';
import { compileExpression } from '../../../../src/expressions/evaluate/compile-expression.ts';
import { NameTree, Unknown } from '../../../../src/expressions/values/scope.ts';

let isTainted = false;
const trace: TraceSensitivity = (work) => {
  const before = isTainted;
  isTainted = false;
  const value = work();
  const isSensitive = isTainted;
  isTainted ||= before;
  return { value, isSensitive };
};

const vm = (name: string, ram: number) => NameTree.of(`vm ${name}`, { name, ram });
const scope = new NameTree(
  '',
  () => ['vms', 'count', 'id', 'secret', 'texts', 'none', 'map'],
  (name) => {
    if (name === 'secret') isTainted = true;
    const values: Record<string, unknown> = {
      vms: [vm('a', 2), vm('b', 4), vm('c', 8)],
      count: 3,
      id: new Unknown('id'),
      secret: 'hunter2',
      texts: ['x', 'y'],
      none: [],
      map: { a: 1, 'b c': { d: [1, [2, [3]]] } },
    };
    return values[name] as never;
  },
);

const explain = (text: string) =>
  explainCondition(text, scope, trace).map(({ text: shown, value, item }) =>
    [shown, '=', value, ...(item === undefined ? [] : [`(${item})`])].join(' '),
  );

describe('what made a condition false', () => {
  test.each<[string, string[]]>(
    // prettier-ignore
    [
      ['count == 4', ['count = 3']],
      ['4 == count', ['count = 3']],
      ['count + 1 == 5', ['count + 1 = 4']],
      ['size(vms) > 3', ['size(vms) = 3', 'vms = [vm a, vm b, vm c]']],
      ['vms.size() > 3', ['vms.size() = 3', 'vms = [vm a, vm b, vm c]']],
      ['count in [1, 2]', ['count = 3']],
      ['"z" in texts', ['texts = ["x", "y"]']],
      // Of `&&` what is false, of `||` both.
      ['count == 3 && size(texts) == 3', ['size(texts) = 2', 'texts = ["x", "y"]']],
      ['count == 4 || texts[0] == "y"', ['count = 3', 'texts[0] = "x"']],
      ['!(count == 3)', ['count = 3']],
      ['count == 3 ? texts[0] == "y" : false', ['count = 3', 'texts[0] = "x"']],
      ['count == 4 ? true : texts[0] == "y"', ['count = 3', 'texts[0] = "x"']],
      ['texts[0].startsWith("y")', ['texts[0] = "x"']],
      ['bool(string(count == 4))', ['string(count == 4) = "false"']],
      ['count in [-1, 2] || count == -(1)', ['count = 3']],
      [`texts[0] + "${'y'.repeat(90)}" == ""`, [`texts[0] + "${'y'.repeat(68)}… = "x${'y'.repeat(90)}"`]],
      ['has(vms[0].disk)', ['vms[0] = {name: "a", ram: 2}']],
      // Of a loop the items that speak against it.
      ['vms.all(v, v.ram >= 4)', ['vms = [vm a, vm b, vm c]', 'v.ram = 2 (v: vm a)']],
      ['vms.exists(v, v.name == "d")', ['vms = [vm a, vm b, vm c]', 'v.name = "a" (v: vm a)', 'v.name = "b" (v: vm b)', 'v.name = "c" (v: vm c)']],
      ['none.exists(v, v == 1)', ['none = []']],
      ['vms[0].all(k, k == "ram")', ['vms[0] = {name: "a", ram: 2}', 'k = "name" (k: "name")']],
      ['{"a": 1, "b": 2}.all(k, k == "a")', ['{"a": 1, "b": 2} = {a: 1, b: 2}', 'k = "b" (k: "b")']],
      ['texts.exists_one(t, t != "")', ['texts = ["x", "y"]', 't = "x" (t: "x")', 't = "y" (t: "y")']],
      ['vms.filter(v, v.ram > 2).size() == 3', ['vms.filter(v, v.ram > 2).size() = 2', 'vms.filter(v, v.ram > 2) = [vm b, vm c]']],
      // What has no value, and what is not shown.
      ['id == "x"', ['id = (known after apply)']],
      ['secret == "x"', ['secret = (sensitive value)']],
      ['secret + "x" == "y"', ['secret + "x" = (sensitive value)']],
      ['texts[7] == "x"', ['texts[7] = no value: The list has no item 7']],
      ['count ==', []],
    ],
  )('%s', (text, expected) => expect(explain(text)).toEqual(expected));

  test('only so many values are shown', () => {
    const many = Array.from({ length: 40 }, (_, index) => `count == ${index + 10}`).join(' || ');
    expect(explain(many)).toEqual(['count = 3']);
    const loops = Array.from({ length: 9 }, (_, index) => `vms.exists(v, v.ram == ${index + 20})`);
    expect(explain(loops.join(' || ')).length).toBeLessThanOrEqual(12);
  });

  test('an explanation does not change what was read before', () => {
    isTainted = false;
    compileExpression('count == 4').evaluate(scope);
    explain('secret == "x"');
    expect(isTainted).toBe(true);
    isTainted = false;
  });
});

describe('a value in a line', () => {
  test.each<[string, unknown, string]>(
    // prettier-ignore
    [
      ['a text', 'a "b"', '"a \\"b\\""'],
      ['a whole number', 3n, '3'],
      ['another number', 1.5, '1.5'],
      ['true', true, 'true'],
      ['null', null, 'null'],
      ['nothing', undefined, 'null'],
      ['a long list', [1n, 2n, 3n, 4n, 5n, 6n, 7n], '[1, 2, 3, 4, 5, … 2 more]'],
      ['a map', new Map<string, unknown>([['a', 1n], ['b c', []]]), '{a: 1, "b c": []}'],
      ['a map of numbers', new Map([[1n, 'x']]), '{1: "x"}'],
      ['deep lists', [[[[1n]]]], '[[[[…]]]]'],
      ['deep lists of nothing', [[[[], new Map()]]], '[[[[], {}]]]'],
      ['names of nothing', NameTree.of('', { a: undefined as never }), '{a: null}'],
      ['deep maps', new Map([['a', [[new Map([['b', 1n]])]]]]), '{a: [[{…}]]}'],
      ['names', NameTree.of('', { a: NameTree.of('', {}) }), '{a: {}}'],
      ['names with a label', NameTree.of('x', { a: NameTree.of('y', {}) }), '{a: y}'],
      ['a time', new Date(0), '1970-01-01T00:00:00.000Z'],
      ['bytes', new Uint8Array(1), '(another value of CEL)'],
      ['a long text', 'x'.repeat(500), `"${'x'.repeat(159)}…`],
    ],
  )('%s', (_, value, expected) => expect(formatCelValue(value, trace)).toBe(expected));

  test('what is sensitive within another value is not shown', () => {
    const tree = new NameTree(
      'account',
      () => ['name', 'phrase'],
      (key) => {
        if (key === 'phrase') isTainted = true;
        return key === 'phrase' ? 'hunter2' : 'shop';
      },
    );
    expect(formatCelValue(tree, trace)).toBe('{name: "shop", phrase: (sensitive value)}');
  });
});
