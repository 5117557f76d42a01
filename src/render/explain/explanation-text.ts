import type { FieldEffect } from '../../model/plan/plan.ts';
import type { DependencyReason } from '../../model/plan/task.ts';
import type { ValueOrigin, OriginKind } from '../../model/provenance.ts';
import { formatSourcePlace } from '../../model/source.ts';
import { escapeUntrustedText, formatValueAsJsonLine } from '../format/escape.ts';
import { cutTextMiddle, measureTerminalWidth, wrapText } from '../format/measure.ts';
import type { TextLayout } from '../format/style.ts';
import { drawChange } from '../text/change-text.ts';
import { drawDiagnostics } from '../text/diagnostics-text.ts';
import { explainCost } from '../view/plan-cost.ts';
import type {
  ChangeExplanation,
  FieldChangeReason,
  DependencyWaitView,
} from './view-explanation.ts';

/** The fewest columns that a value gets in an explanation. */
const leastRoom = 20;

/** Renders the explanation of why a resource changes, for `plan --explain`; ends with a line end. */
export function renderChangeExplanationText(
  explanation: ChangeExplanation,
  layout: TextLayout,
): string {
  const { address, change, source, origins, commands, losses, costs, findings } = explanation;
  const out: string[] = [];
  if (change) drawChange(out, change, [], layout);
  else out.push(layout.style.bold(`  # ${escapeUntrustedText(address)} does not change`));
  if (source) out.push('', `Defined at ${escapeUntrustedText(formatSourcePlace(source))}.`);
  drawSection(out, 'Why it changes', listReasons(explanation), layout);
  drawSection(out, 'Where its values come from', drawOrigins(origins, layout), layout);
  drawSection(out, 'What is sent', commands.length > 0 ? [commands.join(', ')] : [], layout);
  drawSection(out, 'What it waits for', explanation.waitsFor.map(drawWait), layout);
  drawSection(out, 'What waits for it', explanation.waitedForBy.map(drawWaiter), layout);
  drawSection(out, 'What it costs', costs.map(explainCost), layout);
  drawSection(out, 'What is lost', losses.map(escapeUntrustedText), layout);
  if (findings.length > 0) {
    out.push('');
    drawDiagnostics(out, findings, layout);
  }
  return `${out.join('\n')}\n`;
}

/** Draws a title with lines below it; nothing where there are no lines. */
function drawSection(
  out: string[],
  title: string,
  lines: readonly string[],
  { columns, style }: TextLayout,
): void {
  if (lines.length === 0) return;
  out.push('', style.bold(`${title}:`));
  for (const line of lines) {
    const [first = '', ...rest] = wrapText(`  ${line}`, columns - 4);
    // Pieces that do not fit on the line go on below it, further in.
    out.push(first, ...rest.map((one) => `  ${one}`));
  }
}

function listReasons({ change, reason, fields }: ChangeExplanation): readonly string[] {
  if (!change) return [];
  const why = reason === undefined ? [] : [escapeUntrustedText(reason.replace(/^\((.*)\)$/, '$1'))];
  if (why.length + fields.length === 0 && change.action === 'create') {
    return ['It is configured, and neither the state nor the account has it.'];
  }
  return [...why, ...fields.map(drawField)];
}

function drawField({ name, effect, follows }: FieldChangeReason): string {
  const change = follows.length === 1 ? 'changes' : 'change';
  const rest = follows.length === 0 ? '' : `, so ${joinWords(follows)} ${change} too`;
  return `${escapeUntrustedText(name)} ${effectWords[effect]}${rest}`;
}

