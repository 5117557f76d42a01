import { elementAt } from '../../model/group-by.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { quoteText, formatValueAsJsonLine, escapeUntrustedText } from '../format/escape.ts';
import {
  measureTerminalWidth,
  padRight,
  cutTextMiddle,
  findFirstDifference,
  cutTextEnd,
} from '../format/measure.ts';
import type { TextLayout } from '../format/style.ts';
import { drawValueMark } from '../view/symbols.ts';
import type {
  MapEntryDiff,
  ValueMark,
  ValueDiff,
  ScalarValue,
  LineDiff,
} from '../view/value-diff.ts';
import { markChangedWords, type MarkedLinePiece } from '../view/word-marks.ts';

/** A list that is wider in characters gets a line for each of its elements. */
const maxShort = 60;

/** Draws a difference as Terraform does, line by line, the last of them without a line end. */
export function drawValueDiff(
  out: string[],
  diff: ValueDiff,
  frame: SurroundingValueText,
  layout: TextLayout,
): void {
  switch (diff.kind) {
    case 'scalar':
      drawScalar(out, diff, frame, layout);
      return;
    case 'unknown':
      out.push(`${frame.lead}(known after apply)${drawTail(frame, layout)}`);
      return;
    case 'sensitive':
      out.push(
        `${frame.lead}(sensitive value)${drawNull(diff, frame, layout)}${drawTail(frame, layout)}`,
      );
      return;
    case 'various':
      out.push(
        `${frame.lead}(${diff.count} different values)${drawNull(diff, frame, layout)}${drawTail(frame, layout)}`,
      );
      return;
    case 'text':
      drawText(out, diff, frame, layout);
      return;
    case 'list':
      drawList(out, diff, frame, layout);
      return;
    case 'map':
      drawMap(out, diff, frame, layout);
      return;
    case 'swap':
      drawSwap(out, diff, frame, layout);
  }
}

/** Makes the spaces before the symbol of a line. */
function indentBy(level: number): string {
  return ' '.repeat(level * 4);
}

/** Mark of a line that only continues or closes a value: none, unless every line is marked. */
function goesOnAs(mark: ValueMark, { marksEveryLine }: TextLayout): ValueMark {
  return marksEveryLine && mark !== 'update' ? mark : 'none';
}

/** Draws the indentation and the symbol before the line that closes a value or a resource. */
export function drawClosingIndent(mark: ValueMark, indent: number, layout: TextLayout): string {
  return `${indentBy(indent)}${drawValueMark(goesOnAs(mark, layout), layout.style)} `;
}

/** Draws the note about unchanged elements: `# (2 unchanged elements hidden)`. */
export function drawHiddenCount(
  noun: string,
  count: number,
  indent: number,
  layout: TextLayout,
): string {
  return `${indentBy(indent)}    ${layout.style.dim(`# (${formatCountWithNoun(`unchanged ${noun}`, count)} hidden)`)}`;
}

/** Writes a key as YAML would have it, quoted where necessary. */
export function drawYamlKey(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) ? key : quoteText(key);
}

function drawText(
  out: string[],
  diff: ValueDiff & { kind: 'text' },
  frame: SurroundingValueText,
  layout: TextLayout,
): void {
  const start = indentBy(frame.indent + 1);
  out.push(
    `${frame.lead}<<-EOT${frame.comment === undefined ? '' : drawTail({ ...frame, end: '' }, layout)}`,
  );
  const goesOn = goesOnAs(diff.mark, layout);
  const lines = diff.lines.map(({ mark, text }) => ({
    mark: mark === 'none' ? goesOn : mark,
    text,
  }));
  out.push(...drawLines(lines, start, layout));
  out.push(
    `${drawClosingIndent(diff.mark, frame.indent, layout)}EOT${drawNull(diff, frame, layout)}${frame.end ?? ''}`,
  );
}

function drawList(
  out: string[],
  diff: ValueDiff & { kind: 'list' },
  frame: SurroundingValueText,
  layout: TextLayout,
): void {
  const short = joinShort(diff, layout);
  const rest = drawNull(diff, frame, layout) + drawTail(frame, layout);
  if (short !== undefined && measureTerminalWidth(frame.lead + short + rest) <= layout.columns) {
    out.push(frame.lead + short + rest);
    return;
  }
  out.push(`${frame.lead}[${drawTail({ ...frame, end: '' }, layout)}`);
  const element = (item: ValueDiff) => drawElement(out, item, frame, layout);
  const isShown = listShown(diff.elements, frame.showsUnchanged === true);
  let hidden = 0;
  const endHidden = () => {
    if (hidden > 0) out.push(drawHiddenCount('element', hidden, frame.indent + 1, layout));
    hidden = 0;
  };
  for (const [index, item] of diff.elements.entries()) {
    if (isShown[index] !== true) {
      hidden += 1;
      continue;
    }
    endHidden();
    element(item);
  }
  endHidden();
  out.push(
    `${drawClosingIndent(diff.mark, frame.indent, layout)}]${drawNull(diff, frame, layout)}${frame.end ?? ''}`,
  );
}

