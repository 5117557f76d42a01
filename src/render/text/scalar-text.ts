// A single value within a plan, and what stands around every value.
import { quoteValue } from '../format/escape.ts';
import { cutMiddle, findDifference, measureWidth } from '../format/measure.ts';
import type { Layout } from '../format/style.ts';
import type { Scalar, ValueDiff } from '../view/value-diff.ts';
import { markWords, type Span } from '../view/word-marks.ts';

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
export const minRoom = 12;

/** What stands behind a value on its line. */
export function drawTail(frame: ValueFrame, { style }: Layout): string {
  return (frame.end ?? '') + (frame.comment === undefined ? '' : ` ${style.red(frame.comment)}`);
}

/** `-> null` behind what goes. */
export function drawNull(diff: ValueDiff, frame: ValueFrame, { style }: Layout): string {
  return diff.mark === 'delete' && frame.hidesNull !== true ? ` ${style.dim('-> null')}` : '';
}

/** A single value as it stands in a plan. */
export function formatScalar(value: Scalar, { style }: Layout): string {
  return value === null ? style.dim('null') : quoteValue(value);
}

/** A scalar within the room that is left on its line. */
function fitScalar(value: Scalar, room: number, layout: Layout, focus = 0): string {
  const text = formatScalar(value, layout);
  if (typeof value !== 'string' || measureWidth(text) <= room) return text;
  return `"${cutMiddle(text.slice(1, -1), Math.max(minRoom, room) - 2, focus)}"`;
}

/** Both sides of a change with the words painted that differ; without colours they are as they were. */
export function paintWords(
  before: string,
  after: string,
  { style }: Layout,
): { before: string; after: string } {
  const marked = markWords(before, after);
  const paint = (spans: readonly Span[], mark: (text: string) => string) =>
    spans.map(({ text, isDifferent }) => (isDifferent ? mark(text) : text)).join('');
  return { before: paint(marked.before, style.red), after: paint(marked.after, style.green) };
}

/** Draws a single value, on two lines where both sides have no room on one. */
export function drawScalar(
  out: string[],
  diff: ValueDiff & { kind: 'scalar' },
  frame: ValueFrame,
  layout: Layout,
): void {
  const tail = drawTail(frame, layout);
  const room = layout.columns - measureWidth(frame.lead);
  if (diff.mark !== 'update') {
    const rest = drawNull(diff, frame, layout) + tail;
    // On a terminal a long line is broken: the value is shown whole, and what follows goes below it.
    const behind = layout.room === undefined ? measureWidth(rest) : 0;
    out.push(`${frame.lead}${fitScalar(diff.after, room - behind, layout)}${rest}`);
    return;
  }
  const before = formatScalar(diff.before, layout);
  const after = formatScalar(diff.after, layout);
  const arrow = layout.style.yellow('->');
  if (measureWidth(`${before} -> ${after}${tail}`) <= room) {
    const marked = paintWords(before, after, layout);
    out.push(`${frame.lead}${marked.before} ${arrow} ${marked.after}${tail}`);
    return;
  }
  // Both sides below each other and cut alike, so that the eye finds the difference.
  const focus = Math.max(0, findDifference(before, after) - 1);
  const below = ' '.repeat(Math.max(0, measureWidth(frame.lead) - 3));
  const marked = paintWords(
    fitScalar(diff.before, room, layout, focus),
    fitScalar(diff.after, room, layout, focus),
    layout,
  );
  out.push(`${frame.lead}${marked.before}`);
  const second = `${below}${arrow} ${marked.after}`;
  if (measureWidth(second + tail) <= layout.columns) {
    out.push(second + tail);
  } else {
    out.push(second, below + tail.trimStart());
  }
}
