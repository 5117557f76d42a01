import { escapeForeignText } from './escape.ts';

/**
 * A text in single quotes, which keep everything as it is in each shell; a quote within the text ends them for a
 * moment.
 */
function singleQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * An argument to be pasted into a shell; quoted where it needs to be, with the escapes of `$'…'` for invisible
 * characters.
 */
export function quoteForShell(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (escapeForeignText(text) === text) return singleQuote(text);
  return `$'${escapeForeignText(text.replace(/[\\']/g, String.raw`\$&`))}'`;
}
