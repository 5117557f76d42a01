import { expect, it } from 'vitest';
import { suggestExpressionForBareText } from '../../../../src/expressions/evaluate/find-bare-expression.ts';

it.each<[text: string, wrapped: string | undefined]>([
  ['var.name', '${var.name}'],
  [' local.a + 1 ', '${local.a + 1}'],
  ['path.module', '${path.module}'],
  ['path.root', undefined],
  ['var', undefined],
  ['web.example.com', undefined],
  ['var.a +', undefined],
  ['{{ var.name }}-{{ local.b }}', '${var.name}-${local.b}'],
  ['{{ var.name }}-{{ 1 + }}', '${…}'],
  ['{{ var.name', undefined],
  ['%{ if var.a }yes%{ endif }', '${…}'],
  ['upper("a")', '${upper("a")}'],
  ['"a" + "b"', undefined],
  ['templatestring(var.a)', '${…}'],
  ['anything(var.a)', undefined],
  ['file("${path.module}/key.pub")', '${file(…)}'],
  ['anything("${path.module}")', undefined],
  ['${var.name}', undefined],
])('%s is written %s', (text, wrapped) => expect(suggestExpressionForBareText(text)).toBe(wrapped));

it('is none where the name may be that of something else, or the text is long', () => {
  expect(suggestExpressionForBareText('local.example', () => false)).toBeUndefined();
  expect(suggestExpressionForBareText(`upper("${'a'.repeat(100_000)}")`)).toBeUndefined();
});
