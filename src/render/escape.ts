// What comes from the account or from a file never reaches a terminal raw: a name may hold escape sequences, line
// breaks, or marks that turn the reading direction.
const unsafe = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** One line of foreign text, safe to print: control characters become `\u001b`. */
export function escapeText(text: string): string {
  return text.replace(unsafe, escapeCharacter);
}

/** Foreign text of several lines, safe to print: its line ends stay, and each line is indented. */
export function escapeLines(text: string, indent = ''): string {
  return text
    .split('\n')
    .map((line) => indent + escapeText(line))
    .join('\n');
}

/** A string in double quotes with JSON's escapes, safe to print. */
export function quoteText(text: string): string {
  return JSON.stringify(text).replace(unsafe, escapeCharacter);
}

/** What is no plain letter, digit or harmless mark. */
const special = /[^A-Za-z0-9 .,:/()-]/gu;

/** Foreign text in the midst of Markdown: as code, in which nothing means anything. */
export function inlineCode(text: string): string {
  const safe = text.replace(special, (character) => `&#${String(character.codePointAt(0))};`);
  return `<code>${safe}</code>`;
}
