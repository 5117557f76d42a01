import { createHtmlTemplate } from '../../model/text/html-template.ts';

export type { Html } from '../../model/text/html-template.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template of markup for the pages of the sandbox. */
export const html = createHtmlTemplate((text) =>
  text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char),
);
