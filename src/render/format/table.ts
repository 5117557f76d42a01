import { measureWidth, padLeft, padRight } from './measure.ts';

export type Alignment = 'left' | 'right';

/** Draws rows of cells below each other, indented by two, with nothing behind the last cell of a row. */
export function drawTable(
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[],
): string[] {
  const widths = alignments.map((_, column) =>
    rows.reduce((width, row) => Math.max(width, measureWidth(row[column] ?? '')), 0),
  );
  return rows.map((row) => {
    const cells = alignments.map((alignment, column) => {
      const pad = alignment === 'left' ? padRight : padLeft;
      return pad(row[column] ?? '', widths[column] ?? 0);
    });
    return `  ${cells.join('   ')}`.trimEnd();
  });
}
