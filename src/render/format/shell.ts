import { escapeUntrustedText } from './escape.ts';

/**
 * A text in single quotes, which keep everything as it is in each shell; a quote within the text ends them for a
 * moment.
 */
function singleQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a command-line argument for a shell where it needs quotes; invisible characters get the escapes of `$'…'`. */
export function quoteForShell(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (escapeUntrustedText(text) === text) return singleQuote(text);
  return `$'${escapeUntrustedText(text.replace(/[\\']/g, String.raw`\$&`))}'`;
}
