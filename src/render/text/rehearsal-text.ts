import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { escapeText } from '../format/escape.ts';
import { wrapText } from '../format/measure.ts';
import type { Layout } from '../format/style.ts';
import { describeRehearsal } from '../view/rehearsal-words.ts';

const mark = 'Rehearsal:';

/** How a plan was rehearsed, below it. */
export function drawRehearsal(
  out: string[],
  rehearsal: Rehearsal,
  { columns, style }: Layout,
): void {
  const { headline, lines, isWhole } = describeRehearsal(rehearsal);
  const [first = '', ...rest] = wrapText(`${mark} ${headline}`, columns);
  const paint = isWhole ? style.green : style.yellow;
  out.push('', style.bold(paint(mark)) + first.slice(mark.length), ...rest);
  for (const { label, text, isProblem } of lines) {
    const title = `${label}:`;
    const [start = '', ...more] = wrapText(`  ${title} ${escapeText(text)}`, columns - 2);
    const painted = isProblem ? style.yellow(title) : style.dim(title);
    out.push(`  ${painted}${start.slice(2 + title.length)}`, ...more.map((line) => `  ${line}`));
  }
}
