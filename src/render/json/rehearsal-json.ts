import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { describeRehearsal } from '../view/rehearsal-words.ts';
import { describeDiagnostic } from './diagnostics-json.ts';
import { stampEventTime, type StreamEventJson } from './event-json.ts';

const formatIsoTime = (at: number): string => new Date(at).toISOString();

/** A rehearsal for machines, under our own key of a plan's JSON. Spans are in milliseconds from its beginning. */
export function describeRehearsalJson(rehearsal: Rehearsal) {
  const { timeline, failures, findings, path, held, trials, faults } = rehearsal;
  const { changes, skipped, remaining, quotas, durations, doubts, undecided } = rehearsal;
  const { startedAt } = timeline;
  const { headline, isWhole } = describeRehearsal(rehearsal);
  const span = (one: { address: string; startedAt: number; endedAt: number }) => ({
    address: one.address,
    startMs: one.startedAt - startedAt,
    endMs: one.endedAt - startedAt,
  });
  return {
    summary: headline,
    whole: isWhole,
    durationMs: timeline.endedAt - startedAt,
    changes,
    skipped,
    remaining,
    quotas,
    durations,
    failures: failures.map(describeFailure),
    findings: findings.map(describeDiagnostic),
    mayFail: doubts.map(describeDiagnostic),
    undecidedChecks: undecided,
    criticalPath: path.map((one) => ({
      ...span(one),
      command: one.command,
      waitedMs: one.waitedMs,
    })),
    timeline: timeline.entries.map((one) => ({
      ...span(one),
      step: one.step,
      result: one.result,
    })),
    locked: held.map(({ address, operation, since, endsAt, isEndKnown }) => ({
      address,
      operation,
      since: since === null ? null : formatIsoTime(since),
      endsAt: formatIsoTime(endsAt),
      endIsKnown: isEndKnown,
    })),
    ...(faults && { faults: faults.file, faultCounts: faults.each }),
    ...(trials && {
      trials: {
        ...trials,
        failures: trials.failures.map((one) => ({ ...describeFailure(one), count: one.count })),
      },
    }),
  };
}

function describeFailure({ address, command, diagnostic }: Rehearsal['failures'][number]) {
  return { address, command, diagnostic: describeDiagnostic(diagnostic) };
}

/** The result of a rehearsal as one event of the stream. @param at milliseconds since the Unix epoch */
export function describeRehearsalEvent(rehearsal: Rehearsal, at: number): StreamEventJson {
  const { headline, isWhole } = describeRehearsal(rehearsal);
  const { timeline, changes, failures, skipped, remaining, trials } = rehearsal;
  const counts = {
    whole: isWhole,
    duration_ms: timeline.endedAt - timeline.startedAt,
    changes,
    failed: failures.length,
    skipped: skipped.length,
    remaining: remaining.length,
    ...(trials && { rehearsals: { total: trials.count, whole: trials.whole } }),
  };
  const message = `Rehearsal: ${headline}`;
  return stampEventTime({ type: 'rehearsal', '@message': message, hostwright: counts }, at);
}
