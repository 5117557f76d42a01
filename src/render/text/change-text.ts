import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import { escapeUntrustedText, quoteText } from '../format/escape.ts';
import { listAttributeNotes } from '../view/attribute-notes.ts';
import type { JoinedAddress } from '../view/instance-texts.ts';
import { formatKindCount } from '../view/labels.ts';
import { breakAddressAtDots } from '../format/break-line.ts';
import { measureTerminalWidth, padRight, wrapText } from '../format/measure.ts';
import type { TextLayout, TextStyle } from '../format/style.ts';
import { drawActionSymbol, drawValueMark, type ShownAction } from '../view/symbols.ts';
import type { ValueMark } from '../view/value-diff.ts';
import { drawClosingIndent, drawHiddenCount, drawYamlKey, drawValueDiff } from './value-text.ts';
import { findConsequentAttributes } from '../view/following.ts';
import type { AttributeView, ChangeView } from '../view/view.ts';

/** Attributes shown even where they do not change: they say which resource this is. */
const identifying = new Set(['id', 'name']);

/** Draws one change: its headline, its reason, its losses, and its attributes. */
export function drawChange(
  out: string[],
  change: ChangeView,
  hints: readonly string[],
  layout: TextLayout,
): void {
  const { style } = layout;
  drawHeadline(out, change, layout);
  for (const remark of listChangeRemarks(change)) drawComment(out, remark, layout);
  for (const loss of change.losses) drawComment(out, `Warning: ${loss}`, layout, style.red);
  for (const hint of hints) drawComment(out, hint, layout);
  const header = `${drawActionSymbol(change.action, style)} ${change.kind} "${escapeUntrustedText(change.name)}" {`;
  if (change.attributes.length === 0) {
    out.push(`${header}}`);
    return;
  }
  out.push(header);
  // An adopted resource is shown with all values, as the reader has seen none of them in a plan.
  drawAttributeLines(out, change.attributes, layout, change.isImported);
  out.push(`${drawClosingIndent(wholeMarks[change.action] ?? 'none', 0, layout)}}`);
}

/** Marks for actions that treat all attributes alike, as a create adds each of them. */
const wholeMarks: Readonly<Partial<Record<ShownAction, ValueMark>>> = {
  create: 'create',
  delete: 'delete',
  expire: 'delete',
  gone: 'delete',
};

/** Lists the remarks below the headline of a change, except for its losses: its reason, and how it is carried out. */
export function listChangeRemarks(change: ChangeView): string[] {
  const { action, reason, underway, movedFrom, isImported, asideName } = change;
  const { isBackedUpFirst, isTakenBack, isProtectionLifted, retirement, cost, members } = change;
  const { dueBackup } = change;
  return [
    ...(reason === undefined ? [] : [reason]),
    ...(underway === undefined ? [] : [`(${underway})`]),
    ...(movedFrom === undefined || action === 'move' ? [] : [`(moved from ${movedFrom})`]),
    ...(isImported && action !== 'import' ? ['(imported: it was not managed until now)'] : []),
    ...(asideName === undefined ? [] : [explainAside(action, asideName)]),
    ...(retirement === undefined ? [] : [`(${retirement})`]),
    ...(isProtectionLifted ? ['(no longer protected: preventDestroy is not true any more)'] : []),
    ...(isBackedUpFirst ? ['(a backup is made first, and without it there is no rebuild)'] : []),
    ...(dueBackup === undefined ? [] : [`(${dueBackup})`]),
    ...(isTakenBack
      ? ['(the backup is restored if the rebuild fails, or is not ready in time)']
      : []),
    ...(cost === undefined ? [] : [`(${members ? 'each ' : ''}${cost})`]),
  ];
}

/** Explains the name that a resource has until its final name is free. */
function explainAside(action: ShownAction, name: string): string {
  return action === 'create-first'
    ? `(the old one is renamed to ${quoteText(name)} until its replacement exists)`
    : `(renamed to ${quoteText(name)} in between)`;
}

