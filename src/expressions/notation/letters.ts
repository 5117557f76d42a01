// Letters as Unicode's simple mappings have them, one for one: texts keep their length, whatever the language.
import type { EvaluationBudget } from '../values/budget.ts';

/** Converts a letter to upper case; `ß`, which has no single one, stays. */
function raise(letter: string): string {
  const raised = letter.toUpperCase();
  return Array.from(raised).length === 1 ? raised : letter;
}

function lowerOne(letter: string): string {
  const [first = letter] = letter.toLowerCase();
  return first;
}

/** Converts a text to upper case. */
export function toUpperCaseText(text: string): string {
  return Array.from(text, raise).join('');
}

/** Converts a text to lower case. */
export function toLowerCaseText(text: string): string {
  return Array.from(text, lowerOne).join('');
}

/** White space of Unicode; of ASCII everything that is no letter, digit or underscore. */
const separator = /[\p{White_Space}]|[^\w\u0080-\u{10ffff}]/u;

/** Converts the first letter of each word to upper case. */
export function capitalizeWords(text: string): string {
  let isHead = true;
  return Array.from(text, (letter) => {
    const made = isHead ? raise(letter) : letter;
    isHead = separator.test(letter);
    return made;
  }).join('');
}

/** Removes characters at both ends of a text for as long as `isCut` accepts them. */
export function trimEnds(text: string, isCut: (character: string) => boolean): string {
  const all = Array.from(text);
  const start = all.findIndex((one) => !isCut(one));
  if (start < 0) return '';
  const end = all.findLastIndex((one) => !isCut(one));
  return all.slice(start, end + 1).join('');
}

const space = /^\p{White_Space}$/u;

export function isWhiteSpace(character: string): boolean {
  return space.test(character);
}

/** Texts in which each code point is a character to a reader, too: they need no segmenter. */
const plain = /^[\n -~\u00a0-\u02ff\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]*$/;

/** Steps of the evaluation budget for finding the end of one character. */
const stepsPerCharacter = 3;
/** Characters that a segmenter is given at once: its time grows with the square of the length. */
const pieceLength = 500;

/** Splits the beginning of a text into characters as a reader counts them: a letter with its accents is one. */
export function splitCharacters(
  text: string,
  budget: EvaluationBudget,
  atMost = Infinity,
): string[] {
  if (plain.test(text)) {
    return atMost >= text.length ? text.split('') : text.slice(0, atMost).split('');
  }
  const segmenter = new Intl.Segmenter('en');
  const all: string[] = [];
  for (let at = 0; at < text.length && all.length < atMost;) {
    const piece = text.slice(at, at + pieceLength);
    const found = Array.from(segmenter.segment(piece), ({ segment }) => segment);
    budget.spend(stepsPerCharacter * found.length);
    // The last character may continue in the next piece of the text, so it is left for that.
    if (found.length > 1 && at + pieceLength < text.length) found.pop();
    all.push(...found);
    at += found.reduce((sum, one) => sum + one.length, 0);
  }
  return all.slice(0, Math.min(atMost, all.length));
}

/** Compares texts by their code points, the same on every machine; the order of UTF-16 units is a different one. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const difference = a.charCodeAt(at) - b.charCodeAt(at);
    if (difference === 0) continue;
    // Characters beyond U+FFFF sort last, and their UTF-16 halves do not: a half counts as higher than any single unit.
    const halves = Number(isHalf(a, at)) - Number(isHalf(b, at));
    return halves === 0 ? difference : halves;
  }
  return a.length - b.length;
}

function isHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xe000;
}
