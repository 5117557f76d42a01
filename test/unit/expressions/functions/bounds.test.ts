// What a stranger's configuration may cost: each of these ends soon, with a diagnostic.
import { expect, it } from 'vitest';
import { compileExpression } from '../../../../src/expressions/evaluate/compile-expression.ts';
import { NameTree } from '../../../../src/expressions/values/scope.ts';

const big = 'a '.repeat(450_000);
const names = NameTree.of('', {
  big,
  letters: 'a'.repeat(20_000),
  marks: `e${'\u0301'.repeat(200_000)}`,
  many: Array.from({ length: 50_000 }, (_, index) => index),
  deep: '['.repeat(400_000) + ']'.repeat(400_000),
  columns: Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(),
});

const tooLong = 'The expression takes too long to evaluate';
const longList = 'The expression makes a list that is too long';
const longText = 'The expression makes a text that is too long';

it.each([
  ['range(1000000000)', longList],
  ['range(0, 1, 0.000000001)', longList],
  ['setProduct(many, many)', longList],
  ['setProduct(many, many, many, many, many, many, many, many)', longList],
  ['many.map(i, many)', 'The expression makes a value that is too large'],
  ['split("", big)', longList],
  ['regexAll("", big)', tooLong],
  ['regexAll("a*b|", letters)', tooLong],
  ['replace(letters, "/a*b|/", "x")', tooLong],
  ['many.map(i, regexAll("a{900}" + string(i), "x"))', tooLong],
  ['indent(999999999, "a")', longText],
  ['formatList("%1000d", many)', longText],
  ['format("%999999d", 1)', 'format() makes places of at most 1000 characters'],
  ['base64Encode(big + "aaaaaa")', longText],
  ['jsonEncode(many.map(i, big))', tooLong],
  ['yamlEncode(many.map(i, big))', tooLong],
  ['distinct(many.map(i, big))', tooLong],
  ['sort(many.map(i, big))', tooLong],
  ['join("", many.map(i, big))', tooLong],
  ['many.map(i, sha256(big))', tooLong],
  ['jsonDecode(deep)', 'The expression is nested too deeply'],
  ['yamlDecode(deep)', tooLong],
  ['csvDecode(columns + "\\n" + columns)', longText],
  ['parseInt(letters, 62)', 'parseInt() was given a number that is too large'],
  ['timeAdd("2026-01-01T00:00:00Z", letters)', 'timeAdd() takes a duration as its second argument'],
  ['try(range(1000000000), 1)', longList],
  ['can(range(1000000000))', longList],
])('%s', (text, summary) => {
  expect(compileExpression(text).evaluate(names)).toMatchObject({ fault: { summary } });
});

it('reads long texts in a time that grows with their length', () => {
  const evaluate = (text: string) => compileExpression(text).evaluate(names);
  expect(evaluate('substr(big, -3, 2)')).toMatchObject({ value: ' a' });
  expect(evaluate('substr(marks, 1, 1)')).toMatchObject({ kind: 'value' });
  expect(evaluate('size(csvDecode(columns))')).toMatchObject({ value: 0 });
});
