import { expect, test } from 'vitest';
import { html, renderHtmlLines, joinHtml } from '../../../../src/model/text/html.ts';

test.each([
  ['<b>&"\'', '&lt;b&gt;&amp;&quot;&#39;'],
  // A name that reads the other way round, one with a character that nobody sees, and one that is fine.
  ['web\u202egnp', 'web\\u202egnp'],
  ['a\u200bb', 'a\\u200bb'],
  ['Grüße 🚀 日本', 'Grüße 🚀 日本'],
  ['two\nlines', 'two\\u000alines'],
])('%j in a page', (text, expected) => {
  expect(html`<i title="${text}">${text}</i>`.markup).toBe(
    `<i title="${expected}">${expected}</i>`,
  );
});

test('markup stands as it is, lists without a separator, and nothing for what there is not', () => {
  const item = html`<b>${'<'}</b>`;
  expect(html`${[item, ['&', 1]]}${undefined}${false}${0}`.markup).toBe('<b>&lt;</b>&amp;10');
  expect(joinHtml([item, item], ', ').markup).toBe('<b>&lt;</b>, <b>&lt;</b>');
});

test('text of several lines keeps their ends alone', () => {
  expect(renderHtmlLines('a<\nb\u202e').markup).toBe('a&lt;\nb\\u202e');
});
