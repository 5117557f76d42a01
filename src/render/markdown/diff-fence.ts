// Lines of a plan for a fence of the language `diff`: the symbol stands in column 0, where viewers look for the colour of a
// line.
import type { TextLayout } from '../format/style.ts';

/** Marks painted text. Foreign text cannot hold this character: control characters are escaped. */
const painted = '\u0001';
const paint = (text: string) => painted + text;
const keep = (text: string) => text;

/** Layout of a fenced diff in Markdown: wide, since viewers scroll. Each line then has to go through `moveDiffSymbolToStart`. */
export const markdownFenceLayout: TextLayout = {
  columns: 120,
  marksEveryLine: true,
  style: {
    bold: keep,
    dim: keep,
    red: paint,
    green: paint,
    yellow: paint,
    cyan: paint,
    magenta: paint,
  },
};

const symbol = /^( *)(-\/\+|\+\/-|!~|<=|[-+~.]) /;

/** Removes the marks from a line that `markdownFenceLayout` puts in place of colours. */
export function removeColorMarks(line: string): string {
  return line.replaceAll(painted, '');
}

/** Moves the diff symbol of a line to its start, where viewers colour it; `~`, which they do not know, becomes `!`. */
export function moveDiffSymbolToStart(line: string): string {
  const text = removeColorMarks(line);
  // A painted comment is about a loss: it gets the colour of what is removed.
  if (line.startsWith(`  # ${painted}`)) return `- ${text.slice(2)}`;
  // A symbol is always painted: the start of a line of foreign text may look like one.
  if (!line.trimStart().startsWith(painted)) return text.replace(/^ {2}#/, '#');
  const [lead = '', indent = '', mark = ''] = symbol.exec(text) ?? [];
  // The new value of a change, on a line below the old one because both had no room on one line.
  if (lead === '') return text.replace(/^ (?= *-> )/, '!');
  return `${mark === '~' ? '!' : mark}${indent} ${text.slice(lead.length)}`;
}

/** Puts lines into a Markdown fence that is longer than every run of backticks in them, so that no line can close it. */
export function fenceMarkdownLines(lines: readonly string[], language = 'diff'): string[] {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []);
  const marks = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 2) + 1);
  return [`${marks}${language}`, ...lines, marks];
}
