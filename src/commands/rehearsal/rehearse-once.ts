import type { RunListener } from '../../engine/carry-out.ts';
import type { PlanWithSources } from '../../engine/make-plan.ts';
import type { PlanParameters } from '../../engine/plan-order.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/group-by.ts';
import { isEffectiveChange, type Plan } from '../../model/plan/plan.ts';
import type {
  RehearsedCommandRun,
  QuotaPeak,
  Rehearsal,
  RehearsedFailure,
  RehearsedInjectedFault,
} from '../../model/plan/rehearsal.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import type { CommandTimeSpan } from '../../model/plan/downtime.ts';
import type { UsualCommandDurations } from '../../model/state/state.ts';
import type { ApplySummary } from '../../model/plan/result.ts';
import { findPlanDowntime } from '../../plan/forecast/find-downtime.ts';
import { findCriticalPath } from '../../plan/order/critical-path.ts';
import { createTimelineRecorder } from '../../plan/order/timeline.ts';
import { sandboxNamesOfQuotas } from '../../sandbox/mirror/mirror-rules.ts';
import { describeCommandFailure } from '../session/describe-failure.ts';
import {
  openRehearsalStage,
  type RehearsalStage,
  type RehearsalStageSettings,
} from './open-stage.ts';

/** Result of one rehearsal. */
export interface RehearsalResult extends Pick<
  Rehearsal,
  | 'downtime'
  | 'timeline'
  | 'path'
  | 'changes'
  | 'failures'
  | 'skipped'
  | 'remaining'
  | 'findings'
  | 'quotas'
> {
  readonly faults: readonly RehearsedInjectedFault[];
}

/** Carries a plan out once on a stage of its own, and then plans again there, to see whether anything is left to change. */
export async function rehearseOnce(
  planned: PlanWithSources,
  setting: Omit<RehearsalStageSettings, 'onUse'>,
): Promise<RehearsalResult> {
  const { plan } = planned;
  const peaks = new QuotaPeaks();
  const stage = await openRehearsalStage({ ...setting, onUse: (used) => peaks.note(used) });
  const timeline = createTimelineRecorder(plan.tasks);
  const runs: RehearsedCommandRun[] = [];
  // The expressions of a rehearsal take nothing from the run's evaluation budget.
  const order = { ...planned.order, steps: undefined };
  try {
    const startedAt = stage.clock.now();
    const work = perform(
      stage,
      { ...planned, order: withDecidable(order, plan), checkDuringApply: () => () => [] },
      {
        showDiagnostics: () => undefined,
        showEvent: (event) => timeline.note(event),
        onCommand: (run) => runs.push(run),
      },
    );
    const performed = await stage.clock.run(work);
    const endedAt = stage.clock.now();
    const faults = stage.endFaults();
    const times = timeline.finish(startedAt, endedAt);
    const isScripted = setting.faults?.ready !== undefined;
    const downtime = findPlanDowntime(planned, () => [
      ...listSpans(plan, runs, { startedAt, known: setting.state.durations }),
      ...listProbeSpans(times, isScripted),
    ]);
    const second = await stage.clock.run(planAgain(stage, order));
    return {
      timeline: times,
      path: findCriticalPath(plan.tasks, runs, startedAt),
      ...(downtime && { downtime }),
      ...sumUp(plan, performed, runs),
      remaining: second.remaining,
      findings: [...performed.findings, ...second.findings],
      quotas: peaks.list(plan),
      faults,
    };
  } finally {
    await stage.close();
  }
}

/** Lists when each command of the rehearsal ran, from the start of the run on. */
function listSpans(
  { tasks }: Plan,
  runs: readonly RehearsedCommandRun[],
  { startedAt, known = {} }: { startedAt: number; known?: UsualCommandDurations | undefined },
): readonly CommandTimeSpan[] {
  const owners = new Map(tasks.map(({ id, address }) => [id, address]));
  return runs.map(({ task, command, isDone, ...run }) => ({
    address: owners.get(task) ?? task,
    command,
    isDone,
    startMs: run.startedAt - startedAt,
    endMs: run.endedAt - startedAt,
    isAssumed: known[command] === undefined,
  }));
}

/** Lists when the probes of the rehearsal were answered, from the start of the run on. */
function listProbeSpans(
  { startedAt, entries }: Timeline,
  isScripted: boolean,
): readonly CommandTimeSpan[] {
  return entries.flatMap(({ address, step, result, ...entry }) =>
    step === 'probe'
      ? [
          {
            address,
            command: null,
            isDone: result === 'applied',
            isAssumed: !isScripted,
            startMs: entry.startedAt - startedAt,
            endMs: entry.endedAt - startedAt,
          },
        ]
      : [],
  );
}

