import type { PlanMode } from '../../model/plan/plan.ts';
import { countEffects } from '../../model/effects.ts';
import type { ApplyEvent, ApplyStep, ApplySummary, Lock } from '../../model/plan/result.ts';
import { countUndone, describeApplyEnd } from '../text/apply-summary.ts';
import { roundSeconds } from '../format/elapsed.ts';
import {
  describeDiagnosticEvent,
  describeChangeSummary,
  describeUiResource,
  stampEvent,
  stampOutputs,
  type EventJson,
  type UiAction,
} from './event-json.ts';
import { toIso } from '../format/moment.ts';
import { describeOutputs } from './outputs-json.ts';
import {
  renderEventLine,
  renderStillLine,
  type RunningChange,
} from '../progress/progress-lines.ts';
import { createStyle } from '../format/style.ts';

const plain = createStyle(false);

const stepActions: Readonly<Record<ApplyStep, UiAction>> = {
  create: 'create',
  update: 'update',
  rebuild: 'update',
  backup: 'update',
  restore: 'update',
  retire: 'delete',
  probe: 'update',
  wait: 'update',
  delete: 'delete',
};

/** Events for one step of an apply; a failure is followed by its diagnostic. Progress that the service reports is no line. */
export function describeApplyEvent(event: ApplyEvent): EventJson[] {
  const { address, step, at } = event;
  if (event.kind === 'progress') return [];
  const hook = { resource: describeUiResource(address), action: stepActions[step] };
  const message = renderEventLine(event, plain) ?? '';
  const id = event.kind === 'errored' ? null : event.id;
  const key = id === null ? {} : { id_key: 'id', id_value: id };
  if (event.kind === 'started') {
    return [
      stampEvent({ type: 'apply_start', '@message': message, hook: { ...hook, ...key } }, at),
    ];
  }
  const elapsed = { elapsed_seconds: roundSeconds(event.elapsedMs) };
  if (event.kind === 'completed') {
    const ended = { ...hook, ...key, ...elapsed };
    return [stampEvent({ type: 'apply_complete', '@message': message, hook: ended }, at)];
  }
  const { restoredFrom } = event;
  const own = restoredFrom === undefined ? {} : { hostwright: { restored_from: restoredFrom } };
  const ended = { ...hook, ...elapsed };
  return [
    stampEvent({ type: 'apply_errored', '@message': message, hook: ended, ...own }, at),
    describeDiagnosticEvent({ address, ...event.diagnostic }, at),
  ];
}

/** The event of a change that still runs, with its last status at the service. */
export function describeStillRunning(running: RunningChange, at: number): EventJson {
  const { address, step, elapsedMs, status, lock } = running;
  const hook = {
    resource: describeUiResource(address),
    action: stepActions[step],
    elapsed_seconds: roundSeconds(elapsedMs),
  };
  const own =
    status === undefined
      ? {}
      : { hostwright: { status, ...(lock && { locked: describeLock(lock) }) } };
  const message = renderStillLine(running, plain);
  return stampEvent({ type: 'apply_progress', '@message': message, hook, ...own }, at);
}

function describeLock({ resource, by }: Lock) {
  return {
    resource: resource ?? null,
    change: by?.kind === 'change' ? by.address : null,
    operation:
      by?.kind === 'operation' ? { id: by.id, type: by.type, since: toIso(by.since) } : null,
  };
}

/**
 * Events at the end of an apply: counts of the changes that were done, under our own key the counts of those that were not,
 * and the outputs.
 */
export function describeSummaryEvents(
  summary: ApplySummary,
  mode: PlanMode,
  at: number,
): EventJson[] {
  const counts = countEffects(summary.changes.map(({ done }) => done));
  const undone = countUndone(summary.changes).map(
    ({ label, count }) => [label.replaceAll(' ', '_'), count] as const,
  );
  const tally = describeChangeSummary(counts, mode === 'destroy' ? 'destroy' : 'apply');
  return [
    ...(summary.findings ?? []).map((finding) => describeDiagnosticEvent(finding, at)),
    stampEvent(
      {
        type: 'change_summary',
        '@message': describeApplyEnd(summary, mode),
        ...tally,
        hostwright: { ...tally.hostwright, ...Object.fromEntries(undone) },
      },
      at,
    ),
    ...(summary.outputs && summary.outputs.size > 0
      ? [stampOutputs(describeOutputs(summary.outputs), at)]
      : []),
  ];
}
