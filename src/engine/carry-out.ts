// Carries out a plan that nobody objects to, on the live account or on a copy of it, and leaves a state that the next
// run can start from.
import { findUnmetChecks } from '../checks/configured-checks.ts';
import type { RunOptions, ModuleGateChecks } from '../execute/context/run-context.ts';
import { confirmResourcesGone } from '../execute/run/confirm-gone.ts';
import {
  abandonAbsentCreates,
  dropExpiredDuplicateWatches,
  persistReconciliation,
} from '../execute/run/persist-reconciliation.ts';
import { runPlan } from '../execute/run/run-plan.ts';
import {
  ReferenceAddressIndex,
  listDeferredReads,
} from '../expressions/deferred/deferred-reads.ts';
import { ProjectedScope } from '../expressions/deferred/projected-scope.ts';
import { listUnfoundTouchedByPlan, listUnfoundResources } from '../kinds/unfound.ts';
import { isAtOrBelowAddress, type ResourceAddress } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { countEffects } from '../model/effects.ts';
import type { RunProbeOnce } from '../model/plan/readiness.ts';
import type { ApplyEvent, ApplySummary } from '../model/plan/result.ts';
import type { Clock, Runtime } from '../model/runtime.ts';
import { projectResourcesFromState } from '../plan/deferred/project-state.ts';
import type { StateVersionNote } from '../state/history/save-snapshot.ts';
import type { StateStore } from '../state/store.ts';
import type { AccountConnection } from './account-link.ts';
import { beginRun } from './begin-run.ts';
import { concludeApply } from './conclude-apply.ts';
import type { PlanWithSources } from './make-plan.ts';
import type { SecretSinks } from './sinks.ts';

/** Signals that the user has interrupted the run. */
export type RunInterrupts = Pick<Runtime, 'interrupted' | 'holdInterrupts'>;

/** Interrupts for runs that nobody can interrupt, such as a rehearsal. */
export function createIgnoredInterrupts(): RunInterrupts {
  return { interrupted: new AbortController().signal, holdInterrupts: () => () => undefined };
}

/**
 * Everything that is needed to carry out a plan: the state, the connection to the account, clocks, destinations of secrets, and
 * limits on concurrency.
 */
export interface CarryOutContext {
  readonly store: StateStore;
  readonly connection: AccountConnection;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sinks: SecretSinks;
  readonly interrupts: RunInterrupts;
  readonly pace: Pick<RunOptions, 'parallelism' | 'capacityWaitMs'>;
  /** Asks the probes of rollouts; no probe is asked when absent. */
  readonly askProbe?: RunProbeOnce | undefined;
}

/** Receiver of a run's events, diagnostics and results. */
export interface RunListener extends Pick<RunOptions, 'onCommand'> {
  showDiagnostics(diagnostics: readonly Diagnostic[]): void;
  showEvent(event: ApplyEvent): void;
  /** Called when no command of the run is under way any more. */
  onEnd?(summary: ApplySummary): Promise<void>;
}

/** Carries a plan out. @returns how each of its changes ended. */
export async function carryOutPlan(
  { store, connection, clock, random, sinks, interrupts, pace, askProbe }: CarryOutContext,
  planned: PlanWithSources,
  listener: RunListener,
): Promise<ApplySummary> {
  const { plan, order, live, pending, known, checkDuringApply } = planned;
  const { client } = connection;
  await sinks.sweep(store.state, order.desired.resources);
  await confirmResourcesGone(
    client,
    clock,
    listUnfoundTouchedByPlan(listUnfoundResources(store.state, live), plan, known),
  );
  const runId = await beginRun(store, connection, clock);
  // A state that cannot be written stops the run while nothing has been sent and nothing can be lost.
  if (store.failure) throw store.failure;
  await persistReconciliation(store, known);
  await dropExpiredDuplicateWatches(store, clock.now(), client.serviceTime());
  const resent = await abandonAbsentCreates(
    store,
    pending.absent,
    clock.now(),
    client.serviceTime(),
  );
  let counts: StateVersionNote['counts'];
  const letGo = interrupts.holdInterrupts(() => listener.showDiagnostics([interruptedNote]));
  try {
    const summary = await runPlan(plan, {
      ...pace,
      client,
      store,
      clock,
      random,
      live,
      checkDuringApply,
      openChecks: (ahead) => openChecks(planned, ahead),
      resent,
      interrupted: interrupts.interrupted,
      steps: order.steps,
      claimSink: sinks.claim,
      askProbe,
      ...(listener.onCommand && { onCommand: listener.onCommand }),
      emit: (event) => listener.showEvent(event),
      tell: (diagnostics) => listener.showDiagnostics(diagnostics),
    });
    counts = countEffects(summary.changes.map(({ done }) => done));
    return await concludeApply(store, planned, summary);
  } finally {
    letGo();
    await endRun(store, { runId, counts }, clock.now(), client.latestServiceTime());
  }
}

/** A run's entry in the history of the state. */
interface RunNote {
  readonly runId: string;
  readonly counts: StateVersionNote['counts'];
}

/** Records in the state that a run has ended, so that none of its requests is under way any more. */
export async function endRun(
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

/**
 * The checks of the configuration as they count during an apply. Those of the modules `ahead` are about what is yet to change
 * there.
 */
function openChecks(
  { plan, order, live, known }: Pick<PlanWithSources, 'plan' | 'order' | 'live' | 'known'>,
  ahead: readonly ResourceAddress[],
): ModuleGateChecks {
  const { resources, emptyGroups, checks = [] } = order.desired;
  const counting = checks.filter(
    ({ prefix }) => !ahead.some((instance) => isAtOrBelowAddress(prefix.slice(0, -1), instance)),
  );
  const book = new ReferenceAddressIndex(resources.map(({ address }) => address));
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const desired = new Map(resources.map((one) => [one.address, one]));
  return {
    reads: new Set(
      counting.flatMap(({ assert }) =>
        listDeferredReads(assert, book).map(({ address }) => address),
      ),
    ),
    findUnmet: (state) => {
      const list = () =>
        projectResourcesFromState(resources, state, undefined, changes, live.catalog);
      const scope = new ProjectedScope(list, emptyGroups, order.steps);
      return findUnmetChecks(counting, scope, { plan, live, state: known, desired });
    },
  };
}
