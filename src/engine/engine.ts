// "Plan, then carry out", once: `apply`, rehearsals, `hostwright test` and the scenario worlds of the test suite run this very
// code, each on an account, a state, a clock and a chance of its own. It must never show anything, and never know which
// of them it works for.
import { recordRecognisedResources } from '../execute/run/persist-reconciliation.ts';
import type { LiveAccountReader } from '../live/read-live.ts';
import { hasErrors, type Diagnostic } from '../model/diagnostic.ts';
import type { ApplySummary } from '../model/plan/result.ts';
import { carryOutPlan, type RunListener, type CarryOutContext } from './carry-out.ts';
import { makePlan, type PlanWithSources } from './make-plan.ts';
import type { PendingCreateWait } from './await-pending.ts';
import type { PlanParameters } from './plan-order.ts';

/** Account and state that an engine works on, and its connections to the outside. */
export interface EngineContext extends CarryOutContext {
  /**
   * For how long at least the run that the lock of the state was taken over from had sent nothing; milliseconds.
   * Undefined where the lock was free, or there is none.
   */
  readonly silentForMs: number | undefined;
}

/** Sources of a plan besides its order: what was read already, and the saved plan that it is compared with. */
export interface PlanSources {
  /** Source of the first look at the account; the connection's client unless given. */
  readonly source?: LiveAccountReader;
  /** Time of the plan that this one is compared with: the same backups are due as then. Now unless given. */
  readonly plannedAt?: number | undefined;
}

/** Approves a plan and receives the events of its apply. */
export interface ApplySupervisor {
  showDiagnostics(diagnostics: readonly Diagnostic[]): void;
  /** Sees the plan before anything of it is written down. @throws where it must not be carried out */
  review?(planned: PlanWithSources): Promise<void> | void;
  /** Asked of a plan without errors: true to carry it out. Nobody is asked unless given. */
  approve?(planned: PlanWithSources): Promise<boolean>;
  /** Called when the run begins; the returned listener gets its events. */
  follow(planned: PlanWithSources): RunListener;
}

/** The end of an apply. */
export type EngineApplyOutcome =
  | { readonly kind: 'refused' | 'declined'; readonly planned: PlanWithSources }
  | { readonly kind: 'ended'; readonly planned: PlanWithSources; readonly summary: ApplySummary };

/** Plans for an account and carries the plans out there. */
export class Engine {
  readonly #place: EngineContext;

  constructor(place: EngineContext) {
    this.#place = place;
  }

  /** Plans, and waits for nothing that an earlier run has left behind. @throws ApiError */
  plan(
    order: PlanParameters,
    { source }: Pick<PlanSources, 'source'> = {},
  ): Promise<PlanWithSources> {
    return this.#makePlan(order, { source });
  }

  /** Plans, and carries the plan out unless it has errors or is declined. @throws ApiError, LockLostError */
  async apply(
    order: PlanParameters,
    observer: ApplySupervisor,
    sources: PlanSources = {},
  ): Promise<EngineApplyOutcome> {
    const { store, silentForMs } = this.#place;
    const planned = await this.#makePlan(order, {
      ...sources,
      silentForMs,
      onPending: (wait) => observer.showDiagnostics([describePending(wait)]),
    });
    // A run that has taken the lock over meanwhile knows more: what this plan says may be false by now.
    await store.requireLock();
    await observer.review?.(planned);
    await this.#keepRecognised(planned);
    if (hasErrors(planned.plan.findings)) return { kind: 'refused', planned };
    const isApproved = (await observer.approve?.(planned)) ?? true;
    if (!isApproved) return { kind: 'declined', planned };
    const listener = observer.follow(planned);
    const summary = await carryOutPlan(this.#place, planned, listener);
    await listener.onEnd?.(summary);
    return { kind: 'ended', planned, summary };
  }

  /** Carries out a plan that was made elsewhere, on this place, which is a copy. Errors do not hold it up. */
  async rehearse(planned: PlanWithSources, listener: RunListener): Promise<ApplySummary> {
    await this.#keepRecognised(planned);
    return carryOutPlan(this.#place, planned, listener);
  }

  #makePlan(order: PlanParameters, look: Parameters<typeof makePlan>[2]): Promise<PlanWithSources> {
    const { store, connection, clock, sinks } = this.#place;
    return makePlan({ state: store.state, connection, clock, sinks }, order, look);
  }

  #keepRecognised({ pending }: PlanWithSources): Promise<void> {
    const { store, connection, clock } = this.#place;
    return recordRecognisedResources(store, pending, clock.now(), connection.client.serviceTime());
  }
}

/** A notice before a wait for pending creates, which would look as if the program hung. */
function describePending({ missing, leftMs }: PendingCreateWait): Diagnostic {
  const creates = missing.length === 1 ? '1 create' : `${missing.length} creates`;
  return {
    severity: 'note',
    code: 'waiting-for-pending',
    summary: `An earlier run did not see the end of ${creates}: waiting up to ${Math.ceil(leftMs / 1_000)}s for its result`,
    detail: `Affected: ${missing.map(({ address }) => address).join(', ')}.`,
  };
}
