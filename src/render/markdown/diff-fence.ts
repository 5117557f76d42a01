// Lines of a plan for a `diff` fence: the symbol stands in column 0, where viewers look for the colour of a line.
import type { Layout } from '../format/style.ts';

/** Stands before whatever is painted. Foreign text cannot hold it: control characters are escaped. */
const painted = '\u0001';
const paint = (text: string) => painted + text;
const keep = (text: string) => text;

/** How to draw for a fence: wide, as a viewer scrolls. `pullSymbol` has to go over each line. */
export const fenceLayout: Layout = {
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

/** A line without what marks its paint. */
export function bare(line: string): string {
  return line.replaceAll(painted, '');
}

/** Pulls the symbol of a line to its start; `~`, which viewers do not know, becomes `!`. */
export function pullSymbol(line: string): string {
  const text = bare(line);
  // A comment that is painted is about what is lost.
  if (line.startsWith(`  # ${painted}`)) return `- ${text.slice(2)}`;
  // What was not painted is no symbol: a line of somebody's text may begin like one.
  if (!line.trimStart().startsWith(painted)) return text.replace(/^ {2}#/, '#');
  const [lead = '', indent = '', mark = ''] = symbol.exec(text) ?? [];
  // The other side of a change, where both had no room on one line.
  if (lead === '') return text.replace(/^ (?= *-> )/, '!');
  return `${mark === '~' ? '!' : mark}${indent} ${text.slice(lead.length)}`;
}

/** A fence around lines, longer than every run of backticks in them: nothing in it can close it. */
export function fence(lines: readonly string[], language = 'diff'): string[] {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []);
  const marks = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 2) + 1);
  return [`${marks}${language}`, ...lines, marks];
}
