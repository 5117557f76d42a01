import { escapeText } from './escape.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * One line of foreign text, safe between tags and within the quotes of an attribute. What would turn the reading
 * direction or is not to be seen stands as its number, as it does on a terminal.
 */
export function escapeMarkup(text: string): string {
  return escapeText(text).replace(/[&<>"']/g, (one) => entities[one] ?? one);
}