/** A list of single values under one mark on one line; undefined where it is long, or where only some of its elements change. */
function joinShort({ mark, elements }: ValueDiff & { kind: 'list' }, layout: TextLayout) {
  const texts = elements.map((one) =>
    one.kind === 'scalar' && one.mark === mark && mark !== 'update'
      ? formatScalar(one.after, layout)
      : undefined,
  );
  if (texts.includes(undefined)) return undefined;
  const text = `[${texts.join(', ')}]`;
  return measureTerminalWidth(text) <= maxShort || texts.length < 2 ? text : undefined;
}

/**
 * Elements of a list to draw: all changed ones, and an unchanged one only next to a changed one, to show the place in the
 * list.
 */
function listShown(elements: readonly ValueDiff[], showsUnchanged: boolean): boolean[] {
  const isChanged = (index: number) => {
    const mark = elements[index]?.mark ?? 'none';
    return mark !== 'none';
  };
  return elements.map(
    (_, index) =>
      showsUnchanged || isChanged(index) || isChanged(index - 1) || isChanged(index + 1),
  );
}

function drawElement(
  out: string[],
  diff: ValueDiff,
  frame: SurroundingValueText,
  layout: TextLayout,
): void {
  const indent = frame.indent + 1;
  drawValueDiff(
    out,
    diff,
    {
      lead: `${indentBy(indent)}${drawValueMark(diff.mark, layout.style)} `,
      indent,
      end: ',',
      hidesNull: true,
      showsUnchanged: frame.showsUnchanged === true || diff.mark === 'none',
    },
    layout,
  );
}

function drawMap(
  out: string[],
  diff: ValueDiff & { kind: 'map' },
  frame: SurroundingValueText,
  layout: TextLayout,
): void {
  if (diff.entries.length === 0) {
    out.push(`${frame.lead}{}${drawNull(diff, frame, layout)}${drawTail(frame, layout)}`);
    return;
  }
  out.push(`${frame.lead}{${drawTail({ ...frame, end: '' }, layout)}`);
  const indent = frame.indent + 1;
  const width = Math.max(
    ...diff.entries.map((entry) => measureTerminalWidth(drawYamlKey(entry.key))),
  );
  const isShown = ({ diff: value }: MapEntryDiff) =>
    value.mark !== 'none' || frame.showsUnchanged === true;
  for (const { key, diff: value } of diff.entries.filter(isShown)) {
    const lead = `${indentBy(indent)}${drawValueMark(value.mark, layout.style)} ${padRight(drawYamlKey(key), width)} = `;
    const hidesNull = diff.mark === 'delete';
    const showsUnchanged = frame.showsUnchanged === true;
    drawValueDiff(out, value, { lead, indent, hidesNull, showsUnchanged }, layout);
  }
  const hidden = diff.entries.filter((entry) => !isShown(entry)).length;
  if (hidden > 0) out.push(drawHiddenCount('attribute', hidden, indent, layout));
  out.push(
    `${drawClosingIndent(diff.mark, frame.indent, layout)}}${drawNull(diff, frame, layout)}${frame.end ?? ''}`,
  );
}

function drawSwap(
  out: string[],
  diff: ValueDiff & { kind: 'swap' },
  frame: SurroundingValueText,
  layout: TextLayout,
): void {
  const { lead, indent } = frame;
  const arrow = ` ${layout.style.yellow('->')} `;
  if (diff.after.kind === 'unknown') {
    const end = `${arrow}(known after apply)${drawTail(frame, layout)}`;
    drawValueDiff(out, diff.before, { lead, indent, hidesNull: true, end }, layout);
    return;
  }
  const drawn: string[] = [];
  drawValueDiff(drawn, diff.before, { lead, indent, hidesNull: true, end: arrow }, layout);
  drawValueDiff(drawn, diff.after, { ...frame, lead: drawn.pop() ?? '' }, layout);
  if (drawn.every((line) => measureTerminalWidth(line) <= layout.columns)) {
    out.push(...drawn);
    return;
  }
  // Old and new value below each other, as single values are drawn.
  const below = ' '.repeat(Math.max(0, measureTerminalWidth(lead) - 3)) + arrow.trimStart();
  drawValueDiff(out, diff.before, { lead, indent, hidesNull: true }, layout);
  drawValueDiff(out, diff.after, { ...frame, lead: below }, layout);
}

/** Texts before and behind a value on its lines. */
export interface SurroundingValueText {
  /** Text before the value on its first line. */
  readonly lead: string;
  /** Depth of the line: 4 cells a level, and 4 more for the symbol. */
  readonly indent: number;
  /** Comment behind the first line of the value, with its `#`. */
  readonly comment?: string;
  /** Text behind the value, as the comma of a list's item. */
  readonly end?: string;
  /** Set within a value that is deleted whole: only its own line says `-> null`. */
  readonly hidesNull?: boolean;
  /** Tells whether unchanged parts are drawn, too. */
  readonly showsUnchanged?: boolean;
}

/** The least room for a value: below it, lines run over the width rather than say nothing. */
const minRoom = 12;

