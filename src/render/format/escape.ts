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

/** Escapes control characters in one line of text from outside (`\u001b` for ESC), so that it is safe to print. */
export function escapeUntrustedText(text: string): string {
  return replaceUnsafeCharacters(text, spellEscapedCharacter);
}

/** Escapes text from outside line by line, so that it is safe to print: line ends stay, and each line is indented. */
export function escapeUntrustedLines(text: string, indent = ''): string {
  return text
    .split('\n')
    .map((line) => indent + escapeUntrustedText(line))
    .join('\n');
}

/** Replaces each lone half of a surrogate pair by U+FFFD, since UTF-8 cannot encode such a half. */
export function replaceLoneSurrogates(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

/** Puts a string into double quotes with JSON's escapes, so that it is safe to print. */
export function quoteText(text: string): string {
  return formatValueAsJsonLine(text);
}

/** Writes a value as JSON on one line, with control characters escaped. */
export function formatValueAsJsonLine(value: Value): string {
  return escapeUntrustedText(JSON.stringify(value));
}

/** Formats a value as JSON that is safe to print, with `indent` spaces a level; on one line where no indent is given. */
export function formatPrintableJson(value: unknown, indent?: number): string {
  return escapeJsonDocument(JSON.stringify(value, null, indent));
}

/** Escapes unsafe characters in a JSON document, which keeps its meaning. */
export function escapeJsonDocument(text: string): string {
  return replaceUnsafeCharacters(text, escapeUnits, 'lines');
}

/** Start of a line that CI systems take for a command (`::`), whatever blanks stand before it. */
const commandLine = /^([^\S\n]*):(?=:)/gm;

/**
 * Makes all text safe that is written to a stream, as a last resort: escapes unsafe characters, and a `::` at the
 * beginning of a line, which CI systems would take for a command. JSON keeps its meaning.
 */
export function escapeStreamOutput(text: string): string {
  return escapeJsonDocument(text).replace(commandLine, String.raw`$1\u003a`);
}

/** Matches every character that is not surely harmless in a terminal. */
const special = /[^A-Za-z0-9 .,:/()-]/gu;

/** Formats text from outside as inline code of Markdown, in which no character has a special meaning. */
export function formatMarkdownInlineCode(text: string): string {
  const safe = escapeUntrustedText(text).replace(
    special,
    (character) => `&#${String(character.codePointAt(0))};`,
  );
  return `<code>${safe}</code>`;
}
