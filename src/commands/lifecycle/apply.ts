import { confirmGone } from '../../execute/run/confirm-gone.ts';
import { runPlan } from '../../execute/run/run-plan.ts';
import { makeSinks, sweepSinks, type ClaimSink } from '../../execute/secrets/secret-sink.ts';
import {
  abandonAbsent,
  keepRecognised,
  settleDoubles,
  syncState,
} from '../../execute/run/persist-reconciliation.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import { countEffects } from '../../model/plan/effects.ts';
import { isEffective, type PlanMode, type PlanOptions } from '../../model/plan/plan.ts';
import type { ApplySummary } from '../../model/plan/result.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { PendingWait } from '../planning/pending-request.ts';
import { beginRun } from '../session/begin-run.ts';
import { keepLastRun } from '../session/last-run.ts';
import { makePlan, type Planned } from '../planning/make-plan.ts';
import { readAccountData } from '../planning/read-data.ts';
import { recordTimeline } from '../../plan/order/timeline.ts';
import { concludeApply } from './conclude-apply.ts';
import { confirmSavedPlan, restoreConfiguration } from './saved-plan.ts';
import type { Reporter } from '../session/reporter.ts';
import { openSession, type Session, type SessionOptions } from '../session/session.ts';
import { explainRescue } from '../../state/faults.ts';
import { explainLostLock, LockLostError } from '../../state/lock/fence.ts';
import { fileNames } from '../../state/files/files.ts';
import type { VersionNote } from '../../state/history/save-snapshot.ts';
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
    } else await reporter.showPlan(planned);
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

/** What a plan is carried out on. */
interface Workplace extends Pick<Session, 'store' | 'connection'> {
  readonly claimSink: ClaimSink;
}

/** Carries out a plan that nobody objects to, and leaves a state that the next run can start from. */
export async function carryOut(
  runtime: Pick<Runtime, 'clock' | 'random' | 'interrupted' | 'holdInterrupts'>,
  { store, connection, claimSink }: Workplace,
  { plan, desired, live, pending, known, checkResolved, steps }: Planned,
  {
    parallelism,
    capacityWaitMs,
    planOptions,
    saved,
  }: Pick<ApplyOptions, 'parallelism' | 'capacityWaitMs' | 'planOptions' | 'saved'>,
  reporter: Pick<Reporter, 'showDiagnostics' | 'showEvent'>,
): Promise<ApplySummary> {
  const { clock } = runtime;
  const { client } = connection;
  await confirmGone(client, clock, store.state, live);
  const runId = await beginRun(runtime, { store, connection });
  // Before anything was sent there is nothing to rescue.
  if (store.failure) throw store.failure;
  await syncState(store, known);
  await settleDoubles(store, clock.now(), client.serviceTime());
  const resent = await abandonAbsent(store, pending.absent, clock.now(), client.serviceTime());
  let counts: VersionNote['counts'];
  const letGo = runtime.holdInterrupts(() => reporter.showDiagnostics([interruptedNote]));
  try {
    const summary = await runPlan(plan, {
      client,
      store,
      clock,
      live,
      checkResolved,
      steps,
      parallelism,
      capacityWaitMs,
      claimSink,
      resent,
      random: () => runtime.random(),
      interrupted: runtime.interrupted,
      emit: (event) => reporter.showEvent(event),
      tell: (diagnostics) => reporter.showDiagnostics(diagnostics),
    });
    counts = countEffects(summary.changes.map(({ done }) => done));
    const asked = saved?.planOptions ?? planOptions;
    return await concludeApply(store, { plan, desired, summary, planOptions: asked });
  } finally {
    letGo();
    await endRun(store, { runId, counts }, clock.now(), client.latestServiceTime());
  }
}

/** What the history says of a run. */
interface RunNote {
  readonly runId: string;
  readonly counts: VersionNote['counts'];
}

/** Writes down that the run has come to its end: nothing is on its way any more. */
async function endRun(
  store: Session['store'],
  { runId, counts }: RunNote,
  at: number,
  serviceAt: number | undefined,
): Promise<void> {
  await store.record({ kind: 'end', runId, at, ...(serviceAt !== undefined && { serviceAt }) });
  // A state that cannot be written is reported after the summary.
  await store.compact({ runId, ...(counts && { counts }) }).catch((error: unknown) => {
    if (!store.failure) throw error;
  });
}

/** The same, with the times of its changes kept for the report. */
async function carryOutTimed(
  runtime: Runtime,
  { store, connection, directory }: Session,
  planned: Planned,
  options: ApplyOptions,
  reporter: Reporter,
): Promise<ApplySummary> {
  const { clock } = runtime;
  const timeline = recordTimeline(planned.plan.tasks);
  const startedAt = clock.now();
  await sweepSinks(store.state, planned.desired.resources, directory);
  const workplace = { store, connection, claimSink: makeSinks(runtime, directory) };
  const summary = await carryOut(runtime, workplace, planned, options, {
    showDiagnostics: (diagnostics) => reporter.showDiagnostics(diagnostics),
    showEvent(event) {
      timeline.note(event);
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
  const isUploaded = backend.kind !== 'local' && store.refuge?.startsWith(directory);
  const place = isUploaded ? undefined : backend.openFiles().pathOf(fileNames.snapshot);
  throw explainRescue(store.failure, place, store.refuge);
}

/** Said before a wait that would look like a hang. */
function describePending({ missing, leftMs }: PendingWait): Diagnostic {
  const creates = missing.length === 1 ? '1 create' : `${missing.length} creates`;
  return {
    severity: 'note',
    code: 'waiting-for-pending',
    summary: `An earlier run did not see the end of ${creates}: waiting up to ${Math.ceil(leftMs / 1_000)}s to see what it made`,
    detail: `Affected: ${missing.map(({ address }) => address).join(', ')}.`,
  };
}

const interruptedNote: Diagnostic = {
  severity: 'note',
  code: 'interrupted',
  summary: 'Interrupted: nothing new is started, and what runs is waited for',
  hint: 'Interrupt once more to stop at once; the next run goes on from there.',
};

function outcomeOf({ isInterrupted, changes, findings = [] }: ApplySummary): ApplyOutcome {
  if (isInterrupted) return 'interrupted';
  const isDone = changes.every(({ result }) => result.kind === 'applied');
  return isDone && !hasErrors(findings) ? 'done' : 'incomplete';
}