/**
 * An order without the checks that its plan could not decide: they read values that the service assigns, which a copy
 * invents.
 */
function withDecidable(order: PlanParameters, plan: Plan): PlanParameters {
  const { checks = [] } = order.desired;
  const undecided = new Set(listUndecidedChecks(plan));
  const decidable = checks.filter(({ name }) => !undecided.has(name));
  return { ...order, desired: { ...order.desired, checks: decidable } };
}

/** Lists the names of checks that a rehearsal cannot decide: they read values that only the real service assigns. */
export const listUndecidedChecks = ({ checks = [] }: Plan): readonly string[] =>
  checks.filter(({ status }) => status === 'unknown').map(({ name }) => name);

/** Result of carrying out the plan; without a summary if it could not begin. */
interface Performed {
  readonly summary: ApplySummary | undefined;
  readonly findings: readonly Diagnostic[];
}

async function perform(
  { engine }: RehearsalStage,
  planned: PlanWithSources,
  listener: RunListener,
): Promise<Performed> {
  try {
    const summary = await engine.rehearse(planned, listener);
    const findings = summary.findings?.filter(({ severity }) => severity !== 'note');
    return { summary, findings: findings ?? [] };
  } catch (error) {
    return { summary: undefined, findings: explain(error) };
  }
}

/** Diagnostics of a failed rehearsal; an error that is a bug of the program is thrown on. */
function explain(error: unknown): readonly Diagnostic[] {
  const diagnostics = describeCommandFailure(error);
  if (!diagnostics) throw error;
  return diagnostics;
}

/** Makes the plan of the next run. Resources in `--replace` were replaced by the first. */
async function planAgain(
  { engine }: RehearsalStage,
  order: PlanParameters,
): Promise<Pick<Rehearsal, 'remaining' | 'findings'>> {
  try {
    const { plan } = await engine.plan({
      ...order,
      planOptions: { ...order.planOptions, replace: [] },
    });
    return {
      remaining: listRemaining(plan),
      findings: plan.findings.filter(({ severity }) => severity === 'error'),
    };
  } catch (error) {
    return { remaining: [], findings: explain(error) };
  }
}

function listRemaining({ changes, outputs = [] }: Plan): Rehearsal['remaining'] {
  const left = changes.filter(isEffectiveChange);
  const changed = outputs.filter(({ action }) => action !== 'no-op');
  return [
    ...left.map(({ address, action }) => ({ address, action })),
    ...changed.map(({ name, action }) => ({ address: `outputs.${name}`, action })),
  ];
}

function sumUp(
  { tasks }: Plan,
  { summary }: Performed,
  runs: readonly RehearsedCommandRun[],
): Pick<Rehearsal, 'changes' | 'failures' | 'skipped'> {
  const { changes = [] } = summary ?? {};
  const owners = new Map(tasks.map(({ id, address }) => [id, address]));
  const byAddress = groupBy(runs, ({ task }) => owners.get(task) ?? task);
  const failures = changes.flatMap(({ address, result }): RehearsedFailure[] => {
    if (!('diagnostic' in result)) return [];
    const failed = byAddress.get(address)?.findLast(({ isDone }) => !isDone);
    return [{ address, command: failed?.command ?? null, diagnostic: result.diagnostic }];
  });
  const skipped = changes.flatMap(({ address, result }) =>
    result.kind === 'skipped' || result.kind === 'interrupted' ? [address] : [],
  );
  return { changes: changes.length, failures, skipped };
}

/** Highest use of each quota that a rehearsal reached at any moment. */
class QuotaPeaks {
  readonly #most = new Map<string, number>();

  note(used: Readonly<Record<string, number>>): void {
    for (const [name, amount] of Object.entries(used)) {
      this.#most.set(name, Math.max(amount, this.#most.get(name) ?? 0));
    }
  }

  /** Lists the highest use of each quota that the plan changes. */
  list({ quotas }: Plan): readonly QuotaPeak[] {
    return quotas.flatMap(({ name, limit, used, after, unordered }) =>
      used === after && used === unordered
        ? []
        : [{ name, limit, peak: Math.max(used, this.#most.get(sandboxNamesOfQuotas[name]) ?? 0) }],
    );
  }
}
