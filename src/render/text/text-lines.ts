// The lines of a text within a plan: what goes, what comes, and which words of both differ.
import { escapeText } from '../format/escape.ts';
import { cutEnd, measureWidth } from '../format/measure.ts';
import type { Layout } from '../format/style.ts';
import { drawMark } from '../view/symbols.ts';
import type { LineDiff, Mark } from '../view/value-diff.ts';
import { minRoom, paintWords } from './scalar-text.ts';

/** Draws lines behind `start`, each with the symbol of its mark. */
export function drawLines(lines: readonly LineDiff[], start: string, layout: Layout): string[] {
  const prepared = lines.map((line) => prepareLine(line, start, layout));
  return markLines(prepared, layout).map(({ lead, text }) => lead + text);
}

interface PreparedLine {
  readonly mark: Mark;
  readonly lead: string;
  /** Escaped, and cut to its room. */
  readonly text: string;
}

function prepareLine({ mark, text }: LineDiff, start: string, layout: Layout): PreparedLine {
  const lead = `${start}${drawMark(mark, layout.style)} `;
  const room = Math.max(minRoom, layout.columns - measureWidth(lead));
  return { mark, lead, text: cutEnd(escapeText(text), room) };
}

/** Paints the words that differ where a line takes the place of another: the first that comes that of the first that goes. */
function markLines(lines: readonly PreparedLine[], layout: Layout): readonly PreparedLine[] {
  const marked = [...lines];
  for (let start = 0; start < lines.length;) {
    const gone = countRun(lines, start, 'delete');
    const come = countRun(lines, start + gone, 'create');
    for (let index = 0; index < Math.min(gone, come); index += 1) {
      const [from, to] = [start + index, start + gone + index];
      const [before, after] = [lines[from] as PreparedLine, lines[to] as PreparedLine];
      const words = paintWords(before.text, after.text, layout);
      marked[from] = { ...before, text: words.before };
      marked[to] = { ...after, text: words.after };
    }
    start += Math.max(1, gone + come);
  }
  return marked;
}

function countRun(lines: readonly PreparedLine[], start: number, mark: Mark): number {
  let end = start;
  while (lines[end]?.mark === mark) end += 1;
  return end - start;
}
