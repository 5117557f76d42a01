import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

/** ASCII, and the characters that our own pages are drawn with: each is one cell wide. */
const plain = /^[\x20-\x7e…×·→✓✗\u2500-\u259f]*$/;

/** Measures the width of a text in terminal cells; colour codes take none. */
export function measureTerminalWidth(text: string): number {
  // Nearly all text is plain, and a plan may have 100,000 lines: look closer only where it can matter.
  if (plain.test(text)) return text.length;
  const bare = stripVTControlCharacters(text);
  if (plain.test(bare)) return bare.length;
  if (bare.length <= pieceLength) return stringWidth(bare);
  let width = 0;
  for (const characters of splitPieces(bare)) width += stringWidth(characters.join(''));
  return width;
}

/** Pads a text with spaces on the right. */
export function padRight(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - measureTerminalWidth(text)));
}

/** Pads a text with spaces on the left. */
export function padLeft(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - measureTerminalWidth(text))) + text;
}

/** Segments texts into characters; created only when needed, as that takes 20 ms. */
let segmenter: Intl.Segmenter | undefined;
/** The segmenter takes time by the square of the length: a value of 200,000 letters would take more than a minute. */
const pieceLength = 1_000;

/** The characters of a text, split into short pieces before they are segmented. */
function* splitPieces(text: string): Generator<readonly string[]> {
  for (let from = 0; from < text.length;) {
    // A piece must not end within a surrogate pair: half a code point would stand alone.
    const piece = text.slice(from, from + pieceLength).replace(/(?<=.)[\ud800-\udbff]$/s, '');
    segmenter ??= new Intl.Segmenter();
    const characters = Array.from(segmenter.segment(piece), ({ segment }) => segment);
    // The last character may continue in the next piece of the text, so it is left for that.
    if (from + piece.length < text.length && characters.length > 1) characters.pop();
    yield characters;
    from += characters.join('').length;
  }
}

/** Splits a text into the characters that a reader sees (grapheme clusters). */
function splitCharacters(text: string): string[] {
  return plain.test(text) ? text.split('') : [...splitPieces(text)].flat();
}

/** Takes as many of the first characters as fit into a width. */
function takeWithin(characters: readonly string[], room: number): string[] {
  let width = 0;
  let end = 0;
  for (const character of characters) {
    width += measureTerminalWidth(character);
    if (width > room) break;
    end += 1;
  }
  return characters.slice(0, end);
}

/** Cuts a line to a width in terminal cells, with `…` in place of the end that was cut off. */
export function cutTextEnd(text: string, room: number): string {
  if (measureTerminalWidth(text) <= room) return text;
  return `${takeWithin(splitCharacters(text), Math.max(0, room - 1)).join('')}…`;
}

/** The position of the first character that differs; the length of the shorter text where the other begins with it. */
export function findFirstDifference(a: string, b: string): number {
  const left = splitCharacters(a);
  const right = splitCharacters(b);
  const end = Math.min(left.length, right.length);
  let index = 0;
  while (index < end && left[index] === right[index]) index += 1;
  return index;
}

/**
 * Cuts a long value in its middle, so that its start and its end stay visible, as the type and the comment of an SSH
 * key. The character at position `focus` stays visible as well: two values that differ there must not look the same.
 */
export function cutTextMiddle(text: string, room: number, focus = 0): string {
  if (measureTerminalWidth(text) <= room) return text;
  const characters = splitCharacters(text);
  const takeLast = (width: number) =>
    takeWithin(characters.slice().reverse(), width).reverse().join('');
  const head = Math.max(1, Math.floor((room - 1) * 0.6));
  const tail = Math.max(1, room - 1 - head);
  const isInHead = focus < head - 4;
  const isInTail = focus > characters.length - tail;
  if (isInHead || isInTail) {
    return `${takeWithin(characters, head).join('')}…${takeLast(tail)}`;
  }
  const edge = Math.max(1, Math.floor((room - 2) / 4));
  const start = takeWithin(characters, edge).join('');
  const from = focus - 4;
  if (from + room - 1 - edge >= characters.length) return `${start}…${takeLast(room - 1 - edge)}`;
  const window = takeWithin(characters.slice(from), Math.max(1, room - 2 - 2 * edge));
  return `${start}…${window.join('')}…${takeLast(edge)}`;
}

/**
 * Breaks text at spaces into lines of at most `room` cells; a longer word has a line of its own. A line that begins
 * with spaces keeps them on every line that it becomes.
 */
export function wrapText(text: string, room: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, room));
}

function wrapLine(line: string, room: number): string[] {
  if (measureTerminalWidth(line) <= room) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = '';
  for (const word of line.slice(indent.length).split(/ +/)) {
    const longer = current === '' ? indent + word : `${current} ${word}`;
    if (current !== '' && measureTerminalWidth(longer) > room) {
      lines.push(current);
      current = indent + word;
    } else {
      current = longer;
    }
  }
  lines.push(current);
  return lines;
}
