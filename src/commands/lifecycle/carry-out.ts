// Carries out a plan that nobody objects to, on the live account or on a copy of it, and leaves a state that the next
// run can start from.
import { confirmGone } from '../../execute/run/confirm-gone.ts';
import {
  abandonAbsent,
  settleDoubles,
  persistReconciliation,
} from '../../execute/run/persist-reconciliation.ts';
import type { RunOptions } from '../../execute/run/run-context.ts';
import { runPlan } from '../../execute/run/run-plan.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { countEffects } from '../../model/plan/effects.ts';
import type { PlanOptions } from '../../model/plan/plan.ts';
import type { ApplySummary } from '../../model/plan/result.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { VersionNote } from '../../state/history/save-snapshot.ts';
import type { StateStore } from '../../state/store.ts';
import type { Planned } from '../planning/make-plan.ts';
import { beginRun } from '../session/begin-run.ts';
import type { Connection } from '../session/connect.ts';
import type { Reporter } from '../session/reporter.ts';
import { concludeApply } from './conclude-apply.ts';

/** What a plan is carried out on. */
interface Workplace extends Required<Pick<RunOptions, 'claimSink'>> {
  readonly store: StateStore;
  readonly connection: Connection;
}

/** How it is carried out. */
interface CarryOutOptions extends Pick<RunOptions, 'parallelism' | 'capacityWaitMs' | 'onCommand'> {
  readonly planOptions: PlanOptions;
}

/** @returns how each change of the plan ended */
export async function carryOut(
  runtime: Pick<Runtime, 'clock' | 'random' | 'interrupted' | 'holdInterrupts'>,
  { store, connection, claimSink }: Workplace,
  { plan, desired, live, pending, known, checkResolved, steps }: Planned,
  { planOptions, ...pace }: CarryOutOptions,
  reporter: Pick<Reporter, 'showDiagnostics' | 'showEvent'>,
): Promise<ApplySummary> {
  const { clock } = runtime;
  const { client } = connection;
  await confirmGone(client, clock, store.state, live);
  const runId = await beginRun(runtime, { store, connection });
  // Before anything was sent there is nothing to rescue.
  if (store.failure) throw store.failure;
  await persistReconciliation(store, known);
  await settleDoubles(store, clock.now(), client.serviceTime());
  const resent = await abandonAbsent(store, pending.absent, clock.now(), client.serviceTime());
  let counts: VersionNote['counts'];
  const letGo = runtime.holdInterrupts(() => reporter.showDiagnostics([interruptedNote]));
  try {
    const summary = await runPlan(plan, {
      ...pace,
      client,
      store,
      clock,
      live,
      checkResolved,
      steps,
      claimSink,
      resent,
      random: () => runtime.random(),
      interrupted: runtime.interrupted,
      emit: (event) => reporter.showEvent(event),
      tell: (diagnostics) => reporter.showDiagnostics(diagnostics),
    });
    counts = countEffects(summary.changes.map(({ done }) => done));
    return await concludeApply(store, { plan, desired, summary, planOptions });
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
  store: StateStore,
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

const interruptedNote: Diagnostic = {
  severity: 'note',
  code: 'interrupted',
  summary: 'Interrupted: nothing new starts; waiting for running changes',
  hint: 'Interrupt again to stop at once; the next run continues from there.',
};
