import { quoteText } from '../format/escape.ts';
import { measureWidth, padRight } from '../format/measure.ts';
import type { Layout } from '../format/style.ts';
import { drawMark } from '../view/symbols.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import type { MapEntry, Mark, ValueDiff } from '../view/value-diff.ts';
import { drawNull, drawScalar, drawTail, formatScalar, type ValueFrame } from './scalar-text.ts';
import { drawLines } from './text-lines.ts';

/** Lists that are wider stand on a line for each of their elements. */
const maxShort = 60;

/** Draws a difference as Terraform does, line by line, the last of them without a line end. */
export function drawValue(out: string[], diff: ValueDiff, frame: ValueFrame, layout: Layout): void {
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

/** Spaces up to the symbol of a line. */
function indentBy(level: number): string {
  return ' '.repeat(level * 4);
}

/** The mark of a line that only goes on with a value of a mark, or closes it. */
function goesOnAs(mark: Mark, { marksEveryLine }: Layout): Mark {
  return marksEveryLine && mark !== 'update' ? mark : 'none';
}

/** What stands before the line that closes a value, or a resource. */
export function drawClose(mark: Mark, indent: number, layout: Layout): string {
  return `${indentBy(indent)}${drawMark(goesOnAs(mark, layout), layout.style)} `;
}

/** `# (2 unchanged elements hidden)`. */
export function drawHidden(noun: string, count: number, indent: number, layout: Layout): string {
  return `${indentBy(indent)}    ${layout.style.dim(`# (${countNoun(`unchanged ${noun}`, count)} hidden)`)}`;
}

/** A key as YAML would take it without quotes, or in quotes. */
export function drawKey(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) ? key : quoteText(key);
}

function drawText(
  out: string[],
  diff: ValueDiff & { kind: 'text' },
  frame: ValueFrame,
  layout: Layout,
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
    `${drawClose(diff.mark, frame.indent, layout)}EOT${drawNull(diff, frame, layout)}${frame.end ?? ''}`,
  );
}

function drawList(
  out: string[],
  diff: ValueDiff & { kind: 'list' },
  frame: ValueFrame,
  layout: Layout,
): void {
  const short = joinShort(diff, layout);
  const rest = drawNull(diff, frame, layout) + drawTail(frame, layout);
  if (short !== undefined && measureWidth(frame.lead + short + rest) <= layout.columns) {
    out.push(frame.lead + short + rest);
    return;
  }
  out.push(`${frame.lead}[${drawTail({ ...frame, end: '' }, layout)}`);
  const element = (item: ValueDiff) => drawElement(out, item, frame, layout);
  const isShown = listShown(diff.elements, frame.showsUnchanged === true);
  let hidden = 0;
  const endHidden = () => {
    if (hidden > 0) out.push(drawHidden('element', hidden, frame.indent + 1, layout));
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
    `${drawClose(diff.mark, frame.indent, layout)}]${drawNull(diff, frame, layout)}${frame.end ?? ''}`,
  );
}

/** A list of single values under one mark on one line; undefined where it is long, or only some of it changes. */
function joinShort({ mark, elements }: ValueDiff & { kind: 'list' }, layout: Layout) {
  const texts = elements.map((one) =>
    one.kind === 'scalar' && one.mark === mark && mark !== 'update'
      ? formatScalar(one.after, layout)
      : undefined,
  );
  if (texts.includes(undefined)) return undefined;
  const text = `[${texts.join(', ')}]`;
  return measureWidth(text) <= maxShort || texts.length < 2 ? text : undefined;
}

/** An unchanged element is shown next to a changed one alone, to say where in the list the change is. */
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

function drawElement(out: string[], diff: ValueDiff, frame: ValueFrame, layout: Layout): void {
  const indent = frame.indent + 1;
  drawValue(
    out,
    diff,
    {
      lead: `${indentBy(indent)}${drawMark(diff.mark, layout.style)} `,
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
  frame: ValueFrame,
  layout: Layout,
): void {
  if (diff.entries.length === 0) {
    out.push(`${frame.lead}{}${drawNull(diff, frame, layout)}${drawTail(frame, layout)}`);
    return;
  }
  out.push(`${frame.lead}{${drawTail({ ...frame, end: '' }, layout)}`);
  const indent = frame.indent + 1;
  const width = Math.max(...diff.entries.map((entry) => measureWidth(drawKey(entry.key))));
  const isShown = ({ diff: value }: MapEntry) =>
    value.mark !== 'none' || frame.showsUnchanged === true;
  for (const { key, diff: value } of diff.entries.filter(isShown)) {
    const lead = `${indentBy(indent)}${drawMark(value.mark, layout.style)} ${padRight(drawKey(key), width)} = `;
    const hidesNull = diff.mark === 'delete';
    const showsUnchanged = frame.showsUnchanged === true;
    drawValue(out, value, { lead, indent, hidesNull, showsUnchanged }, layout);
  }
  const hidden = diff.entries.filter((entry) => !isShown(entry)).length;
  if (hidden > 0) out.push(drawHidden('attribute', hidden, indent, layout));
  out.push(
    `${drawClose(diff.mark, frame.indent, layout)}}${drawNull(diff, frame, layout)}${frame.end ?? ''}`,
  );
}

function drawSwap(
  out: string[],
  diff: ValueDiff & { kind: 'swap' },
  frame: ValueFrame,
  layout: Layout,
): void {
  const { lead, indent } = frame;
  const arrow = ` ${layout.style.yellow('->')} `;
  if (diff.after.kind === 'unknown') {
    const end = `${arrow}(known after apply)${drawTail(frame, layout)}`;
    drawValue(out, diff.before, { lead, indent, hidesNull: true, end }, layout);
    return;
  }
  const drawn: string[] = [];
  drawValue(drawn, diff.before, { lead, indent, hidesNull: true, end: arrow }, layout);
  drawValue(drawn, diff.after, { ...frame, lead: drawn.pop() ?? '' }, layout);
  if (drawn.every((line) => measureWidth(line) <= layout.columns)) {
    out.push(...drawn);
    return;
  }
  // Below each other, as single values are.
  const below = ' '.repeat(Math.max(0, measureWidth(lead) - 3)) + arrow.trimStart();
  drawValue(out, diff.before, { lead, indent, hidesNull: true }, layout);
  drawValue(out, diff.after, { ...frame, lead: below }, layout);
}
