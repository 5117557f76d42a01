import { expect, test } from 'vitest';
import { html } from '../../../../src/sandbox/pages/html.ts';

test.each([
  ['<b>&"\'', '&lt;b&gt;&amp;&quot;&#39;'],
  // A name that reads the other way round, one with a character that nobody sees, and one that is fine.
  ['web\u202egnp', 'web\\u{202e}gnp'],
  ['a\u200bb', 'a\\u{200b}b'],
  ['Grüße 🚀 日本', 'Grüße 🚀 日本'],
  ['two\nlines', 'two\nlines'],
])('%j in a page of the sandbox', (text, expected) => {
  expect(html`<i title="${text}">${text}</i>`.markup).toBe(
    `<i title="${expected}">${expected}</i>`,
  );
});
