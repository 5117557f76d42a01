// Which parts of foreign text no medium gets as they are: the one list, for terminals, logs, pages and files alike.

/**
 * Characters that a terminal obeys, that nobody sees, or that are no text: controls, marks of direction, joiners, fillers,
 * tags, variation selectors, separators of lines, lone surrogates, noncharacters, and the Braille cell without a dot.
 */
const unsafeCharacter =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;

/**
 * What a CI system takes for a command wherever it stands in a line of a log: `##[error]` (GitHub), `##vso[…]` (Azure),
 * `section_start:` (GitLab). Without this one character it is text.
 */
const commandMark = /(?<=##\w{0,20})\[|(?<=section_(?:start|end)):/g;

/** Nearly all text is plain ASCII, and a plan has megabytes of it: look closer only at what is not. */
const outsideOf = {
  line: { suspicious: /[^\x20-\x7e]|##|section_/, run: /[^\x20-\x7e]+/g },
  lines: { suspicious: /[^\n\t\x20-\x7e]|##|section_/, run: /[^\n\t\x20-\x7e]+/g },
};

/**
 * Replaces every unsafe character, each given as a whole code point.
 * @param shape `lines`: line ends and tabs stay
 */
export function replaceUnsafe(
  text: string,
  write: (character: string) => string,
  shape: keyof typeof outsideOf = 'line',
): string {
  const { suspicious, run } = outsideOf[shape];
  if (!suspicious.test(text)) return text;
  return text
    .replace(run, (found) => found.replace(unsafeCharacter, write))
    .replace(commandMark, write);
}

/** A name in the midst of a paragraph: its line ends would begin another, in our words for all that anybody could see. */
export function toOneLine(name: string): string {
  return name.replaceAll('\r', String.raw`\r`).replaceAll('\n', String.raw`\n`);
}
