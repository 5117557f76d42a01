// Which words of two values differ, and how that is shown: in colour, in the page, and not at all without colours.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { renderPlanHtml } from '../../../../src/render/html/report.ts';
import { renderPlanText } from '../../../../src/render/text/text.ts';
import { markChangedWords, type MarkedLinePiece } from '../../../../src/render/view/word-marks.ts';
import { makeChange, makePlan } from '../sample-plan.ts';

const draw = (spans: readonly MarkedLinePiece[]) =>
  spans.map(({ text, isDifferent }) => (isDifferent ? `{${text}}` : text)).join('');

test.each([
  ['ubuntu-24.04', 'ubuntu-26.04', 'ubuntu-{24}.04', 'ubuntu-{26}.04'],
  ['a b', 'a new b', 'a b', 'a {new }b'],
  ['web-1', 'web-1', 'web-1', 'web-1'],
  ['', 'web', '', 'web'],
  // With nothing in common, all of it would be marked.
  ['running', 'stopped', 'running', 'stopped'],
  ['a-b', 'c-d', 'a-b', 'c-d'],
  [`x ${'y'.repeat(2_000)}`, 'x z', `x ${'y'.repeat(2_000)}`, 'x z'],
])('%j -> %j', (before, after, marked, other) => {
  const found = markChangedWords(before, after);
  expect([draw(found.before), draw(found.after)]).toEqual([marked, other]);
});

test('whatever two lines are, the pieces are the lines', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      const { before, after } = markChangedWords(a, b);
      const join = (spans: readonly MarkedLinePiece[]) => spans.map(({ text }) => text).join('');
      return join(before) === a && join(after) === b;
    }),
  ));

const changed = (before: string, after: string) =>
  makePlan([
    makeChange({
      ...{ action: 'update' as const, before: { note: before }, after: { note: after } },
      fields: [{ name: 'note', effect: 'update' }],
    }),
  ]);
const drawText = (before: string, after: string, hasColor: boolean) =>
  renderPlanText(changed(before, after), { columns: 80, style: createAnsiStyle(hasColor) });

test('text has the marks in colour alone', () => {
  expect(drawText('web-1', 'web-2', false)).toContain('note = "web-1" -> "web-2"\n');
  expect(drawText('web-1', 'web-2', true)).toContain(
    '"web-\u001b[31m1\u001b[39m" \u001b[33m->\u001b[39m "web-\u001b[32m2\u001b[39m"\n',
  );
  const lines = drawText('one\ntwo 1\nthree', 'one\ntwo 2\nthree', true);
  expect(lines).toContain('two \u001b[31m1\u001b[39m\n');
  expect(lines).toContain('two \u001b[32m2\u001b[39m\n');
});

test('the page has them as marks, with what they hold escaped', () => {
  const html = renderPlanHtml(changed('a <b>', 'a <i>'), {
    ...{ version: '0', plannedAt: 0, hashOf: () => '' },
  });
  expect(html).toContain(
    '<td class="old">&quot;a &lt;<mark>b</mark>&gt;&quot;</td><td class="new">&quot;a &lt;<mark>i</mark>&gt;&quot;</td>',
  );
});

const replaced = (effect: 'replace' | undefined) =>
  makePlan([
    makeChange({
      action: 'replace',
      before: { cpu: 2, internalIp: '10.0.0.2', networks: ['a'], size: 's' },
      after: { cpu: 4, networks: ['b'], size: effect ? 'm' : 's' },
      unknown: ['id', 'internalIp'],
      fields: effect ? [{ name: 'size', effect }] : [],
    }),
  ]);

test('what follows from a field that forces a replacement stands in one sentence', () => {
  const draw = (plan: Plan) =>
    renderPlanText(plan, { columns: 120, style: createAnsiStyle(false) });
  const all = 'cpu (2 -> 4), id (was "vm-1"), internalIp (was "10.0.0.2") and networks';
  expect(draw(replaced('replace'))).toContain(
    `      ~ size = "s" -> "m" # forces replacement\n        # size forces replacement, so ${all} change\n    }\n`,
  );
  expect(draw(replaced(undefined))).toContain(`        # the replacement changes ${all}\n`);
  const verbose = { columns: 120, style: createAnsiStyle(false), isVerbose: true };
  expect(renderPlanText(replaced('replace'), verbose)).toContain('~ cpu        = 2 -> 4\n');
});

test('a list of few values stands on one line while all of it comes, goes or stays', () => {
  const draw = (networks: readonly string[]) =>
    renderPlanText(
      makePlan([makeChange({ action: 'create', before: null, after: { networks } })]),
      { ...{ columns: 80, style: createAnsiStyle(false) } },
    );
  expect(draw(['a', 'b'])).toContain('+ networks = ["a", "b"]\n');
  const long = ['a'.repeat(30), 'b'.repeat(40)];
  expect(draw(long)).toContain(`+ networks = [\n          + "${long[0] ?? ''}",\n`);
});
