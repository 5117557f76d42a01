import { escapeMarkup } from '../escape-markup.ts';
import type { Cell, ValueRow } from './value-rows.ts';

/** Which sides a table has: one of them where a thing comes or goes whole. */
export type Sides = 'before' | 'after' | 'both';

/** The cells of one row. */
export function renderSides({ mark, before, after }: ValueRow, sides: Sides): string {
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
