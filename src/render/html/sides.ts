import { escapeMarkup } from '../../model/text/html.ts';
import type { ValueDiff } from '../view/value-diff.ts';
import { markWords, type Span } from '../view/word-marks.ts';
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
  const isWritten = before && after && !before.isRemark && !after.isRemark;
  const marked = isChanged && isWritten ? markWords(before.text, after.text) : undefined;
  return (
    renderCell(before, isChanged && before ? 'old' : '', marked?.before) +
    renderCell(after, isChanged && after ? 'new' : '', marked?.after)
  );
}

/** `spans` is its text in pieces, where words of it are marked. */
function renderCell(cell: Cell | undefined, side: string, spans?: readonly Span[]): string {
  const classes = [...(side === '' ? [] : [side]), ...(cell?.isRemark ? ['remark'] : [])];
  const attribute = classes.length > 0 ? ` class="${classes.join(' ')}"` : '';
  const text = spans ? spans.map(renderSpan).join('') : cell ? escapeMarkup(cell.text) : '';
  return `<td${attribute}>${text}</td>`;
}

function renderSpan({ text, isDifferent }: Span): string {
  return isDifferent ? `<mark>${escapeMarkup(text)}</mark>` : escapeMarkup(text);
}
