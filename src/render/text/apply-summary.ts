import type { ResourceAddress } from '../../model/address.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import { countEffects } from '../../model/effects.ts';
import { addToGroup, groupBy } from '../../model/group-by.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import {
  isRestoredAfterFailedRebuild,
  type AppliedChange,
  type ApplySummary,
} from '../../model/plan/result.ts';
import { describeAppliedEffectCounts } from './counts-text.ts';
import { drawDiagnostics } from './diagnostics-text.ts';
import { breakLine } from '../format/break-line.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { minFoldedInstances } from '../view/fold-instances.ts';
import { joinAddresses } from '../view/instance-texts.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { wrapText } from '../format/measure.ts';
import { renderOutputs } from './outputs-text.ts';
import type { TextLayout } from '../format/style.ts';

/** The most addresses that are listed under one heading; the rest is counted. */
const maxListed = 10;

/**
 * Summary of an apply: boxes of the failures, lists of the changes that were not done and why, then the counts and the next
 * step.
 */
export function renderApplySummary(
  summary: ApplySummary,
  layout: TextLayout & { readonly mode: PlanMode },
): string {
  const out: string[] = [];
  const { changes } = summary;
  const failures = listDiagnostics(changes, 'failed');
  const unknowns = listDiagnostics(changes, 'unknown');
  drawFailures(out, [...failures, ...unknowns], layout);
  const isCompact = layout.isCompact === true && failures.length + unknowns.length === 0;
  drawDiagnostics(out, summary.findings ?? [], { ...layout, isCompact });
  drawList(out, 'Restored from the backup before the rebuild:', findRestored(changes), layout);
  drawSkipped(out, changes, layout);
  const why = summary.isUnwritten
    ? 'because the state could not be written'
    : 'because the run was interrupted';
  drawList(out, `Started and not finished, ${why}:`, findInterrupted(changes, true), layout);
  drawList(out, `Not started, ${why}:`, findInterrupted(changes, false), layout);
  if (out.length > 0) out.push('');
  drawEnd(out, summary, layout);
  drawAdvice(out, summary, layout);
  drawOutputs(out, summary, layout);
  const { room = Infinity } = layout;
  return `${out.flatMap((line) => breakLine(line, room)).join('\n')}\n`;
}

function findEnded(
  changes: readonly AppliedChange[],
  kind: AppliedChange['result']['kind'],
): ResourceAddress[] {
  return changes.filter((change) => change.result.kind === kind).map((change) => change.address);
}

function findInterrupted(changes: readonly AppliedChange[], isBegun: boolean): ResourceAddress[] {
  return changes
    .filter(({ result }) => result.kind === 'interrupted' && (result.isBegun ?? false) === isBegun)
    .map(({ address }) => address);
}

/** Lists failed changes whose rebuild was undone by restoring the backup. */
function findRestored(changes: readonly AppliedChange[]): ResourceAddress[] {
  return changes
    .filter(({ result }) => isRestoredAfterFailedRebuild(result))
    .map(({ address }) => address);
}

function listDiagnostics(
  changes: readonly AppliedChange[],
  kind: 'failed' | 'unknown',
): Diagnostic[] {
  return changes.flatMap(({ address, result }) =>
    result.kind === kind ? [{ address, ...result.diagnostic }] : [],
  );
}

/** Failures that differ in nothing but their address are drawn once, where they are many. */
function drawFailures(out: string[], failures: readonly Diagnostic[], layout: TextLayout): void {
  const groups = groupBy(failures, ({ code, summary, detail, hint }) =>
    JSON.stringify([code, summary, detail, hint]),
  );
  for (const group of groups.values()) {
    if (group.length < minFoldedInstances || layout.isVerbose) {
      drawDiagnostics(out, group, layout);
      continue;
    }
    const others = group.slice(1);
    drawDiagnostics(out, group.slice(0, 1), layout);
    const addresses = others.flatMap(({ address }) => address ?? []);
    drawList(out, `The same happened to ${others.length} more:`, addresses, layout);
  }
}

function drawSkipped(out: string[], changes: readonly AppliedChange[], layout: TextLayout): void {
  const causes = new Map<ResourceAddress, ResourceAddress[]>();
  for (const { address, result } of changes) {
    if (result.kind === 'skipped') addToGroup(causes, result.causedBy, address);
  }
  for (const [cause, skipped] of causes) {
    drawList(out, `Skipped, because ${escapeUntrustedText(cause)} was not done:`, skipped, layout);
  }
}

