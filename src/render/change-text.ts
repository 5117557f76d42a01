import { parseAddress, type Address } from '../model/address.ts';
import { escapeText, quoteText } from './escape.ts';
import type { JoinedAddress } from './instance-texts.ts';
import { countKind } from './labels.ts';
import { measureWidth, padRight, wrapText } from './measure.ts';
import type { Layout, Style } from './style.ts';
import { drawActionSymbol, drawMark } from './symbols.ts';
import type { Value } from '../model/value.ts';
import { drawHidden, drawKey, drawValue } from './value-text.ts';
import type { AttributeView, ChangeView } from './view.ts';

/** Said of a rebuild that waits for a backup. */
export const backupWords = '(a backup is made first, and without it there is no rebuild)';

/** Shown even where they do not change: they say which resource this is. */
const identifying = new Set(['id', 'name']);

/** Draws one change: its headline, why it is, what it loses, and its attributes. */
export function drawChange(
  out: string[],
  change: ChangeView,
  hints: readonly string[],
  layout: Layout,
): void {
  const { style } = layout;
  drawHeadline(out, change, layout);
  if (change.reason !== undefined) drawComment(out, change.reason, layout);
  if (change.movedFrom !== undefined && change.action !== 'move') {
    drawComment(out, `(moved from ${change.movedFrom})`, layout);
  }
  if (change.isImported && change.action !== 'import') {
    drawComment(out, '(imported: it was not managed until now)', layout);
  }
  const aside = explainAside(change);
  if (aside !== undefined) drawComment(out, aside, layout);
  if (change.isBackedUpFirst) {
    drawComment(out, backupWords, layout);
  }
  for (const loss of change.losses) drawComment(out, `Warning: ${loss}`, layout, style.yellow);
  for (const hint of hints) drawComment(out, hint, layout);
  const header = `${drawActionSymbol(change.action, style)} ${change.kind} "${escapeText(change.name)}" {`;
  if (change.attributes.length === 0) {
    out.push(`${header}}`);
    return;
  }
  out.push(header);
  drawAttributes(out, change.attributes, layout);
  out.push('    }');
}

/** Says under which name it stands in between; undefined where it keeps its own. */
export function explainAside({ action, asideName }: ChangeView): string | undefined {
  if (asideName === undefined) return undefined;
  return action === 'create-first'
    ? `(the old one is renamed to ${quoteText(asideName)} until its replacement stands)`
    : `(renamed to ${quoteText(asideName)} in between)`;
}

/** Draws the lines between the braces of a resource; what does not change is counted, unless all is asked for. */
export function drawAttributes(
  out: string[],
  attributes: readonly AttributeView[],
  layout: Layout,
  showsUnchanged = false,
): void {
  const width = Math.max(...attributes.map(({ name }) => measureWidth(drawKey(name))));
  let hidden = 0;
  for (const { name, diff, forces, outside } of attributes) {
    if (diff.mark === 'none' && !showsUnchanged && !identifying.has(name)) {
      hidden += 1;
      continue;
    }
    const lead = `    ${drawMark(diff.mark, layout.style)} ${padRight(drawKey(name), width)} = `;
    const comments = [
      ...(forces ? [`forces ${forces}`] : []),
      ...(outside === undefined ? [] : [`changed outside: was ${quoteValue(outside)}`]),
    ];
    const comment = comments.length > 0 && `# ${comments.join(', ')}`;
    drawValue(out, diff, { lead, indent: 1, showsUnchanged, ...(comment && { comment }) }, layout);
  }
  if (hidden > 0) out.push(drawHidden('attribute', hidden, 1, layout));
}

function drawHeadline(out: string[], change: ChangeView, layout: Layout): void {
  const [words, drawn] = describeAction(change, layout.style);
  const { address, members, kind } = change;
  if (!members) drawAddress(out, address, [words, drawn], layout);
  else {
    const count = ` (${countKind(kind, members.length)})`;
    drawAddress(out, address, [words + count, drawn + count], layout);
  }
}

/** An address with what is said of it, below it where the line has no room for both. */
export function drawAddress(
  out: string[],
  address: Address,
  [words, drawn]: readonly [plain: string, drawn: string],
  { columns, style }: Layout,
): void {
  const text = escapeText(address);
  if (measureWidth(`  # ${text} ${words}`) <= columns) {
    out.push(`${style.bold(`  # ${text}`)} ${drawn}`);
    return;
  }
  // The keys of many instances may take several lines.
  const [first = '', ...rest] = wrapText(text, columns - 6);
  out.push(style.bold(`  # ${first}`), ...rest.map((line) => style.bold(`  #   ${line}`)));
  out.push(`  #   ${drawn}`);
}

/** What is said of addresses that nobody configures and that were deleted outside. */
export function describeGone({ members }: JoinedAddress): string {
  const kind = parseAddress(members[0] ?? '')?.kind;
  const isOne = members.length === 1 || kind === undefined;
  return `has been deleted${isOne ? '' : ` (${countKind(kind, members.length)})`}`;
}

/** The end of a headline, plain and as drawn. */
export function describeAction(
  { action, movedFrom = '' }: ChangeView,
  style: Style,
): readonly [string, string] {
  const alarm = (text: string) => style.bold(style.red(text));
  switch (action) {
    case 'create':
      return ['will be created', 'will be created'];
    case 'update':
      return ['will be updated in-place', 'will be updated in-place'];
    case 'delete':
      return ['will be destroyed', `will be ${alarm('destroyed')}`];
    case 'drift':
      return ['has changed', 'has changed'];
    case 'gone':
      return ['has been deleted', `has been ${alarm('deleted')}`];
    case 'import':
      return ['will be imported', 'will be imported'];
    case 'forget':
      return [
        'will no longer be managed, and is not destroyed',
        'will no longer be managed, and is not destroyed',
      ];
    case 'move': {
      const words = `has moved here from ${escapeText(movedFrom)}`;
      return [words, words];
    }
    case 'create-first':
    case 'replace':
      return ['must be replaced', `must be ${alarm('replaced')}`];
    case 'rebuild':
      return [
        'will be rebuilt (its disk is lost)',
        `will be ${alarm('rebuilt')} (its disk is lost)`,
      ];
  }
}

/** A value on one line, for a comment. */
export function quoteValue(value: Value): string {
  return typeof value === 'string' ? quoteText(value) : escapeText(JSON.stringify(value));
}

/** A comment line below the headline; a long one goes on under its own beginning. */
function drawComment(
  out: string[],
  text: string,
  { columns }: Layout,
  paint = (line: string) => line,
): void {
  for (const line of wrapText(escapeText(text), columns - 4)) out.push(`  # ${paint(line)}`);
}
