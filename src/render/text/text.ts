import type { ResourceAddress } from '../../model/address.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { breakLine } from '../format/break-line.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { wrapText } from '../format/measure.ts';
import type { TextLayout } from '../format/style.ts';
import { foldChanges } from '../view/fold-changes.ts';
import { minFoldedInstances } from '../view/fold-instances.ts';
import { viewFoldedPlan } from '../view/fold-findings.ts';
import { joinAddresses } from '../view/instance-texts.ts';
import { decidePlanVerdict, findPlanSubject, formatPlanTitle } from '../view/plan-subject.ts';
import { describeRehearsal } from '../view/rehearsal-words.ts';
import { drawActionSymbol, symbolLegend } from '../view/symbols.ts';
import type { PlanView } from '../view/view.ts';
import { describeGoneAddresses, drawAddress, drawChange } from './change-text.ts';
import { describePlanClosing } from './closing.ts';
import {
  commandsTitle,
  drawPlannedCommands,
  probesTitle,
  sequentialModulesTitle,
} from './commands-text.ts';
import { describeLossWarning, describeBlockedPlan } from './counts-text.ts';
import { drawDiagnostics } from './diagnostics-text.ts';
import { drawDowntime } from './downtime-text.ts';
import { drawOutputChanges } from './outputs-text.ts';
import { drawProjects, drawQuotas } from './plan-tables.ts';

export interface PlanTextOptions extends TextLayout {
  /** Directory, service and commit of the plan. */
  readonly identity?: PlanIdentity | undefined;
  /** Result of the plan's rehearsals, drawn below the plan. */
  readonly rehearsal?: Rehearsal | undefined;
  /** Lines that the caller has to add below the headline of a change, without their `#`. */
  readonly addressHints?: ReadonlyMap<ResourceAddress, readonly string[]>;
}

const intro =
  'Hostwright used the configuration and the live account to generate the following execution plan. ' +
  'Resource actions are indicated with the following symbols:';

const goneWords =
  'The following objects are no longer in the configuration and were deleted outside of Hostwright. ' +
  'Applying this plan removes them from the state:';

const driftWords =
  'Hostwright detected the following changes made outside of Hostwright since the last "hostwright apply":';

/** Renders a plan as text for people, in Terraform's words; ends with a line end. */
export function renderPlanText(plan: Plan, options: PlanTextOptions): string {
  const view = viewFoldedPlan(plan, options.isVerbose);
  const out: string[] = [];
  drawTop(out, view, options.identity, options);
  if (view.mode === 'refresh') drawDrift(out, view, options);
  else drawGone(out, view, options);
  if (view.changes.length > 0) drawChanges(out, view, options);
  for (const [title, listed] of [
    [commandsTitle, view.commands],
    [probesTitle, view.probes],
    [sequentialModulesTitle, view.turns],
  ] as const) {
    if (listed.length === 0) continue;
    out.push(...wrapText(`${title}:`, options.columns), '');
    drawPlannedCommands(out, listed, options);
    out.push('');
  }
  drawQuotas(out, view.quotas, options);
  drawDiagnostics(out, view.findings, options);
  if (view.findings.length > 0) out.push('');
  drawProjects(out, view.projects, options);
  drawDowntime(out, view.downtime, options);
  drawPlanClosing(out, view, options);
  if (options.rehearsal) drawRehearsal(out, options.rehearsal, options);
  const { room = Infinity } = options;
  return `${out.flatMap((line) => breakLine(line, room)).join('\n')}\n`;
}

/** Draws the heading above changes made outside of this program. */
function drawOutsideNote(out: string[], words: string, { columns, style }: TextLayout): void {
  const note = style.bold(style.cyan('Note:'));
  out.push(`${note} ${style.bold('Objects have changed outside of Hostwright')}`, '');
  out.push(...wrapText(words, columns), '');
}

function drawGone(out: string[], { gone }: PlanView, layout: TextLayout): void {
  if (gone.length === 0) return;
  drawOutsideNote(out, goneWords, layout);
  for (const joined of joinAddresses(gone, layout.isVerbose ? Infinity : minFoldedInstances)) {
    drawAddress(out, joined.address, describeGoneAddresses(joined), layout);
  }
  out.push('');
}

function drawDrift(out: string[], { drift }: PlanView, options: PlanTextOptions): void {
  if (drift.length === 0) return;
  drawOutsideNote(out, driftWords, options);
  for (const change of options.isVerbose ? drift : foldChanges(drift)) {
    drawChange(out, change, [], options);
    out.push('');
  }
}

