import { escapeUntrustedText } from './escape.ts';
import { cutTextEnd, measureTerminalWidth } from './measure.ts';

const caretLine = /^ *\| *\^+$/;
const gutter = /^[ \d>]*\| ?/;

/** Tells whether a line of a code frame is the one with the caret. */
export function isCaretLine(line: string): boolean {
  return caretLine.test(line);
}

/** Cuts the lines of a code frame to a width. Where the caret would be lost, the beginnings of all lines are cut instead. */
export function cutCodeFrame(frame: string, room: number): string[] {
  // A tab would shift the caret: one cell, as the column counts it.
  const lines = frame
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => escapeUntrustedText(line.replaceAll('\t', ' ')));
  const caret = lines.find((line) => isCaretLine(line));
  const end =
    caret === undefined ? 0 : measureTerminalWidth(caret.slice(0, caret.indexOf('^') + 1));
  if (end <= room) return lines.map((line) => cutTextEnd(line, room));
  const skip = end - Math.floor(room / 2);
  return lines.map((line) => {
    const lead = gutter.exec(line)?.[0] ?? '';
    const body = line.slice(lead.length + skip);
    const isCut = line.slice(lead.length, lead.length + skip).trim() !== '';
    return cutTextEnd(`${lead}${isCut ? '…' : ' '}${body.slice(1)}`, room).trimEnd();
  });
}