/** Texts behind a value on its line: the comma and the comment. */
function drawTail(frame: SurroundingValueText, { style }: TextLayout): string {
  return (frame.end ?? '') + (frame.comment === undefined ? '' : ` ${style.red(frame.comment)}`);
}

/** Draws `-> null` behind a deleted value. */
function drawNull(diff: ValueDiff, frame: SurroundingValueText, { style }: TextLayout): string {
  return diff.mark === 'delete' && frame.hidesNull !== true ? ` ${style.dim('-> null')}` : '';
}

/** Writes a scalar in colour, quoted as in a plan. */
function formatScalar(value: ScalarValue, { style }: TextLayout): string {
  return value === null ? style.dim('null') : formatValueAsJsonLine(value);
}

/** Cuts a scalar to the room that is left on its line. */
function fitScalar(value: ScalarValue, room: number, layout: TextLayout, focus = 0): string {
  const text = formatScalar(value, layout);
  if (typeof value !== 'string' || measureTerminalWidth(text) <= room) return text;
  return `"${cutTextMiddle(text.slice(1, -1), Math.max(minRoom, room) - 2, focus)}"`;
}

/** Both sides of a change with the differing words painted; without colours both stay as they are. */
function paintWords(
  before: string,
  after: string,
  { style }: TextLayout,
): { before: string; after: string } {
  const marked = markChangedWords(before, after);
  const paint = (spans: readonly MarkedLinePiece[], mark: (text: string) => string) =>
    spans.map(({ text, isDifferent }) => (isDifferent ? mark(text) : text)).join('');
  return { before: paint(marked.before, style.red), after: paint(marked.after, style.green) };
}

/** Draws a single value, on two lines where both sides have no room on one. */
function drawScalar(
  out: string[],
  diff: ValueDiff & { kind: 'scalar' },
  frame: SurroundingValueText,
  layout: TextLayout,
): void {
  const tail = drawTail(frame, layout);
  const room = layout.columns - measureTerminalWidth(frame.lead);
  if (diff.mark !== 'update') {
    const rest = drawNull(diff, frame, layout) + tail;
    // On a terminal a long line is broken: the value is shown whole, and the words behind it go below it.
    const behind = layout.room === undefined ? measureTerminalWidth(rest) : 0;
    out.push(`${frame.lead}${fitScalar(diff.after, room - behind, layout)}${rest}`);
    return;
  }
  const before = formatScalar(diff.before, layout);
  const after = formatScalar(diff.after, layout);
  const arrow = layout.style.yellow('->');
  if (measureTerminalWidth(`${before} -> ${after}${tail}`) <= room) {
    const marked = paintWords(before, after, layout);
    out.push(`${frame.lead}${marked.before} ${arrow} ${marked.after}${tail}`);
    return;
  }
  // Both sides below each other and cut alike, so that the eye finds the difference.
  const focus = Math.max(0, findFirstDifference(before, after) - 1);
  const below = ' '.repeat(Math.max(0, measureTerminalWidth(frame.lead) - 3));
  const marked = paintWords(
    fitScalar(diff.before, room, layout, focus),
    fitScalar(diff.after, room, layout, focus),
    layout,
  );
  out.push(`${frame.lead}${marked.before}`);
  const second = `${below}${arrow} ${marked.after}`;
  if (measureTerminalWidth(second + tail) <= layout.columns) {
    out.push(second + tail);
  } else {
    out.push(second, below + tail.trimStart());
  }
}

/** Draws lines behind `start`, each with the symbol of its mark. */
function drawLines(lines: readonly LineDiff[], start: string, layout: TextLayout): string[] {
  const prepared = lines.map((line) => prepareLine(line, start, layout));
  return markLines(prepared, layout).map(({ lead, text }) => lead + text);
}

interface PreparedLine {
  readonly mark: ValueMark;
  readonly lead: string;
  /** Text of the line, escaped and cut to its room. */
  readonly text: string;
}

function prepareLine({ mark, text }: LineDiff, start: string, layout: TextLayout): PreparedLine {
  const lead = `${start}${drawValueMark(mark, layout.style)} `;
  const room = Math.max(minRoom, layout.columns - measureTerminalWidth(lead));
  return { mark, lead, text: cutTextEnd(escapeUntrustedText(text), room) };
}

/** Paints the words that differ between removed lines and the added lines that take their place, the first with the first. */
function markLines(lines: readonly PreparedLine[], layout: TextLayout): readonly PreparedLine[] {
  const marked = [...lines];
  for (let start = 0; start < lines.length;) {
    const gone = countRun(lines, start, 'delete');
    const come = countRun(lines, start + gone, 'create');
    for (let index = 0; index < Math.min(gone, come); index += 1) {
      const [from, to] = [start + index, start + gone + index];
      const [before, after] = [elementAt(lines, from), elementAt(lines, to)];
      const words = paintWords(before.text, after.text, layout);
      marked[from] = { ...before, text: words.before };
      marked[to] = { ...after, text: words.after };
    }
    start += Math.max(1, gone + come);
  }
  return marked;
}

function countRun(lines: readonly PreparedLine[], start: number, mark: ValueMark): number {
  let end = start;
  while (lines[end]?.mark === mark) end += 1;
  return end - start;
}
