/**
 * A table of texts as a person writes it: a row a line, its cells parted by ` | `. A cell may be empty.
 * @throws Error for a row that has more or fewer cells than the first one
 */
export function readRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.map((line) => ` ${line.trim()} `.split(' | ').map((cell) => cell.trim()));
  for (const row of rows)
    if (row.length !== rows[0]?.length)
      throw new Error(`Not a row of this table: ${row.join(' | ')}`);
  return rows;
}

/** The entries of a cell, parted by commas. */
export const readList = (cell: string): string[] => (cell === '' ? [] : cell.split(', '));
