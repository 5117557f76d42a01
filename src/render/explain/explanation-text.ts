import { formatPlace } from '../../model/source.ts';
import type { ValueOrigin } from '../../model/provenance.ts';
import { escapeText, quoteValue } from '../format/escape.ts';
import { cutMiddle, measureWidth, wrapText } from '../format/measure.ts';
import type { Layout } from '../format/style.ts';
import { drawChange } from '../text/change-text.ts';
import { explainCost } from '../view/plan-cost.ts';
import { drawDiagnostics } from '../text/diagnostics-text.ts';
import { effectWords, waiterWords, waitWords, wordOrigin } from './explanation-words.ts';
import type { Explanation, FieldReason, WaitView } from './view-explanation.ts';

/** The least room for a value. */
const leastRoom = 20;

/** Why a resource changes, as people read it; ends with a line end. */
export function renderExplanationText(explanation: Explanation, layout: Layout): string {
  const { address, change, source, origins, commands, losses, costs, findings } = explanation;
  const out: string[] = [];
  if (change) drawChange(out, change, [], layout);
  else out.push(layout.style.bold(`  # ${escapeText(address)} does not change`));
  if (source) out.push('', `Defined at ${escapeText(formatPlace(source))}.`);
  drawSection(out, 'Why it changes', listReasons(explanation), layout);
  drawSection(out, 'Where its values come from', drawOrigins(origins, layout), layout);
  drawSection(out, 'What is sent', commands.length > 0 ? [commands.join(', ')] : [], layout);
  drawSection(out, 'What it waits for', explanation.waitsFor.map(drawWait), layout);
  drawSection(out, 'What waits for it', explanation.waitedForBy.map(drawWaiter), layout);
  drawSection(out, 'What it costs', costs.map(explainCost), layout);
  drawSection(out, 'What is lost', losses.map(escapeText), layout);
  if (findings.length > 0) {
    out.push('');
    drawDiagnostics(out, findings, layout);
  }
  return `${out.join('\n')}\n`;
}

/** A title with lines below it; nothing where there are none. */
function drawSection(
  out: string[],
  title: string,
  lines: readonly string[],
  { columns, style }: Layout,
): void {
  if (lines.length === 0) return;
  out.push('', style.bold(`${title}:`));
  for (const line of lines) {
    const [first = '', ...rest] = wrapText(`  ${line}`, columns - 4);
    // What does not fit goes on below, further in.
    out.push(first, ...rest.map((one) => `  ${one}`));
  }
}

function listReasons({ change, reason, fields }: Explanation): readonly string[] {
  if (!change) return [];
  const why = reason === undefined ? [] : [escapeText(reason.replace(/^\((.*)\)$/, '$1'))];
  if (why.length + fields.length === 0 && change.action === 'create') {
    return ['It is configured, and neither the state nor the account has it.'];
  }
  return [...why, ...fields.map(drawField)];
}

function drawField({ name, effect, follows }: FieldReason): string {
  const change = follows.length === 1 ? 'changes' : 'change';
  const rest = follows.length === 0 ? '' : `, so ${joinWords(follows)} ${change} too`;
  return `${escapeText(name)} ${effectWords[effect]}${rest}`;
}

function joinWords(words: readonly string[]): string {
  const [last = '', ...others] = [...words].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

function drawOrigins(origins: readonly ValueOrigin[], layout: Layout): string[] {
  return origins.flatMap((origin) => drawOrigin(origin, 0, layout));
}

/** `image = "debian-12"  main.yaml:12:14: ${var.image}`, with what it reads below it. */
function drawOrigin(origin: ValueOrigin, depth: number, { columns, style }: Layout): string[] {
  const { name, source, written, reads } = origin;
  const indent = '  '.repeat(depth);
  const place = [
    source && escapeText(formatPlace(source)),
    written !== undefined && escapeText(written),
    wordOrigin(origin),
  ].filter((one): one is string => typeof one === 'string');
  const start = `${indent}${escapeText(name)} = `;
  const room = columns - measureWidth(start) - 6;
  const lead = start + cutMiddle(drawOriginValue(origin), Math.max(leastRoom, room));
  const comment = style.dim(`# ${place.join('  ')}`);
  const isOneLine = measureWidth(`  ${lead}  ${comment}`) <= columns;
  const own = isOneLine ? [`${lead}  ${comment}`] : [lead, `${indent}  ${comment}`];
  return [...own, ...reads.flatMap((one) => drawOrigin(one, depth + 1, { columns, style }))];
}

function drawOriginValue({ value, isSensitive, kind }: ValueOrigin): string {
  if (isSensitive) return '(sensitive value)';
  if (value === undefined) return kind === 'given' ? '(unknown)' : '(known after apply)';
  return quoteValue(value);
}

function drawWait({ address, step, reason, fromCommand }: WaitView): string {
  const from = fromCommand === undefined ? '' : ` (from ${fromCommand} on)`;
  return `${escapeText(address)} is ${step}: ${waitWords[reason]}${from}`;
}

function drawWaiter({ address, step, reason }: WaitView): string {
  return `${escapeText(address)} is ${step}: ${waiterWords[reason]}`;
}
