// Rows of cells below each other. On a narrow terminal columns move together, and then each row takes several lines.
import { breakAddressAtDots } from './break-line.ts';
import { measureTerminalWidth, padLeft, padRight, wrapText } from './measure.ts';

export type CellAlignment = 'left' | 'right';

/** Width available to a table, and whether its first row is a heading. */
export interface TableDrawingOptions {
  /** Width in terminal cells; a table is as wide as its cells unless this is given. */
  readonly columns?: number;
  /** Tells whether the first row has the names of the columns. */
  readonly hasHead?: boolean;
}

/** Width of the output, in terminal cells, below which tables are narrowed. */
export const fullTableWidth = 80;

/**
 * Draws rows of cells below each other, indented by two, without spaces behind the last cell of a row. One text for
 * each row, of several lines where the terminal is narrow.
 */
export function drawTable(
  rows: readonly (readonly string[])[],
  alignments: readonly CellAlignment[],
  { columns = Infinity, hasHead = false }: TableDrawingOptions = {},
): string[] {
  const gaps = columns < fullTableWidth ? ['   ', '  ', ' '] : ['   '];
  const drawn = gaps.map((gap) => drawAligned(rows, alignments, gap));
  const fits = (lines: readonly string[]) =>
    lines.every((line) => measureTerminalWidth(line) <= columns);
  if (gaps.length === 1) return drawn[0] ?? [];
  return drawn.find(fits) ?? drawFlowing(rows, alignments, { columns, hasHead });
}

/**
 * Column of a list: its head, the function that draws the cell of an item (safe to print), and the alignment of the
 * cells, left unless given.
 */
export type ListColumn<T> = readonly [
  head: string,
  cell: (thing: T) => string,
  side?: CellAlignment,
];

/** Draws items as the rows of a table under the heads of the columns; returns one text for each row, as `drawTable` does. */
export function drawColumnList<T>(
  things: readonly T[],
  all: readonly ListColumn<T>[],
  { columns = Infinity }: TableDrawingOptions,
  paintHead: (head: string) => string,
): string[] {
  const head = all.map(([name]) => paintHead(name));
  const rows = things.map((thing) => all.map(([, cell]) => cell(thing)));
  const sides = all.map(([, , side = 'left']) => side);
  return drawTable([head, ...rows], sides, { columns, hasHead: true });
}

function drawAligned(
  rows: readonly (readonly string[])[],
  alignments: readonly CellAlignment[],
  gap: string,
): string[] {
  const widths = alignments.map((_, column) =>
    rows.reduce((width, row) => Math.max(width, measureTerminalWidth(row[column] ?? '')), 0),
  );
  return rows.map((row) => {
    const cells = alignments.map((alignment, column) => {
      const pad = alignment === 'left' ? padRight : padLeft;
      return pad(row[column] ?? '', widths[column] ?? 0);
    });
    return `  ${cells.join(gap)}`.trimEnd();
  });
}

/**
 * The cells of a row one after the other, each number with the head of its column: without columns nothing else says
 * what the number counts.
 */
function drawFlowing(
  rows: readonly (readonly string[])[],
  alignments: readonly CellAlignment[],
  { columns, hasHead }: Required<TableDrawingOptions>,
): string[] {
  const heads = hasHead ? (rows[0] ?? []) : [];
  return rows.map((row, index) => {
    const isHead = hasHead && index === 0;
    const cells = alignments.map((alignment, column) => {
      const cell = row[column] ?? '';
      if (alignment === 'left' || cell === '') return cell;
      return isHead ? '' : `${heads[column] ?? ''} ${cell}`.trimStart();
    });
    return flow(
      cells.filter((cell) => measureTerminalWidth(cell) > 0),
      columns,
    );
  });
}

function flow(cells: readonly string[], columns: number): string {
  const lines: string[] = [];
  for (const cell of cells) {
    const last = lines.at(-1);
    const longer = `${last ?? ''}  ${cell}`;
    if (measureTerminalWidth(longer) <= columns) lines.splice(-1, 1, longer);
    else lines.push(...breakCell(cell, columns - 4).map((line) => `    ${line}`));
  }
  return lines.join('\n').replace(/^ {4}/, '  ');
}

/** Breaks a cell at its spaces; an address that is longer than a line, before its dots. */
function breakCell(cell: string, room: number): string[] {
  return wrapText(cell, room).flatMap((line) =>
    measureTerminalWidth(line) <= room ? [line] : breakAddressAtDots(line, room),
  );
}
