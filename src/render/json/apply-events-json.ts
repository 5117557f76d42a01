import type { PlanMode } from '../../model/plan/plan.ts';
import { countEffects } from '../../model/effects.ts';
import type { ApplyEvent, ApplyStep, ApplySummary, ChangeLock } from '../../model/plan/result.ts';
import { countUnappliedChanges, describeApplyResult } from '../text/apply-summary.ts';
import { roundSeconds } from '../format/elapsed.ts';
import {
  describeDiagnosticEvent,
  describeChangeSummary,
  describeTerraformUiResource,
  stampEventTime,
  describeOutputsEvent,
  type StreamEventJson,
  type TerraformUiAction,
} from './event-json.ts';
import { formatIsoTime } from '../format/moment.ts';
import { describeOutputs } from './outputs-json.ts';
import {
  renderEventLine,
  renderStillRunningLine,
  type RunningChange,
} from '../progress/progress-lines.ts';
import { createAnsiStyle } from '../format/style.ts';

const plain = createAnsiStyle(false);

const stepActions: Readonly<Record<ApplyStep, TerraformUiAction>> = {
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

/**
 * Describes one step of an apply as JSON events; a failure is followed by its diagnostic. Progress that the service
 * reports gives no event.
 */
export function describeApplyEvent(event: ApplyEvent): StreamEventJson[] {
  const { address, step, at } = event;
  if (event.kind === 'progress') return [];
  const hook = { resource: describeTerraformUiResource(address), action: stepActions[step] };
  const message = renderEventLine(event, plain) ?? '';
  const id = event.kind === 'errored' ? null : event.id;
  const key = id === null ? {} : { id_key: 'id', id_value: id };
  if (event.kind === 'started') {
    return [
      stampEventTime({ type: 'apply_start', '@message': message, hook: { ...hook, ...key } }, at),
    ];
  }
  const elapsed = { elapsed_seconds: roundSeconds(event.elapsedMs) };
  if (event.kind === 'completed') {
    const ended = { ...hook, ...key, ...elapsed };
    return [stampEventTime({ type: 'apply_complete', '@message': message, hook: ended }, at)];
  }
  const { restoredFrom } = event;
  const own = restoredFrom === undefined ? {} : { hostwright: { restored_from: restoredFrom } };
  const ended = { ...hook, ...elapsed };
  return [
    stampEventTime({ type: 'apply_errored', '@message': message, hook: ended, ...own }, at),
    describeDiagnosticEvent({ address, ...event.diagnostic }, at),
  ];
}

/** The event of a change that still runs, with its last status at the service. */
export function describeStillRunningEvent(running: RunningChange, at: number): StreamEventJson {
  const { address, step, elapsedMs, status, lock } = running;
  const hook = {
    resource: describeTerraformUiResource(address),
    action: stepActions[step],
    elapsed_seconds: roundSeconds(elapsedMs),
  };
  const own =
    status === undefined
      ? {}
      : { hostwright: { status, ...(lock && { locked: describeLock(lock) }) } };
  const message = renderStillRunningLine(running, plain);
  return stampEventTime({ type: 'apply_progress', '@message': message, hook, ...own }, at);
}

function describeLock({ resource, by }: ChangeLock) {
  return {
    resource: resource ?? null,
    change: by?.kind === 'change' ? by.address : null,
    operation:
      by?.kind === 'operation'
        ? { id: by.id, type: by.type, since: formatIsoTime(by.since) }
        : null,
  };
}

/**
 * Describes the end of an apply as JSON events: counts of the changes that were done, our own key with counts of those
 * that were not, and the outputs.
 */
export function describeApplySummaryEvents(
  summary: ApplySummary,
  mode: PlanMode,
  at: number,
): StreamEventJson[] {
  const counts = countEffects(summary.changes.map(({ done }) => done));
  const undone = countUnappliedChanges(summary.changes).map(
    ({ label, count }) => [label.replaceAll(' ', '_'), count] as const,
  );
  const tally = describeChangeSummary(counts, mode === 'destroy' ? 'destroy' : 'apply');
  return [
    ...(summary.findings ?? []).map((finding) => describeDiagnosticEvent(finding, at)),
    stampEventTime(
      {
        type: 'change_summary',
        '@message': describeApplyResult(summary, mode),
        ...tally,
        hostwright: { ...tally.hostwright, ...Object.fromEntries(undone) },
      },
      at,
    ),
    ...(summary.outputs && summary.outputs.size > 0
      ? [describeOutputsEvent(describeOutputs(summary.outputs), at)]
      : []),
  ];
}
