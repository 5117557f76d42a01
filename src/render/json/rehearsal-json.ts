import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { ChangeResult } from '../../model/plan/result.ts';
import { describeRehearsal } from '../view/rehearsal-words.ts';
import { describeDiagnostic, type DiagnosticJson } from './diagnostics-json.ts';
import { stamp, type EventJson } from './event-json.ts';

/** Milliseconds from the beginning of the rehearsal. */
interface SpanJson {
  readonly address: string;
  readonly startMs: number;
  readonly endMs: number;
}

interface FailureJson {
  readonly address: string;
  readonly command: string | null;
  readonly diagnostic: DiagnosticJson;
}

/** How a plan was rehearsed, under our own key of its JSON. */
export interface RehearsalJson {
  /** The headline of the text. */
  readonly summary: string;
  /** True where every change came about, in every rehearsal, and a second plan had nothing to do. */
  readonly whole: boolean;
  readonly durationMs: number;
  readonly changes: number;
  readonly failures: readonly FailureJson[];
  readonly skipped: readonly string[];
  readonly remaining: readonly { readonly address: string; readonly action: string }[];
  readonly findings: readonly DiagnosticJson[];
  readonly criticalPath: readonly (SpanJson & {
    readonly command: string;
    readonly waitedMs: number;
  })[];
  readonly timeline: readonly (SpanJson & {
    readonly step: string;
    readonly result: ChangeResult['kind'];
  })[];
  readonly quotas: Rehearsal['quotas'];
  readonly locked: readonly {
    readonly address: string;
    readonly operation: string | null;
    readonly since: string | null;
    readonly endsAt: string;
    readonly endIsKnown: boolean;
  }[];
  readonly durations: Rehearsal['durations'];
  readonly faults?: string;
  readonly trials?: Omit<NonNullable<Rehearsal['trials']>, 'failures'> & {
    readonly failures: readonly (FailureJson & { readonly count: number })[];
  };
}

const toIso = (at: number): string => new Date(at).toISOString();

/** A rehearsal for machines. */
export function describeRehearsalJson(rehearsal: Rehearsal): RehearsalJson {
  const { timeline, failures, findings, path, held, trials, faults } = rehearsal;
  const { changes, skipped, remaining, quotas, durations } = rehearsal;
  const { startedAt } = timeline;
  const { headline, isWhole } = describeRehearsal(rehearsal);
  const span = (one: Parameters<typeof describeSpan>[0]) => describeSpan(one, startedAt);
  return {
    summary: headline,
    whole: isWhole,
    durationMs: timeline.endedAt - startedAt,
    ...{ changes, skipped, remaining, quotas, durations },
    failures: failures.map(describeFailure),
    findings: findings.map(describeDiagnostic),
    criticalPath: path.map((one) => ({
      ...span(one),
      ...{ command: one.command, waitedMs: one.waitedMs },
    })),
    timeline: timeline.entries.map((one) => ({
      ...span(one),
      ...{ step: one.step, result: one.result },
    })),
    locked: held.map(({ address, operation, since, endsAt, isEndKnown }) => ({
      ...{ address, operation, since: since === null ? null : toIso(since) },
      ...{ endsAt: toIso(endsAt), endIsKnown: isEndKnown },
    })),
    ...(faults !== undefined && { faults }),
    ...(trials && {
      trials: {
        ...trials,
        failures: trials.failures.map((one) => ({ ...describeFailure(one), count: one.count })),
      },
    }),
  };
}

function describeSpan(
  {
    address,
    startedAt,
    endedAt,
  }: { readonly address: string; readonly startedAt: number; readonly endedAt: number },
  zero: number,
): SpanJson {
  return { address, startMs: startedAt - zero, endMs: endedAt - zero };
}

function describeFailure({
  address,
  command,
  diagnostic,
}: Rehearsal['failures'][number]): FailureJson {
  return { address, command, diagnostic: describeDiagnostic(diagnostic) };
}

/** The gist of it in a stream of events. @param at milliseconds since the Unix epoch */
export function describeRehearsalEvent(rehearsal: Rehearsal, at: number): EventJson {
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
  return stamp({ type: 'rehearsal', '@message': message, hostwright: counts }, at);
}