function drawList(
  out: string[],
  heading: string,
  addresses: readonly ResourceAddress[],
  { columns, style, isVerbose }: TextLayout,
): void {
  if (addresses.length === 0) return;
  if (out.length > 0) out.push('');
  out.push(...wrapText(heading, columns).map(style.bold));
  const joined = joinAddresses(addresses, isVerbose ? Infinity : minFoldedInstances);
  for (const { address } of joined.slice(0, maxListed))
    out.push(`  - ${escapeUntrustedText(address)}`);
  const rest = joined.slice(maxListed).flatMap(({ members }) => members).length;
  if (rest > 0) out.push(`  - and ${rest} more`);
}

/** Tells whether every change of the apply was carried out. */
function isComplete({ changes, isInterrupted, isUnwritten }: ApplySummary): boolean {
  return (
    !isInterrupted && !isUnwritten && changes.every((change) => change.result.kind === 'applied')
  );
}

/** Counts the changes that an apply did not carry out, by their results; empty where all were carried out. */
export function countUnappliedChanges(
  changes: readonly AppliedChange[],
): readonly { readonly label: string; readonly count: number }[] {
  return [
    { label: 'failed', count: findEnded(changes, 'failed').length },
    { label: 'restored', count: findRestored(changes).length },
    { label: 'unknown', count: findEnded(changes, 'unknown').length },
    { label: 'skipped', count: findEnded(changes, 'skipped').length },
    { label: 'not finished', count: findInterrupted(changes, true).length },
    { label: 'not started', count: findInterrupted(changes, false).length },
  ].filter(({ count }) => count > 0);
}

/** Describes the result of an apply in one line: `Apply complete! Resources: 2 added, 0 changed, 1 destroyed.` */
export function describeApplyResult(summary: ApplySummary, mode: PlanMode): string {
  const counts = countEffects(summary.changes.map(({ done }) => done));
  const undone = countUnappliedChanges(summary.changes).map(
    ({ label, count }) => `${count} ${label}`,
  );
  const isDestroy = mode === 'destroy';
  const how = summary.isInterrupted
    ? 'interrupted'
    : isComplete(summary)
      ? 'complete'
      : 'incomplete';
  const resources = [describeAppliedEffectCounts(counts, isDestroy), ...undone].join(', ');
  return `${isDestroy ? 'Destroy' : 'Apply'} ${how}! Resources: ${resources}.`;
}

/** The closing line of an apply: never wrapped except on a terminal, since people and scripts search logs for it. */
function drawEnd(
  out: string[],
  summary: ApplySummary,
  { style, mode }: TextLayout & { readonly mode: PlanMode },
): void {
  const paint = isComplete(summary) ? style.green : style.red;
  out.push(style.bold(paint(describeApplyResult(summary, mode))));
}

/** The outputs, when everything was done: Terraform, too, shows none of them below an error. */
function drawOutputs(out: string[], summary: ApplySummary, layout: TextLayout): void {
  const { outputs, findings = [] } = summary;
  if (!outputs || outputs.size === 0 || !isComplete(summary) || hasErrors(findings)) return;
  out.push('', layout.style.bold('Outputs:'), '', renderOutputs(outputs).trimEnd());
}

function drawAdvice(
  out: string[],
  summary: ApplySummary,
  { columns, mode }: TextLayout & { readonly mode: PlanMode },
): void {
  if (isComplete(summary)) return;
  const command = `hostwright ${mode}`;
  const unknown = findEnded(summary.changes, 'unknown').length;
  const failed = findEnded(summary.changes, 'failed').length;
  const advice = [
    summary.isUnwritten
      ? 'The state could not be written to its backend: see below.'
      : 'The state has all completed changes.',
    ...(unknown > 0
      ? [
          `The result of ${formatCountWithNoun('change', unknown)} is unknown: the next run checks first.`,
        ]
      : []),
    `${failed > 0 ? 'Fix the errors above, then run' : 'Run'} "${command}" again: it continues from here.`,
  ];
  out.push('', ...wrapText(advice.join(' '), columns));
}
