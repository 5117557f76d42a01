import { escapeMarkup } from '../format/escape-markup.ts';
import type { ValueDiff } from '../view/value-diff.ts';
import { layOutValue, type Cell, type ValueRow } from './value-rows.ts';

/** Which sides a table has: one of them where a thing comes or goes whole. */
export type Sides = 'before' | 'after' | 'both';

/** The rows of a value, whose head stands beside all of them. `head` is markup. */
export function renderRows(
  diff: ValueDiff,
  head: string,
  sides: Sides,
  rowAttributes = '',
): string {
  const rows = layOutValue(diff);
  const span = rows.length > 1 ? ` rowspan="${rows.length}"` : '';
  return rows
    .map((row, index) => {
      const cell = index === 0 ? `<th scope="row"${span}>${head}</th>` : '';
      return `<tr${rowAttributes}>${cell}${renderSides(row, sides)}</tr>`;
    })
    .join('');
}

/** The cells of one row. */
function renderSides({ mark, before, after }: ValueRow, sides: Sides): string {
  if (sides === 'after') return renderCell(after, '');
  if (sides === 'before') return renderCell(before ?? after, '');
  const isChanged = mark !== 'none';
  return (
    renderCell(before, isChanged && before ? 'old' : '') +
    renderCell(after, isChanged && after ? 'new' : '')
  );
}

function renderCell(cell: Cell | undefined, side: string): string {
  const classes = [...(side === '' ? [] : [side]), ...(cell?.isRemark ? ['remark'] : [])];
  const attribute = classes.length > 0 ? ` class="${classes.join(' ')}"` : '';
  return `<td${attribute}>${cell ? escapeMarkup(cell.text) : ''}</td>`;
}