/** Draws the lines between the braces of a resource; unchanged attributes are counted, unless all are asked for. */
export function drawAttributeLines(
  out: string[],
  attributes: readonly AttributeView[],
  layout: TextLayout,
  showsUnchanged = false,
): void {
  const following = layout.isVerbose ? undefined : findConsequentAttributes(attributes);
  const own = attributes.filter((one) => !following?.attributes.has(one));
  const width = Math.max(...own.map(({ name }) => measureTerminalWidth(drawYamlKey(name))));
  let hidden = 0;
  for (const attribute of own) {
    const { name, diff, waiting, toldBy } = attribute;
    const isRemarkable = waiting !== undefined || toldBy !== undefined;
    const isShown = diff.mark !== 'none' || isRemarkable || identifying.has(name);
    if (!isShown && !showsUnchanged) {
      hidden += 1;
      continue;
    }
    const lead = `    ${drawValueMark(diff.mark, layout.style)} ${padRight(drawYamlKey(name), width)} = `;
    const notes = listAttributeNotes(attribute);
    const comments = notes.filter(({ kind }) => kind !== 'stand-in').map(({ words }) => words);
    const remarks = [
      ...notes.filter(({ kind }) => kind === 'stand-in').map(({ words }) => `(${words})`),
      ...(comments.length > 0 ? [`# ${comments.join(', ')}`] : []),
    ];
    const comment = remarks.join(' ');
    const frame = { lead, indent: 1, showsUnchanged, ...(comment && { comment }) };
    drawValueDiff(out, diff, frame, name === 'writeTo' ? { ...layout, columns: Infinity } : layout);
  }
  if (following) {
    const lines = wrapText(following.words, layout.columns - 10);
    out.push(...lines.map((line) => `        # ${line}`));
  }
  if (hidden > 0) out.push(drawHiddenCount('attribute', hidden, 1, layout));
}

function drawHeadline(out: string[], change: ChangeView, layout: TextLayout): void {
  const { action, address, members, kind, movedFrom } = change;
  const count = members ? ` (${formatKindCount(kind, members.length)})` : '';
  if (action === 'move' && movedFrom !== undefined) {
    // A move is worded as in Terraform: `A has moved to B`.
    drawAddress(out, movedFrom, `has moved to ${escapeUntrustedText(address)}${count}`, layout);
    return;
  }
  const paint = (words: string) => paintAlarm(words, action, layout.style);
  drawAddress(out, address, describeActionHeadline(change) + count, layout, paint);
}

/** Draws an address with the words behind it; the words go below it where the line is too short for both. */
export function drawAddress(
  out: string[],
  address: ResourceAddress,
  words: string,
  { columns, style, room = Infinity }: TextLayout,
  paint = (text: string) => text,
): void {
  const text = escapeUntrustedText(address);
  if (measureTerminalWidth(`  # ${text} ${words}`) <= columns) {
    out.push(`${style.bold(`  # ${text}`)} ${paint(words)}`);
    return;
  }
  // A headline with the keys of many instances may take several lines.
  const [first = '', ...rest] = wrapText(text, columns - 6).flatMap((line) =>
    measureTerminalWidth(line) <= room - 6 ? [line] : breakAddressAtDots(line, room - 6),
  );
  out.push(style.bold(`  # ${first}`), ...rest.map((line) => style.bold(`  #   ${line}`)));
  out.push(`  #   ${paint(words)}`);
}

/** Describes resources that were deleted outside of Hostwright and are not configured any more. */
export function describeGoneAddresses({ members }: JoinedAddress): string {
  const kind = parseResourceAddress(members[0] ?? '')?.kind;
  const isOne = members.length === 1 || kind === undefined;
  return `has been deleted${isOne ? '' : ` (${formatKindCount(kind, members.length)})`}`;
}

/** Words at the end of a change's headline: what happens to the resource. */
export function describeActionHeadline({ action, retirement, movedFrom = '' }: ChangeView): string {
  switch (action) {
    case 'create':
      return 'will be created';
    case 'update':
      return 'will be updated in-place';
    case 'delete':
      return retirement === undefined ? 'will be destroyed' : 'will be retired';
    case 'expire':
      return 'will be destroyed, as its retirement has ended';
    case 'due':
      return 'will be backed up';
    case 'drift':
      return 'has changed';
    case 'gone':
      return 'has been deleted';
    case 'import':
      return 'will be imported';
    case 'forget':
      return 'will no longer be managed by Hostwright, but will not be destroyed';
    case 'move':
      return `has moved here from ${escapeUntrustedText(movedFrom)}`;
    case 'create-first':
    case 'replace':
      return 'must be replaced';
    case 'rebuild':
      return 'will be rebuilt (its disk is lost)';
  }
}

/** Word of the headline that is coloured as an alarm, by action. */
const alarms: Readonly<Partial<Record<ShownAction, string>>> = {
  delete: 'destroyed',
  expire: 'destroyed',
  gone: 'deleted',
  replace: 'replaced',
  'create-first': 'replaced',
  rebuild: 'rebuilt',
};

function paintAlarm(words: string, action: ShownAction, { bold, red }: TextStyle): string {
  const alarm = alarms[action];
  return alarm === undefined ? words : words.replace(alarm, (word) => bold(red(word)));
}

/** A comment line below the headline; a long one goes on under its own beginning. */
function drawComment(
  out: string[],
  text: string,
  { columns }: TextLayout,
  paint = (line: string) => line,
): void {
  for (const line of wrapText(escapeUntrustedText(text), columns - 4))
    out.push(`  # ${paint(line)}`);
}
