// The difference of a value as rows of a table: lines side by side, the old value left of the new one.
import { html, joinHtml, type SafeHtml } from '../../model/text/html.ts';
import { formatValueAsJsonLine } from '../format/escape.ts';
import { drawYamlKey } from '../text/value-text.ts';
import type { LineDiff, ValueMark, ScalarValue, ValueDiff } from '../view/value-diff.ts';
import { markChangedWords, type MarkedLinePiece } from '../view/word-marks.ts';

/** Columns of a table of values: `both`, or one alone where the resource is created or deleted as a whole. */
export type DiffTableSides = 'before' | 'after' | 'both';

/**
 * Renders the table rows of one value, with `head` beside all of them; `isSame` hides an unchanged value until the
 * reader asks for it.
 */
export function renderDiffValueRows(
  diff: ValueDiff,
  head: SafeHtml,
  sides: DiffTableSides,
  isSame = false,
): SafeHtml {
  const rows = layOutDiffSideBySide(diff);
  const span = rows.length > 1 && html` rowspan="${rows.length}"`;
  const drawn = rows.map(
    (row, index) =>
      html`<tr${isSame && html` class="same"`}>${index === 0 && html`<th scope="row"${span}>${head}</th>`}${renderSides(row, sides)}</tr>`,
  );
  return joinHtml(drawn, '');
}

/** Renders both sides of one row: the value before and after. */
function renderSides({ mark, before, after }: DiffValueRow, sides: DiffTableSides): SafeHtml {
  if (sides === 'after') return renderCell(after, '');
  if (sides === 'before') return renderCell(before ?? after, '');
  const isChanged = mark !== 'none';
  const isWritten = before && after && !before.isRemark && !after.isRemark;
  const marked = isChanged && isWritten ? markChangedWords(before.text, after.text) : undefined;
  return html`${renderCell(before, isChanged && before ? 'old' : '', marked?.before)}${renderCell(after, isChanged && after ? 'new' : '', marked?.after)}`;
}

/** One cell. `spans` is the text of the cell in pieces, where some of its words are marked. */
function renderCell(
  cell: DiffValueCell | undefined,
  side: string,
  spans?: readonly MarkedLinePiece[],
): SafeHtml {
  const classes = [side, cell?.isRemark ? 'remark' : ''].filter((one) => one !== '').join(' ');
  return html`<td${classes !== '' && html` class="${classes}"`}>${spans?.map(renderSpan) ?? cell?.text}</td>`;
}

function renderSpan({ text, isDifferent }: MarkedLinePiece): SafeHtml {
  return isDifferent ? html`<mark>${text}</mark>` : html`${text}`;
}

/** Cell of a table of values: one line of the old or of the new value. */
export interface DiffValueCell {
  /** Text of the cell, not yet escaped for HTML. */
  readonly text: string;
  /** Set where the text is a remark of Hostwright in place of a value. */
  readonly isRemark?: boolean;
}

/** Row of a table of values: a line before and after; a side that is absent is empty. */
export interface DiffValueRow {
  readonly mark: ValueMark;
  readonly before?: DiffValueCell;
  readonly after?: DiffValueCell;
}

/** Lays out a difference in two columns, each old line beside the line that replaces it. */
export function layOutDiffSideBySide(diff: ValueDiff): DiffValueRow[] {
  return pairRows(listRows(diff, '', '', ''));
}

/** A list that is wider in characters gets a line for each of its elements. */
const maxShort = 60;

/** The cell of a value on the side, or on both sides, where a value with this mark exists. */
function place(mark: ValueMark, cell: DiffValueCell): DiffValueRow {
  if (mark === 'create') return { mark, after: cell };
  if (mark === 'delete') return { mark, before: cell };
  return { mark, before: cell, after: cell };
}

const bracket = (mark: ValueMark, text: string) =>
  place(mark === 'update' ? 'none' : mark, { text });

function listRows(diff: ValueDiff, indent: string, lead: string, end: string): DiffValueRow[] {
  const start = indent + lead;
  const deeper = `${indent}  `;
  switch (diff.kind) {
    case 'scalar': {
      const { mark, before, after } = diff;
      const cell = (value: ScalarValue) => ({ text: start + formatValueAsJsonLine(value) + end });
      return mark === 'update'
        ? [{ mark, before: cell(before), after: cell(after) }]
        : [place(mark, cell(after))];
    }
    case 'unknown':
      return [{ mark: 'create', after: { text: `${start}(known after apply)`, isRemark: true } }];
    case 'sensitive':
      return [place(diff.mark, { text: `${start}(sensitive value)`, isRemark: true })];
    case 'various':
      return [
        place(diff.mark, { text: `${start}(${diff.count} different values)`, isRemark: true }),
      ];
    case 'text':
      return [
        ...(lead === '' ? [] : [bracket(diff.mark, `${start}|`)]),
        ...diff.lines.map((line) => layOutLine(line, diff.mark, lead === '' ? indent : deeper)),
      ];
    case 'list':
      if (isShort(diff)) {
        const texts = diff.elements.map((one) =>
          one.kind === 'scalar' ? formatValueAsJsonLine(one.after) : '',
        );
        return [place(diff.mark, { text: `${start}[${texts.join(', ')}]${end}` })];
      }
      return [
        bracket(diff.mark, `${start}[`),
        ...diff.elements.flatMap((element) => listRows(element, deeper, '', ',')),
        bracket(diff.mark, `${indent}]${end}`),
      ];
    case 'map':
      if (diff.entries.length === 0) return [place(diff.mark, { text: `${start}{}${end}` })];
      return [
        bracket(diff.mark, `${start}{`),
        ...diff.entries.flatMap(({ key, diff: value }) =>
          listRows(value, deeper, `${drawYamlKey(key)}: `, ''),
        ),
        bracket(diff.mark, `${indent}}${end}`),
      ];
    case 'swap':
      return [
        ...listRows(diff.before, indent, lead, end),
        ...listRows(diff.after, indent, lead, end),
      ];
  }
}

/** A list of few single values under one mark stands on one line. */
function isShort({ mark, elements }: ValueDiff & { kind: 'list' }): boolean {
  const width = elements.reduce(
    (sum, one) =>
      one.kind === 'scalar' && one.mark === mark && mark !== 'update'
        ? sum + formatValueAsJsonLine(one.after).length + 2
        : Infinity,
    0,
  );
  return width <= maxShort;
}

/** A line of a text that comes or goes whole has the mark of the text. */
function layOutLine(line: LineDiff, whole: ValueMark, indent: string): DiffValueRow {
  const mark = line.mark === 'none' && whole !== 'update' ? whole : line.mark;
  return place(mark, { text: indent + line.text });
}

/** Puts a removed line and the added line right behind it into the same row. */
function pairRows(rows: readonly DiffValueRow[]): DiffValueRow[] {
  const paired: DiffValueRow[] = [];
  let gone: DiffValueRow[] = [];
  let come: DiffValueRow[] = [];
  const endRun = () => {
    for (let index = 0; index < Math.max(gone.length, come.length); index += 1) {
      const before = gone[index]?.before;
      const after = come[index]?.after;
      const mark = before === undefined ? 'create' : after === undefined ? 'delete' : 'update';
      paired.push({ mark, ...(before && { before }), ...(after && { after }) });
    }
    gone = [];
    come = [];
  };
  for (const row of rows) {
    if (row.mark === 'delete' && come.length === 0) gone.push(row);
    else if (row.mark === 'create') come.push(row);
    else {
      endRun();
      if (row.mark === 'delete') gone.push(row);
      else paired.push(row);
    }
  }
  endRun();
  return paired;
}
