// Parts of foreign text that are escaped in every medium: the one list, for terminals, logs, pages and files alike.

/**
 * Characters that a terminal obeys, that nobody sees, or that are no text: controls, marks of direction, joiners, fillers,
 * tags, variation selectors, separators of lines, lone surrogates, noncharacters, and the Braille cell without a dot.
 */
const unsafeCharacter =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;

/**
 * The character that makes a CI system take a part of a log line for a command: `##[error]` (GitHub), `##vso[…]`
 * (Azure), `section_start:` (GitLab). Without that one character it is text.
 */
const commandMark = /(?<=##\w{0,20})\[|(?<=section_(?:start|end)):/g;

/** A plan has megabytes of text, nearly all of it plain: ASCII, Latin letters, lines of boxes, `…`, CJK. Look at the rest. */
const plain = String.raw`\x20-\x7e\xae-\u024f\u2026\u2500-\u257f\u3041-\u3096\u4e00-\u9fff\uac00-\ud7a3`;
const outsideOf = {
  line: new RegExp(`[^${plain}]+`, 'g'),
  lines: new RegExp(String.raw`[^\n\t${plain}]+`, 'g'),
};

/**
 * Replaces every unsafe character, each given as a whole code point.
 * @param shape `lines`: line ends and tabs stay
 */
export function replaceUnsafeCharacters(
  text: string,
  write: (character: string) => string,
  shape: keyof typeof outsideOf = 'line',
): string {
  const shown = text.replace(outsideOf[shape], (run) => run.replace(unsafeCharacter, write));
  return /##|section_/.test(shown) ? shown.replace(commandMark, write) : shown;
}

/** A character as YAML and most languages take it within double quotes: `\u200b`, `\U000e0041`. */
export function spellEscapedCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return code > 0xffff ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
}

/** A name in the midst of a paragraph: its line ends would begin another, in our words for all that anybody could see. */
export function escapeLineEnds(name: string): string {
  return name.replaceAll('\r', String.raw`\r`).replaceAll('\n', String.raw`\n`);
}
