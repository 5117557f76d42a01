import type { RunListener } from '../../engine/carry-out.ts';
import { Engine, type ApplySupervisor } from '../../engine/engine.ts';
import type { PlanWithSources } from '../../engine/make-plan.ts';
import type { PlanParameters } from '../../engine/plan-order.ts';
import { openSecretSinks } from '../../engine/sinks.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { countEffects } from '../../model/effects.ts';
import {
  needsApproval,
  type Plan,
  type PlanMode,
  type PlanOptions,
} from '../../model/plan/plan.ts';
import type { ApplySummary } from '../../model/plan/result.ts';
import type { Runtime, SessionRuntime } from '../../model/runtime.ts';
import { storeLastRunTimeline } from '../session/last-run.ts';
import { identifyPlan } from '../planning/identify-plan.ts';
import { resolveDataForApply } from '../planning/read-data.ts';
import { openPermittedProber } from '../planning/probe-permission.ts';
import { selectRestoreTargets } from '../../plan/reconcile/bring-back.ts';
import { createTimelineRecorder } from '../../plan/order/timeline.ts';
import {
  requireUpToDateSavedPlan,
  openSavedPlanConfiguration,
  requireEncryptedPlan,
  requireSameDesiredGraph,
  type OpenedPlanFile,
} from './saved-plan.ts';
import { forgetHostKeys, listVmsLosingHostKeys } from '../ssh/host-keys.ts';
import type { Reporter } from '../session/reporter.ts';
import { findManualStateRescuePath } from '../session/state/rescue.ts';
import {
  openConfigurationSession,
  type ConfigurationSession,
  type ConfigurationSessionOptions,
} from '../session/session.ts';
import { explainRescuedState } from '../../state/faults.ts';
import { explainLostLock, LockLostError } from '../../state/lock/fence.ts';
import type { SavedPlan } from '../../state/plan-file.ts';

/** Options of `apply` and `destroy`. */
export interface ApplyOptions extends ConfigurationSessionOptions {
  readonly mode: PlanMode;
  /** A plan that was approved when it was saved; undefined to plan now. */
  readonly saved: OpenedPlanFile | undefined;
  readonly isApproved: boolean;
  readonly parallelism: number;
  /** Milliseconds for which a create is tried again while the service has no capacity. */
  readonly capacityWaitMs?: number | undefined;
  readonly planOptions: PlanOptions;
}

/** End of an apply, which decides about the exit code. */
export type ApplyOutcome = 'done' | 'refused' | 'declined' | 'incomplete' | 'interrupted';

type ApplyMeans =
  'allowsCommands' | 'followApply' | 'holdInterrupts' | 'openProber' | 'probePermission';

/** Makes a plan or takes a saved one, asks the user to approve it, and carries it out. */
export async function apply(
  runtime: SessionRuntime & Pick<Runtime, ApplyMeans>,
  options: ApplyOptions,
  reporter: Reporter,
): Promise<ApplyOutcome> {
  const { mode, saved, parallelism, capacityWaitMs } = options;
  const operation = mode === 'destroy' ? 'destroy' : 'apply';
  const purpose = { operation, access: 'write' } as const;
  const given = saved && (await openSavedPlanConfiguration(runtime, saved, options, reporter));
  const session = await openConfigurationSession(runtime, options, purpose, reporter, given);
  try {
    const { store, connection, directory, silentForMs } = session;
    if (saved) {
      requireEncryptedPlan(runtime, saved, session);
      requireUpToDateSavedPlan(saved, session);
    }
    const { configuration, source } = await resolveDataForApply(session, saved, reporter);
    if (saved && given?.pending) requireSameDesiredGraph(saved, configuration.graph);
    const engine = new Engine({
      store,
      connection,
      silentForMs,
      clock: runtime.clock,
      random: () => runtime.random(),
      interrupts: runtime,
      sinks: openSecretSinks(runtime, directory),
      pace: { parallelism, capacityWaitMs },
      askProbe: openPermittedProber(runtime, directory),
    });
    const { graph: desired, steps } = configuration;
    const order: PlanParameters = {
      mode,
      desired,
      steps,
      planOptions: selectRestoreTargets(options.planOptions, desired),
      allowsCommands: runtime.allowsCommands === true,
      allowsProbes: runtime.probePermission !== undefined,
      // Reservations and projects of other workspaces are checked by the server before it starts an apply.
      reservedQuotas: [],
      ownedProjects: [],
    };
    const observer: ApplySupervisor = {
      showDiagnostics: (diagnostics) => reporter.showDiagnostics(diagnostics),
      review: (planned) => reviewPlan(runtime, session, saved, planned, reporter),
      approve: async (planned) => {
        if (!saved) refuseUnapproved(runtime, planned.plan);
        const isAsked = needsApproval(planned.plan) && !options.isApproved && !saved;
        const { leavesSandbox, service } = session.connection;
        const { variables } = configuration;
        const shown = {
          ...planned,
          variables,
          ...(leavesSandbox && { insteadOfSandbox: service }),
        };
        return !isAsked || reporter.approve(shown);
      },
      follow: (planned) => followRun(runtime, session, planned, reporter),
    };
    // Deadlines go by the clock of this run, unless a seal vouches for the moment in the plan.
    const plannedAt = saved?.isTrusted ? saved.plannedAt : undefined;
    const applied = await engine.apply(order, observer, { source, plannedAt });
    if (applied.kind !== 'ended') return applied.kind;
    reporter.showSummary(applied.summary, mode);
    refuseUnwritten(session, applied.summary);
    return outcomeOf(applied.summary);
  } finally {
    await session.close();
  }
}

