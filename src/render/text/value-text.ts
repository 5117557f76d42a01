import { escapeText, quoteText } from '../format/escape.ts';
import { countNoun } from '../view/labels.ts';
import { cutEnd, cutMiddle, findDifference, measureWidth, padRight } from '../format/measure.ts';
import type { Layout } from '../format/style.ts';
import { drawMark } from '../format/symbols.ts';
import type { LineDiff, MapEntry, Scalar, ValueDiff } from '../view/value-diff.ts';

/** What stands around a value. */
export interface ValueFrame {
  /** Everything before the value on its first line. */
  readonly lead: string;
  /** Depth of the line: 4 cells a level, and 4 more for the symbol. */
  readonly indent: number;
  /** A comment behind its first line, with its `#`. */
  readonly comment?: string;
  /** A comma behind an element. */
  readonly end?: string;
  /** True within something that is deleted whole: only that says `-> null`. */
  readonly hidesNull?: boolean;
  /** True where nothing is hidden. */
  readonly showsUnchanged?: boolean;
}

/** The least room for a value: below it, lines run over the width rather than say nothing. */
const minRoom = 12;

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

/** `# (2 unchanged elements hidden)`. */
export function drawHidden(noun: string, count: number, indent: number, layout: Layout): string {
  return `${indentBy(indent)}    ${layout.style.dim(`# (${countNoun(`unchanged ${noun}`, count)} hidden)`)}`;
}

/** A key as YAML would take it without quotes, or in quotes. */
export function drawKey(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) ? key : quoteText(key);
}

function drawTail(frame: ValueFrame, { style }: Layout): string {
  return (frame.end ?? '') + (frame.comment === undefined ? '' : ` ${style.red(frame.comment)}`);
}

function drawNull(diff: ValueDiff, frame: ValueFrame, { style }: Layout): string {
  return diff.mark === 'delete' && frame.hidesNull !== true ? ` ${style.dim('-> null')}` : '';
}

function formatScalar(value: Scalar, { style }: Layout): string {
  if (value === null) return style.dim('null');
  return typeof value === 'string' ? quoteText(value) : String(value);
}

/** A scalar within the room that is left on its line. */
function fitScalar(value: Scalar, room: number, layout: Layout, focus = 0): string {
  const text = formatScalar(value, layout);
  if (typeof value !== 'string' || measureWidth(text) <= room) return text;
  return `"${cutMiddle(text.slice(1, -1), Math.max(minRoom, room) - 2, focus)}"`;
}

function drawScalar(
  out: string[],
  diff: ValueDiff & { kind: 'scalar' },
  frame: ValueFrame,
  layout: Layout,
): void {
  const tail = drawTail(frame, layout);
  const room = layout.columns - measureWidth(frame.lead);
  if (diff.mark !== 'update') {
    const rest = drawNull(diff, frame, layout) + tail;
    out.push(`${frame.lead}${fitScalar(diff.after, room - measureWidth(rest), layout)}${rest}`);
    return;
  }
  const before = formatScalar(diff.before, layout);
  const after = formatScalar(diff.after, layout);
  const arrow = layout.style.yellow('->');
  if (measureWidth(`${before} -> ${after}${tail}`) <= room) {
    out.push(`${frame.lead}${before} ${arrow} ${after}${tail}`);
    return;
  }
  // Both sides below each other and cut alike, so that the eye finds the difference.
  const focus = Math.max(0, findDifference(before, after) - 1);
  const below = ' '.repeat(Math.max(0, measureWidth(frame.lead) - 3));
  out.push(`${frame.lead}${fitScalar(diff.before, room, layout, focus)}`);
  const second = `${below}${arrow} ${fitScalar(diff.after, room, layout, focus)}`;
  if (measureWidth(second + tail) <= layout.columns) {
    out.push(second + tail);
  } else {
    out.push(second, below + tail.trimStart());
  }
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
  for (const line of diff.lines) out.push(drawLine(line, start, layout));
  out.push(`${indentBy(frame.indent)}    EOT${drawNull(diff, frame, layout)}${frame.end ?? ''}`);
}

function drawLine(line: LineDiff, start: string, layout: Layout): string {
  const lead = `${start}${drawMark(line.mark, layout.style)} `;
  return (
    lead + cutEnd(escapeText(line.text), Math.max(minRoom, layout.columns - measureWidth(lead)))
  );
}

function drawList(
  out: string[],
  diff: ValueDiff & { kind: 'list' },
  frame: ValueFrame,
  layout: Layout,
): void {
  if (diff.elements.length === 0) {
    out.push(`${frame.lead}[]${drawNull(diff, frame, layout)}${drawTail(frame, layout)}`);
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
  out.push(`${indentBy(frame.indent)}    ]${drawNull(diff, frame, layout)}${frame.end ?? ''}`);
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
  out.push(`${indentBy(frame.indent)}    }${drawNull(diff, frame, layout)}${frame.end ?? ''}`);
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
  drawValue(out, diff.before, { lead, indent, hidesNull: true, end: arrow }, layout);
  drawValue(out, diff.after, { ...frame, lead: out.pop() ?? '' }, layout);
}
