/** Markup that may stand in a page as it is. */
export interface Html {
  readonly markup: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Part = string | number | Html | readonly Html[];

function toMarkup(part: Part): string {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string')
    return part.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

/** A template of markup: every value in it is escaped, unless it is markup itself. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const markup = strings
    .map((text, index) => text + (index < parts.length ? toMarkup(parts[index] ?? '') : ''))
    .join('');
  return { markup };
}
