import { keepRecognised } from '../../execute/run/persist-reconciliation.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/group-by.ts';
import type { Plan, PlanOptions } from '../../model/plan/plan.ts';
import type {
  CommandRun,
  QuotaPeak,
  Rehearsal,
  RehearsedFailure,
} from '../../model/plan/rehearsal.ts';
import type { ApplyEvent, ApplySummary } from '../../model/plan/result.ts';
import { findCriticalPath } from '../../plan/order/critical-path.ts';
import { recordTimeline } from '../../plan/order/timeline.ts';
import { ownQuotaNames } from '../../sandbox/mirror/mirror-rules.ts';
import { carryOut } from '../lifecycle/carry-out.ts';
import { makePlan, type Planned } from '../planning/make-plan.ts';
import { describeFailure } from '../session/describe-failure.ts';
import { openStage, type Stage, type StageSetting } from './open-stage.ts';

/** How one rehearsal went. */
export type RehearsedRun = Omit<Rehearsal, 'held' | 'durations' | 'faults' | 'trials'>;

/** How the plan is carried out. */
export interface RehearsalOptions {
  readonly parallelism: number;
  readonly planOptions: PlanOptions;
}

/** Carries a plan out on a stage of its own, and makes a second one there. */
export async function rehearseOnce(
  planned: Planned,
  setting: Omit<StageSetting, 'onUse'>,
  options: RehearsalOptions,
): Promise<RehearsedRun> {
  const { plan } = planned;
  const peaks = new QuotaPeaks();
  const stage = await openStage({ ...setting, onUse: (used) => peaks.note(used) });
  const timeline = recordTimeline(plan.tasks);
  const runs: CommandRun[] = [];
  try {
    const startedAt = stage.clock.now();
    const work = perform(stage, planned, options, {
      noteEvent: (event) => timeline.note(event),
      noteCommand: (run) => runs.push(run),
    });
    const performed = await stage.clock.run(work);
    const endedAt = stage.clock.now();
    stage.endFaults();
    const second = await stage.clock.run(planAgain(stage, planned, options));
    return {
      timeline: timeline.finish(startedAt, endedAt),
      path: findCriticalPath(plan.tasks, runs, startedAt),
      ...sumUp(plan, performed, runs),
      remaining: second.remaining,
      findings: [...performed.findings, ...second.findings],
      quotas: peaks.list(plan),
    };
  } finally {
    await stage.close();
  }
}

/** What came of it: a summary unless it could not begin. */
interface Performed {
  readonly summary: ApplySummary | undefined;
  readonly findings: readonly Diagnostic[];
}

async function perform(
  { clock, connection, store, claimSink, ...stage }: Stage,
  planned: Planned,
  options: RehearsalOptions,
  notes: {
    readonly noteEvent: (event: ApplyEvent) => void;
    readonly noteCommand: (run: CommandRun) => void;
  },
): Promise<Performed> {
  const { client } = connection;
  const isolated = {
    clock,
    random: () => stage.random(),
    interrupted: new AbortController().signal,
    holdInterrupts: () => () => undefined,
  };
  try {
    await keepRecognised(store, planned.pending, clock.now(), client.serviceTime());
    const summary = await carryOut(
      isolated,
      { store, connection, claimSink },
      // The expressions of a rehearsal cost the run nothing.
      { ...planned, steps: undefined },
      { ...options, onCommand: notes.noteCommand },
      { showDiagnostics: () => undefined, showEvent: notes.noteEvent },
    );
    const findings = summary.findings?.filter(({ severity }) => severity !== 'note');
    return { summary, findings: findings ?? [] };
  } catch (error) {
    return { summary: undefined, findings: explain(error) };
  }
}

/** What is wrong; a bug is one in a rehearsal, too. */
function explain(error: unknown): readonly Diagnostic[] {
  const diagnostics = describeFailure(error);
  if (!diagnostics) throw error;
  return diagnostics;
}

/** The plan that the next run would make. What was to be replaced by request has been replaced. */
async function planAgain(
  { clock, connection, store }: Stage,
  { plan: { mode }, desired }: Planned,
  { planOptions }: RehearsalOptions,
): Promise<Pick<Rehearsal, 'remaining' | 'findings'>> {
  try {
    const { plan } = await makePlan({
      ...{ mode, desired, connection, clock },
      state: store.state,
      planOptions: { ...planOptions, replace: [] },
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
  const left = changes.filter(
    ({ action, isImported, movedFrom }) =>
      action !== 'no-op' || isImported === true || movedFrom !== undefined,
  );
  const changed = outputs.filter(({ action }) => action !== 'no-op');
  return [
    ...left.map(({ address, action }) => ({ address, action })),
    ...changed.map(({ name, action }) => ({ address: `outputs.${name}`, action })),
  ];
}

function sumUp(
  { tasks }: Plan,
  { summary }: Performed,
  runs: readonly CommandRun[],
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

/** The most that was in use of each quota. */
class QuotaPeaks {
  readonly #most = new Map<string, number>();

  note(used: Readonly<Record<string, number>>): void {
    for (const [name, amount] of Object.entries(used)) {
      this.#most.set(name, Math.max(amount, this.#most.get(name) ?? 0));
    }
  }

  /** Of what a plan changes. */
  list({ quotas }: Plan): readonly QuotaPeak[] {
    return quotas.flatMap(({ name, limit, used, after, unordered }) =>
      used === after && used === unordered
        ? []
        : [{ name, limit, peak: Math.max(used, this.#most.get(ownQuotaNames[name]) ?? 0) }],
    );
  }
}