function drawChanges(out: string[], view: PlanView, options: PlanTextOptions): void {
  out.push(...wrapText(intro, options.columns));
  const used = new Set(view.changes.map((change) => change.action));
  for (const { action, words } of symbolLegend) {
    if (used.has(action)) {
      out.push(`${drawActionSymbol(action, options.style)} ${words}`);
    }
  }
  const heading = 'Hostwright will perform the following actions:';
  out.push('', ...wrapText(heading, options.room ?? Infinity), '');
  for (const change of options.isVerbose ? view.changes : foldChanges(view.changes)) {
    drawChange(out, change, options.addressHints?.get(change.address) ?? [], options);
    out.push('');
  }
}

/**
 * Cost of a plan, a line for each currency, never wrapped except on a terminal: people and scripts search logs for these
 * lines.
 */
function drawCost(out: string[], { cost }: PlanView, { columns, style }: TextLayout): void {
  if (!cost) return;
  const mark = 'Cost:';
  out.push(...cost.lines.map((line) => style.bold(mark) + line.slice(mark.length)));
  out.push(...cost.notes.flatMap((note) => wrapText(note, columns)).map(style.dim));
}

/** Draws the end of a plan: its counts, its outputs, the reason why it does nothing or cannot be applied, and its cost. */
export function drawPlanClosing(out: string[], view: PlanView, layout: TextLayout): void {
  drawVerdict(out, view, layout);
  // With changes, the cost stands behind their counts; without any, it is drawn here.
  if (view.hasChanges || !view.cost) return;
  out.push('');
  drawCost(out, view, layout);
}

function drawVerdict(out: string[], view: PlanView, { columns, style }: TextLayout): void {
  const { counts, verdict, explanation } = describePlanClosing(view);
  const plan = 'Plan:';
  if (counts !== undefined) out.push(style.bold(plan) + counts.slice(plan.length));
  if (view.hasChanges) drawCost(out, view, { columns, style });
  drawOutputChanges(out, view.outputs, { columns, style });
  if (view.hasErrors) {
    if (view.outputs.length > 0) out.push('');
    const mark = 'This plan cannot be applied:';
    const why = 'Fix the errors above, then plan again.';
    const [first = '', ...rest] = wrapText(`${verdict ?? ''} ${why}`, columns);
    out.push(style.bold(style.red(mark)) + first.slice(mark.length), ...rest);
    return;
  }
  if (verdict !== undefined) {
    const mark = 'No changes.';
    out.push(style.bold(style.green(mark)) + style.bold(verdict.slice(mark.length)));
  }
  if (explanation === undefined) return;
  // Changes made outside already end with an empty line.
  if (view.drift.length === 0) out.push('');
  out.push(...wrapText(explanation, columns));
}

const mark = 'Rehearsal:';

/** Draws the result of the plan's rehearsals. */
export function drawRehearsal(
  out: string[],
  rehearsal: Rehearsal,
  { columns, style }: TextLayout,
): void {
  const { headline, lines, isWhole } = describeRehearsal(rehearsal);
  const [first = '', ...rest] = wrapText(`${mark} ${headline}`, columns);
  const paint = isWhole ? style.green : style.yellow;
  out.push('', style.bold(paint(mark)) + first.slice(mark.length), ...rest);
  for (const { label, text, isProblem } of lines) {
    const title = `${label}:`;
    const [start = '', ...more] = wrapText(`  ${title} ${escapeUntrustedText(text)}`, columns - 2);
    const painted = isProblem ? style.yellow(title) : style.dim(title);
    out.push(`  ${painted}${start.slice(2 + title.length)}`, ...more.map((line) => `  ${line}`));
  }
}

/** The first lines of a plan: its subject and verdict, the reason why it is refused, and its losses. */
function drawTop(
  out: string[],
  view: PlanView,
  identity: PlanIdentity | undefined,
  layout: TextLayout,
): void {
  const { columns, style } = layout;
  if (identity) {
    const title = escapeUntrustedText(formatPlanTitle(findPlanSubject(view.mode, identity)));
    const { tone, words } = decidePlanVerdict(view);
    const paint = tone === 'error' || tone === 'loss' ? style.red : style.green;
    // Painted word by word, so that no colour goes over the end of a line.
    const verdict = words.split(' ').map(paint).join(' ');
    out.push(...wrapText(`${title}: ${verdict}`, columns).map(style.bold), '');
  }
  drawDanger(out, view, layout);
}

function drawDanger(out: string[], view: PlanView, { columns, style }: TextLayout): void {
  const danger = describeLossWarning(view);
  const said = [describeBlockedPlan(view), danger?.loss, danger?.counts].filter(
    (text): text is string => text !== undefined && text !== '',
  );
  if (said.length === 0) return;
  for (const line of said) {
    const [first = '', ...rest] = wrapText(line, columns - 2);
    const lines = [`! ${first}`, ...rest.map((text) => `  ${text}`)];
    out.push(...lines.map((text) => style.bold(style.red(text))));
  }
  out.push('');
}
