import { createHtmlTemplate } from '../../model/text/html-template.ts';
import { replaceUnsafe } from '../../model/text/unsafe-text.ts';

export type { Html } from '../../model/text/html-template.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const writeNumber = (character: string) =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;

/**
 * A template of markup for the pages of the sandbox. What turns the reading direction, or is not to be seen, stands as its number:
 * names are anybody's, and a page must not show another one than there is.
 */
export const html = createHtmlTemplate((text) =>
  replaceUnsafe(text, writeNumber, 'lines').replaceAll(
    /[&<>"']/g,
    (char) => entities[char] ?? char,
  ),
);