function joinWords(words: readonly string[]): string {
  const [last = '', ...others] = [...words].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

function drawOrigins(origins: readonly ValueOrigin[], layout: TextLayout): string[] {
  return origins.flatMap((origin) => drawOrigin(origin, 0, layout));
}

/** `image = "debian-12"  main.yaml:12:14: ${var.image}`, with the values that the expression reads below it. */
function drawOrigin(origin: ValueOrigin, depth: number, { columns, style }: TextLayout): string[] {
  const { name, source, written, reads } = origin;
  const indent = '  '.repeat(depth);
  const place = [
    source && escapeUntrustedText(formatSourcePlace(source)),
    written !== undefined && escapeUntrustedText(written),
    wordOrigin(origin),
  ].filter((one): one is string => typeof one === 'string');
  const start = `${indent}${escapeUntrustedText(name)} = `;
  const room = columns - measureTerminalWidth(start) - 6;
  const lead = start + cutTextMiddle(drawOriginValue(origin), Math.max(leastRoom, room));
  const comment = style.dim(`# ${place.join('  ')}`);
  const isOneLine = measureTerminalWidth(`  ${lead}  ${comment}`) <= columns;
  const own = isOneLine ? [`${lead}  ${comment}`] : [lead, `${indent}  ${comment}`];
  return [...own, ...reads.flatMap((one) => drawOrigin(one, depth + 1, { columns, style }))];
}

function drawOriginValue({ value, isSensitive, kind }: ValueOrigin): string {
  if (isSensitive) return '(sensitive value)';
  if (kind === 'block') return '(several values)';
  if (value === undefined) return kind === 'given' ? '(unknown)' : '(known after apply)';
  return formatValueAsJsonLine(value);
}

function drawWait({ address, step, reason, fromCommand }: DependencyWaitView): string {
  const from = fromCommand === undefined ? '' : ` (from ${fromCommand} on)`;
  return `${escapeUntrustedText(address)} is ${step}: ${waitWords[reason]}${from}`;
}

function drawWaiter({ address, step, reason }: DependencyWaitView): string {
  return `${escapeUntrustedText(address)} is ${step}: ${waiterWords[reason]}`;
}

/** Consequence of changing a field, as the end of a sentence about that field. */
const effectWords: Readonly<Record<FieldEffect, string>> = {
  update: 'is changed in place',
  rebuild: 'forces a rebuild: the disk is lost',
  replace: 'forces replacement',
};

/** Reason why this resource waits for another, as a clause about the other resource. */
const waitWords: Readonly<Record<DependencyReason, string>> = {
  container: 'contains this resource',
  reference: 'this resource refers to it',
  dependent: 'depends on this resource',
  trigger: '`replaceTriggeredBy` names it',
  value: 'this resource reads a value of it',
  claim: 'releases a name or a port that this resource takes',
  replacement: 'one of the two replaces the other',
  'step-aside': 'releases what this resource takes',
  quota: 'frees quota that this resource needs',
  ready: 'must be ready, or lead to what is probed, first',
  rollout: 'comes before this resource in the rollout',
};

/** Reason why another resource waits for this one, as a clause about the other resource. */
const waiterWords: Readonly<Record<DependencyReason, string>> = {
  container: 'is part of this resource',
  reference: 'refers to this resource',
  dependent: 'this resource depends on it',
  trigger: 'its `replaceTriggeredBy` names this resource',
  value: 'reads a value of this resource',
  claim: 'takes a name or a port that this resource releases',
  replacement: 'one of the two replaces the other',
  'step-aside': 'takes what this resource releases',
  quota: 'needs quota that this resource frees',
  ready: 'is probed, or destroyed, after this resource',
  rollout: 'comes after this resource in the rollout',
};

const originWords: Readonly<Record<OriginKind, string | undefined>> = {
  written: undefined,
  defaults: 'from `defaults`',
  default: 'default',
  'default-value': 'default of the variable',
  given: undefined,
  repeated: undefined,
  block: 'what the expression needs of it',
  file: 'what is in the file',
  service: 'assigned by the service',
};

/** Words for the source of a value (a flag, the environment, a default), where it has no place in a file. */
function wordOrigin({ kind, givenBy, source }: ValueOrigin): string | undefined {
  // A file with variables is shown by its place: words would say it twice.
  return source && kind === 'given' ? undefined : (givenBy ?? originWords[kind]);
}
