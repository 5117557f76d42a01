import { expect, test } from 'vitest';
import { EvaluationBudget } from '../../../src/expressions/values/budget.ts';
import { ProjectedScope } from '../../../src/expressions/deferred/projected-scope.ts';
import { expressionOf } from '../../support/defer.ts';

const loop = expressionOf('[1, 2, 3].map(a, [1, 2, 3].map(b, a + b))', []);

test('what a plan works out is taken from the budget of the whole run', () => {
  const steps = new EvaluationBudget(150);
  const first = new ProjectedScope(() => [], [], steps).evaluate(loop);
  expect(first.outcome.kind).toBe('value');
  const second = new ProjectedScope(() => [], [], steps).evaluate(loop);
  expect(second.outcome).toMatchObject({
    kind: 'fault',
    fault: {
      code: 'expression-too-costly',
      summary: 'The expressions of this run take too long to evaluate together',
    },
  });
});

const digits = '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]';
const repeat = (core: string) =>
  ['v', 'w', 'x', 'y'].reduce((inner, name) => `${digits}.map(${name}, ${inner})`, core);
const double = (first: string, made: string, times: number) =>
  Array.from({ length: times }).reduce<string>((all) => `cel.bind(a, ${all}, ${made})`, first);

test.each([
  [
    'large values that are compared',
    `cel.bind(b, ${double('[1, 2, 3, 4]', '[a, a]', 14)}, ${repeat('b == b')})`,
  ],
  ['bytes without end', `cel.bind(b, bytes(${double('"xxxxxxxxxxxxxxxx"', 'a + a', 15)}), b + b)`],
  ['time zones', repeat('timestamp("2026-01-01T00:00:00Z").getFullYear("Europe/Berlin")')],
])('%s cost what they take', (_, text) => {
  const { outcome } = new ProjectedScope(() => []).evaluate(expressionOf(text, []));
  expect(outcome).toMatchObject({ kind: 'fault', fault: { code: 'expression-too-costly' } });
});
