import { makeSinks, sweepSinks } from '../../execute/secrets/secret-sink.ts';
import { keepRecognised } from '../../execute/run/persist-reconciliation.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import { countEffects } from '../../model/plan/effects.ts';
import { isEffective, type PlanMode, type PlanOptions } from '../../model/plan/plan.ts';
import type { ApplySummary } from '../../model/plan/result.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { PendingWait } from '../planning/pending-request.ts';
import { keepLastRun } from '../session/last-run.ts';
import { identifyPlan } from '../planning/identify-plan.ts';
import { makePlan, type Planned } from '../planning/make-plan.ts';
import { readAccountData } from '../planning/read-data.ts';
import { recordTimeline } from '../../plan/order/timeline.ts';
import { carryOut } from './carry-out.ts';
import { confirmSavedPlan, restoreConfiguration } from './saved-plan.ts';
import type { Reporter } from '../session/reporter.ts';
import { openSession, type Session, type SessionOptions } from '../session/session.ts';
import { explainRescue } from '../../state/faults.ts';
import { explainLostLock, LockLostError } from '../../state/lock/fence.ts';
import { fileNames } from '../../state/files/files.ts';
import type { SavedPlan } from '../../state/plan-file.ts';

/** What `apply` and `destroy` take. */
export interface ApplyOptions extends SessionOptions {
  readonly mode: PlanMode;
  /** A plan that was approved when it was saved; undefined to plan now. */
  readonly saved: SavedPlan | undefined;
  readonly isApproved: boolean;
  readonly parallelism: number;
  /** How long a create that finds no room is tried again. */
  readonly capacityWaitMs?: number | undefined;
  readonly planOptions: PlanOptions;
}

/** How an apply ended. */
export type ApplyOutcome = 'done' | 'refused' | 'declined' | 'incomplete' | 'interrupted';

/** Plans, asks, and carries the plan out. */
export async function apply(
  runtime: Runtime,
  options: ApplyOptions,
  reporter: Reporter,
): Promise<ApplyOutcome> {
  const { mode, saved } = options;
  const operation = mode === 'destroy' ? 'destroy' : 'apply';
  const purpose = { operation, access: 'write' } as const;
  const given = saved && (await restoreConfiguration(runtime, saved, reporter));
  const session = await openSession(runtime, options, purpose, reporter, given);
  try {
    const { store, connection } = session;
    if (saved) confirmSavedPlan(saved, session);
    const { configuration, source } = await readAccountData(session, saved, reporter);
    const planned = await makePlan({
      mode,
      desired: configuration.graph,
      steps: configuration.steps,
      state: store.state,
      ...{ connection, source },
      clock: runtime.clock,
      directory: session.directory,
      allowsCommands: runtime.allowsCommands,
      planOptions: saved?.planOptions ?? options.planOptions,
      // What was due when the plan was made is due, and nothing else.
      plannedAt: saved?.plannedAt,
      silentForMs: session.silentForMs,
      onPending: (wait) => reporter.showDiagnostics([describePending(wait)]),
    });
    // A run that has taken the lock over meanwhile knows more: what this plan says may be false by now.
    await store.requireLock();
    if (saved) {
      confirmSavedPlan(saved, session, planned);
      reporter.showDiagnostics(planned.plan.findings);
    } else {
      const account = connection.service;
      const identity = await identifyPlan(runtime, session.directory, { account });
      await reporter.showPlan({ ...planned, identity });
    }
    const serviceNow = connection.client.serviceTime();
    await keepRecognised(store, planned.pending, runtime.clock.now(), serviceNow);
    if (hasErrors(planned.plan.findings)) return 'refused';
    const needsApproval = isEffective(planned.plan) && !options.isApproved && !saved;
    if (needsApproval && !(await reporter.approve(planned))) return 'declined';
    const summary = await carryOutTimed(runtime, session, planned, options, reporter);
    reporter.showSummary(summary, mode);
    refuseUnwritten(session, summary);
    return outcomeOf(summary);
  } finally {
    await session.close();
  }
}

/** Carries the plan out, with the times of its changes kept for the report. */
async function carryOutTimed(
  runtime: Runtime,
  { store, connection, directory }: Session,
  planned: Planned,
  options: ApplyOptions,
  reporter: Reporter,
): Promise<ApplySummary> {
  const { clock } = runtime;
  const timeline = recordTimeline(planned.plan.tasks);
  const follower = runtime.followApply?.(planned.plan.tasks.length);
  const startedAt = clock.now();
  await sweepSinks(store.state, planned.desired.resources, directory);
  const workplace = { store, connection, claimSink: makeSinks(runtime, directory) };
  const { parallelism, capacityWaitMs, saved } = options;
  const planOptions = saved?.planOptions ?? options.planOptions;
  const pace = { parallelism, capacityWaitMs, planOptions };
  const summary = await carryOut(runtime, workplace, planned, pace, {
    showDiagnostics: (diagnostics) => reporter.showDiagnostics(diagnostics),
    showEvent(event) {
      timeline.note(event);
      follower?.note(event);
      reporter.showEvent(event);
    },
  });
  // Without the lock, the successor's would be overwritten.
  if (planned.plan.tasks.length > 0 && !(store.failure instanceof LockLostError)) {
    const counts = countEffects(summary.changes.map(({ done }) => done));
    const run = { ...timeline.finish(startedAt, clock.now()), counts };
    const complaints = await keepLastRun(directory, run);
    reporter.showDiagnostics(complaints);
  }
  return summary;
}

/** A state that could not be written is an error whatever the changes came to. @throws DiagnosticError */
function refuseUnwritten({ store, backend, directory }: Session, { changes }: ApplySummary): void {
  if (!store.failure) return;
  if (store.failure instanceof LockLostError) {
    const unfinished = changes.filter(({ result }) => result.kind !== 'applied').length;
    throw explainLostLock(store.failure, unfinished);
  }
  // A rescue that lies beside the configuration is uploaded by the next run.
  const isUploaded = backend.kind !== 'local' && store.rescue?.startsWith(directory);
  const place = isUploaded ? undefined : backend.openFiles().pathOf(fileNames.snapshot);
  throw explainRescue(store.failure, place, store.rescue);
}

/** Said before a wait that would look like a hang. */
function describePending({ missing, leftMs }: PendingWait): Diagnostic {
  const creates = missing.length === 1 ? '1 create' : `${missing.length} creates`;
  return {
    severity: 'note',
    code: 'waiting-for-pending',
    summary: `An earlier run did not see the end of ${creates}: waiting up to ${Math.ceil(leftMs / 1_000)}s for its result`,
    detail: `Affected: ${missing.map(({ address }) => address).join(', ')}.`,
  };
}

function outcomeOf({ isInterrupted, changes, findings = [] }: ApplySummary): ApplyOutcome {
  if (isInterrupted) return 'interrupted';
  const isDone = changes.every(({ result }) => result.kind === 'applied');
  return isDone && !hasErrors(findings) ? 'done' : 'incomplete';
}
