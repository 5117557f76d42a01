// Markup: reports and the pages of the sandbox and of the server are made with this one template.
import { html as fill, raw } from 'hono/html';
import { replaceUnsafeCharacters, spellEscapedCharacter } from './unsafe-text.ts';

/** Markup in which all foreign text is escaped, so that a page can hold it. */
export interface SafeHtml {
  readonly markup: string;
}

/** A part of a template: text, numbers, markup, lists of these; undefined parts leave nothing. */
export type HtmlTemplatePart =
  string | number | false | undefined | SafeHtml | readonly HtmlTemplatePart[];

/**
 * A template of markup. Names, reasons and addresses come from strangers: a text is one line, safe between tags and within
 * the quotes of an attribute. What would turn the reading direction or is not to be seen stands as its number, as it does
 * on a terminal.
 */
export function html(
  strings: TemplateStringsArray,
  ...parts: readonly HtmlTemplatePart[]
): SafeHtml {
  // No part of the template is a promise, so that the result is none either.
  const filled = fill(strings, ...parts.map(prepare)) as ReturnType<typeof raw>;
  return { markup: filled.toString() };
}

function prepare(part: HtmlTemplatePart): unknown {
  if (typeof part === 'string') return replaceUnsafeCharacters(part, spellEscapedCharacter);
  if (typeof part !== 'object') return part;
  return 'markup' in part ? raw(part.markup) : part.map(prepare);
}

/** Empty markup, for a part of a page that is left out. */
export const emptyHtml: SafeHtml = { markup: '' };

/** Joins pieces of markup with a separator, which is markup itself. */
export function joinHtml(pieces: readonly SafeHtml[], separator: string): SafeHtml {
  return { markup: pieces.map(({ markup }) => markup).join(separator) };
}

/** Escapes a text of several lines and keeps its line breaks in the page. */
export function renderHtmlLines(text: string): SafeHtml {
  return joinHtml(
    text.split('\n').map((line) => html`${line}`),
    '\n',
  );
}

/** Escapes a line of foreign text for HTML or XML. */
export function escapeMarkup(text: string): string {
  return html`${text}`.markup;
}
