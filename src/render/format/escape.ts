// Escaping of foreign text, from the account or from a file, before it is drawn: a name may hold escape sequences, line
// breaks, marks that turn the reading direction, or invisible characters.
import { replaceUnsafeCharacters, spellEscapedCharacter } from '../../model/text/unsafe-text.ts';
import type { Value } from '../../model/value.ts';

/** A character as JSON escapes of its UTF-16 units: `\u200b`, `\udb40\udc41`. */
function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** One line of foreign text, safe to print: control characters become `\u001b`. */
export function escapeForeignText(text: string): string {
  return replaceUnsafeCharacters(text, spellEscapedCharacter);
}

/** Foreign text of several lines, safe to print: its line ends stay, and each line is indented. */
export function escapeForeignLines(text: string, indent = ''): string {
  return text
    .split('\n')
    .map((line) => indent + escapeForeignText(line))
    .join('\n');
}

/** The text with U+FFFD in place of each half of a surrogate pair, which UTF-8 cannot encode. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

/** A string in double quotes with JSON's escapes, safe to print. */
export function quoteText(text: string): string {
  return quoteValue(text);
}

/** Writes a value as JSON on one line, with control characters escaped. */
export function quoteValue(value: Value): string {
  return escapeForeignText(JSON.stringify(value));
}

/** A value as JSON that can be printed; `indent` in spaces, all on one line unless given. */
export function formatJson(value: unknown, indent?: number): string {
  return escapeJsonDocument(JSON.stringify(value, null, indent));
}

/** A document of JSON with the same meaning that can be printed. */
export function escapeJsonDocument(text: string): string {
  return replaceUnsafeCharacters(text, escapeUnits, 'lines');
}

/** Start of a line that CI systems take for a command (`::`), whatever blanks stand before it. */
const commandLine = /^([^\S\n]*):(?=:)/gm;

/**
 * Makes everything that goes to a stream safe, as a last resort and for patterns that only a whole line shows: no
 * unsafe character passes, and no line begins with `::`. JSON keeps its meaning.
 */
export function escapeStreamOutput(text: string): string {
  return escapeJsonDocument(text).replace(commandLine, String.raw`$1\u003a`);
}

/** Matches every character that is not surely harmless in a terminal. */
const special = /[^A-Za-z0-9 .,:/()-]/gu;

/** Foreign text in the midst of Markdown: as code, in which no character has a special meaning. */
export function formatInlineCode(text: string): string {
  const safe = escapeForeignText(text).replace(
    special,
    (character) => `&#${String(character.codePointAt(0))};`,
  );
  return `<code>${safe}</code>`;
}
