// Code frames: the lines around a place, numbered, with carets below it.
import stringWidth from 'string-width';
import { replaceUnsafeCharacters } from '../../model/text/unsafe-text.ts';

/** Range of source text that a frame marks; lines and columns count from 1, in UTF-16 units of the line. */
export interface FramePlace {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

const contextLines = 3;
/** The most columns of a source line that a message shows. */
const maxWidth = 96;
const tabWidth = 2;

/** Makes a source text safe to print: tabs become spaces, unsafe characters `·`. */
export function makePrintable(text: string): string {
  return replaceUnsafeCharacters(text.replaceAll('\t', ' '.repeat(tabWidth)), () => '·');
}

interface Window {
  readonly start: number;
  readonly end: number;
}

/** Chooses the part of a long source line that a message shows: around the caret. */
function chooseWindow(line: string, column: number): Window {
  if (line.length <= maxWidth) return { start: 0, end: maxWidth };
  const start = Math.max(0, Math.min(column - 1 - maxWidth / 2, line.length - maxWidth));
  return { start, end: start + maxWidth };
}

function cutLine(line: string, window: Window): string {
  const before = window.start > 0 ? '…' : '';
  const after = window.end < line.length ? '…' : '';
  return `${before}${makePrintable(line.slice(window.start, window.end))}${after}`.trimEnd();
}

function drawCarets(line: string, place: FramePlace, window: Window): string {
  const from = Math.min(Math.max(place.column - 1, window.start), window.end);
  const lineEnd = place.endLine > place.line ? line.trimEnd().length : place.endColumn - 1;
  const to = Math.min(lineEnd, window.end);
  const before = (window.start > 0 ? '…' : '') + makePrintable(line.slice(window.start, from));
  const width = stringWidth(makePrintable(line.slice(from, Math.max(from, to))));
  return ' '.repeat(stringWidth(before)) + '^'.repeat(Math.max(1, width));
}

/**
 * Draws the lines around a place: the line itself marked with `>`, up to three before it and after it, carets below.
 * `lineAt` gives the text of a line without its line break, undefined behind the last one.
 */
export function drawSourceFrame(
  place: FramePlace,
  lineAt: (line: number) => string | undefined,
): string {
  const target = lineAt(place.line) ?? '';
  const window = chooseWindow(target, place.column);
  const lines: [number, string][] = [];
  for (let at = place.line - contextLines; at <= place.line + contextLines; at += 1) {
    const text = at === place.line ? target : at > 0 ? lineAt(at) : undefined;
    if (text !== undefined) lines.push([at, text]);
  }
  const gutter = String(lines.at(-1)?.[0]).length;
  const rows = lines.flatMap(([at, text]) => {
    const isTarget = at === place.line;
    const start = `${isTarget ? '>' : ' '} ${String(at).padStart(gutter)} |`;
    const row = `${start} ${cutLine(text, window)}`.trimEnd();
    return isTarget
      ? [row, `  ${' '.repeat(gutter)} | ${drawCarets(target, place, window)}`]
      : [row];
  });
  return rows.join('\n');
}
