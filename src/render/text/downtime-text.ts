import { escapeUntrustedText } from '../format/escape.ts';
import { measureTerminalWidth, padRight, wrapText } from '../format/measure.ts';
import type { TextLayout } from '../format/style.ts';
import type { DowntimeView } from '../view/downtime-view.ts';

/** More rows than these are counted; `--verbose` shows them all. */
const mostRows = 20;
const gap = '   ';

/**
 * Draws the downtime of a plan, a line for each block and port forward; words that do not fit beside the name go on the
 * next line.
 */
export function drawDowntime(
  out: string[],
  downtime: DowntimeView | undefined,
  { columns, style, isVerbose }: TextLayout,
): void {
  if (!downtime) return;
  const { title, rows } = downtime;
  const shown = isVerbose ? rows : rows.slice(0, mostRows);
  const cells = shown.map((row) => ({ ...row, label: escapeUntrustedText(row.label) }));
  const width = cells.reduce(
    (widest, { label }) => Math.max(widest, measureTerminalWidth(label)),
    0,
  );
  const fits = cells.every(
    ({ text }) => 2 + width + gap.length + measureTerminalWidth(text) <= Math.max(columns, 80),
  );
  out.push(...wrapText(`${title}:`, columns).map(style.bold));
  for (const { label, text, isTotal } of cells) {
    const paint = isTotal ? style.yellow : (plain: string) => plain;
    if (fits && columns >= 80) out.push(`  ${padRight(label, width)}${gap}${paint(text)}`);
    else
      out.push(`  ${label}`, ...wrapParts(text, columns - 4).map((line) => `    ${paint(line)}`));
  }
  const left = rows.length - shown.length;
  if (left > 0) out.push(`  and ${left} more`);
  out.push('');
}

/** Lines of a text whose parts end with semicolons. A part is only broken where it is longer than a line. */
function wrapParts(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const part of text.split(/(?<=;) /)) {
    const joined = `${lines.at(-1) ?? ''} ${part}`.trimStart();
    if (lines.length > 0 && measureTerminalWidth(joined) <= columns) lines.splice(-1, 1, joined);
    else lines.push(part);
  }
  return lines.flatMap((line) => wrapText(line, columns));
}