/** A run of a server that no saved plan was approved for, such as a destroy, does nothing that a policy asks approvals for. @throws DiagnosticError */
function refuseUnapproved({ process }: Pick<Runtime, 'process'>, { findings }: Plan): void {
  const asking = findings.find(({ approvals }) => approvals !== undefined);
  if (!process.run || !asking?.approvals) return;
  const { needed, policy } = asking.approvals;
  throw new DiagnosticError([
    {
      severity: 'error',
      code: 'approvals-missing',
      summary: `The policy ${policy} asks for ${formatCountWithNoun('approval', needed)}, and there is no plan to approve`,
      detail: asking.summary,
      hint: 'Remove the resources from the configuration, and have the plan of that approved.',
    },
  ]);
}

/** Shows the plan; a saved one, which was shown before, is compared with the plan of now. @throws DiagnosticError */
async function reviewPlan(
  runtime: Pick<Runtime, 'cwd' | 'env'>,
  session: ConfigurationSession,
  saved: SavedPlan | undefined,
  planned: PlanWithSources,
  reporter: Reporter,
): Promise<void> {
  if (saved) {
    requireUpToDateSavedPlan(saved, session, planned);
    reporter.showDiagnostics(planned.plan.findings);
    return;
  }
  const account = session.connection.service;
  const identity = await identifyPlan(runtime, session.directory, { account });
  await reporter.showPlan({ ...planned, identity, variables: session.configuration.variables });
}

/** Shows a run that begins, and keeps the times of its changes for the report. */
function followRun(
  { clock, followApply }: Pick<Runtime, 'clock' | 'followApply'>,
  { store, directory }: ConfigurationSession,
  { plan }: PlanWithSources,
  reporter: Reporter,
): RunListener {
  const { tasks } = plan;
  const timeline = createTimelineRecorder(tasks);
  const follower = followApply?.(tasks.length);
  const startedAt = clock.now();
  void forgetHostKeys(directory, listVmsLosingHostKeys(plan));
  return {
    showDiagnostics: (diagnostics) => reporter.showDiagnostics(diagnostics),
    showEvent(event) {
      timeline.note(event);
      follower?.note(event);
      reporter.showEvent(event);
    },
    async onEnd({ changes }) {
      await forgetHostKeys(directory, listVmsLosingHostKeys(plan));
      // A run that lost the lock must not overwrite the record of its successor.
      if (tasks.length === 0 || store.failure instanceof LockLostError) return;
      const counts = countEffects(changes.map(({ done }) => done));
      const run = { ...timeline.finish(startedAt, clock.now()), counts };
      reporter.showDiagnostics(await storeLastRunTimeline(directory, run));
    },
  };
}

/** Reports a state that could not be written, whatever happened to the changes. @throws DiagnosticError */
function refuseUnwritten(session: ConfigurationSession, { changes }: ApplySummary): void {
  const { store } = session;
  const unfinished = changes.filter(({ result }) => result.kind !== 'applied').length;
  if (!store.failure && store.refusal && unfinished > 0) {
    throw explainLostLock(store.refusal, unfinished, true);
  }
  if (!store.failure) return;
  if (store.failure instanceof LockLostError) throw explainLostLock(store.failure, unfinished);
  throw explainRescuedState(store.failure, findManualStateRescuePath(session), store.rescue);
}

function outcomeOf({ isInterrupted, changes, findings = [] }: ApplySummary): ApplyOutcome {
  if (isInterrupted) return 'interrupted';
  const isDone = changes.every(({ result }) => result.kind === 'applied');
  return isDone && !hasErrors(findings) ? 'done' : 'incomplete';
}
