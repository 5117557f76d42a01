import type { ServiceCallOptions } from '../../api/wire/caller.ts';
import type { ServiceClient } from '../../api/client.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { ResourceAddress } from '../../model/address.ts';
import {
  resolveCommand,
  type Command,
  type ResourceRef,
  type ResolvedCommand,
} from '../../model/account/command.ts';
import { InternalError } from '../../model/errors.ts';
import {
  indexById,
  getLiveName,
  type LiveResource,
  type LiveSnapshot,
  type ResourcePlace,
} from '../../model/account/live.ts';
import { groupBy } from '../../model/group-by.ts';
import type { KindName } from '../../model/kind-places.ts';
import { EvaluationBudget } from '../../expressions/values/budget.ts';
import type { KnownResource } from '../../model/deferred.ts';
import type { DeferredChange } from '../../model/plan/deferred-change.ts';
import type { Change, Plan } from '../../model/plan/plan.ts';
import type { RunProbeOnce, ReadinessConditions } from '../../model/plan/readiness.ts';
import type { RehearsedCommandRun } from '../../model/plan/rehearsal.ts';
import type { Task } from '../../model/plan/task.ts';
import type { ApplyEvent } from '../../model/plan/result.ts';
import type { Clock } from '../../model/runtime.ts';
import type { StateStore } from '../../state/store.ts';
import type { Diagnostic, Finding } from '../../model/diagnostic.ts';
import type { PossibleDuplicateCreate, SentCommands, State } from '../../model/state/state.ts';
import { createCollectionLister, type CollectionLister } from '../observe/collection-looks.ts';
import type { ClaimSecretSink } from '../secrets/secret-sink.ts';
import { indexPlannedClaims } from '../../plan/deferred/claims.ts';
import { findResourceDuringApply } from '../../plan/values/known-resource.ts';
import type { ResolvedChange } from '../../plan/deferred/resolve-change.ts';
import { createBatchedRead, type BatchedRead } from '../observe/batched-read.ts';
import { createBatchedSaleLookup, type BatchedSaleLookup } from '../observe/batched-sale-lookup.ts';
import {
  createCommandContext,
  type CommandRunContext,
  type CommandJob,
} from './command-context.ts';
import { createKindCounter, createLikenessKey } from './likeness.ts';
import { TaskMilestones } from './milestones.ts';
import { RunEndEstimate } from '../pace/horizon.ts';
import { RunConcurrencySlots } from '../pace/places.ts';
import { estimateRemainingChainMs } from '../pace/remaining-path.ts';
import { createKeyedMutex, type KeyedMutex } from '../pace/keyed-mutex.ts';

/** Checks of the configuration that must hold before the next instance of a module is changed. */
export interface ModuleGateChecks {
  /** Addresses of the resources that the checks read. */
  readonly reads: ReadonlySet<ResourceAddress>;
  /** Finds the checks that a state does not meet. */
  readonly findUnmet: (state: State) => readonly Finding[];
}

/** Input of a run. */
export interface RunOptions {
  readonly client: ServiceClient;
  readonly store: StateStore;
  readonly clock: Clock;
  readonly random: () => number;
  /** The account as it was when the plan was made. */
  readonly live: LiveSnapshot;
  /** Destination of the values of new tokens; needed for a plan that creates any. */
  readonly claimSink?: ClaimSecretSink;
  /** Opens what checks each change before its first request, by what is known then: errors fail it. */
  readonly checkDuringApply: (
    readNow: (address: ResourceAddress) => KnownResource | undefined,
  ) => (change: Change) => readonly Finding[];
  /** The checks that count while these instances are yet to change. */
  readonly openChecks: (ahead: readonly ResourceAddress[]) => ModuleGateChecks;
  /** Steps that expressions may still take; a budget for this run alone unless given. */
  readonly steps?: EvaluationBudget | undefined;
  /** Asks the probes of rollouts; a plan with probes needs it. */
  readonly askProbe?: RunProbeOnce | undefined;
  /** Number of changes that run at once. */
  readonly parallelism: number;
  /** Time during which a create that finds no capacity is sent again, in milliseconds; never again unless given. */
  readonly capacityWaitMs?: number | undefined;
  /** Creates of earlier runs that were given up and may be sent again by this one; none unless given. */
  readonly resent?: readonly ResentCreate[];
  readonly emit: (event: ApplyEvent) => void;
  /** Called for each command that has ended, successfully or not. */
  readonly onCommand?: (run: RehearsedCommandRun) => void;
  /** Shows diagnostics at once, so that they are not lost if the process is killed. */
  readonly tell: (diagnostics: readonly Diagnostic[]) => void;
  /** Aborted when no new change may start, as after Ctrl+C. */
  readonly interrupted: AbortSignal;
}

/** The plan, indexed for lookups, and the account that it was made on. */
interface PlannedRun extends Pick<RunOptions, 'live'> {
  /** Live resources of the account by id. */
  readonly liveById: ReadonlyMap<string, LiveResource>;
  /** Addresses of the resources that were managed when the plan was made, by id. */
  readonly addresses: ReadonlyMap<string, ResourceAddress>;
  /** The account by what a create could be mistaken by: see `createLikenessKey`. */
  readonly liveByLikeness: ReadonlyMap<string, readonly LiveResource[]>;
  /** Changes of the plan, by address. */
  readonly changes: ReadonlyMap<ResourceAddress, Change>;
  /** Changes that the plan could only outline, as their values become known during the apply. */
  readonly deferred: ReadonlyMap<ResourceAddress, DeferredChange>;
  /** When a resource is ready that is probed once its change is done, by its address. */
  readonly probed: ReadonlyMap<ResourceAddress, ReadinessConditions>;
  /** Addresses of resources that expressions can read. */
  readonly readable: readonly ResourceAddress[];
}

/** The history of a run: everything that it changes in memory, but for `addresses` and the state itself. */
interface RunHistory {
  /** Ids that this run has made or recognised, also of what it has deleted again. */
  readonly bound: Set<string>;
  /** Creates that this run sent again, by address: what the first request made may still show up. */
  readonly resent: Map<ResourceAddress, ResentCreate>;
  /** Addresses whose change this run has carried out. */
  readonly done: Set<ResourceAddress>;
  /** Addresses whose rollout probes have succeeded. */
  readonly ready: Set<ResourceAddress>;
  /** The changes, as planned or resolved, that were checked before a request of them and may go on. */
  readonly checked: Set<Change>;
  /** Changes whose values became known during the apply, by address. */
  readonly resolved: Map<ResourceAddress, ResolvedChange>;
  /** Who will hold which name or port: as planned, and as resolved so far. */
  readonly claims: Map<string, ResourceAddress>;
  /** Resources as they were left by a task that comes before their change itself, by id. */
  readonly prepared: Map<string, LiveResource>;
  /** Commands that this run has carried out on resources that existed before, by id. */
  readonly carriedOut: Map<string, ResolvedCommand[]>;
}

/** Everything that all parts of one apply share. */
export interface RunContext
  extends Omit<RunOptions, 'resent' | 'steps' | 'live' | 'checkDuringApply'>, CommandRunContext {
  readonly horizon: RunEndEstimate;
  readonly places: RunConcurrencySlots;
  /**
   * Expected time of the rest of a task from one of its commands on, together with everything that waits for it, in
   * milliseconds.
   */
  readonly pathOf: (task: Task, fromCommand?: number) => number;
  readonly milestones: TaskMilestones;
  readonly planned: PlannedRun;
  readonly history: RunHistory;
  readonly steps: EvaluationBudget;
  /** A resource as it will be after this run, as far as that is known by now. */
  readonly readNow: (address: ResourceAddress) => KnownResource | undefined;
  /** Checks a change again right before its first request; returns what forbids it. */
  readonly check: (change: Change) => readonly Finding[];
  readonly mutex: KeyedMutex;
  /**
   * Tells whether a resource is new: it was not there when the account was read for the plan, and this run has not made it its
   * own.
   */
  readonly isNew: (live: LiveResource) => boolean;
  readonly collectionLooks: CollectionLister;
  readonly batchedRead: BatchedRead;
  readonly sales: BatchedSaleLookup;
  /** Commands of earlier runs that the service is still working on, by live id. */
  readonly underway: SentCommands;
}

/** A create that was sent a second time after the first answer was lost. */
export interface ResentCreate {
  readonly double: PossibleDuplicateCreate;
  /** Set when an operation list and two later lists showed nothing of the first request. */
  readonly isSupported: boolean;
}

/** A command that is being carried out as part of a planned change. */
export interface ChangeCommandJob extends CommandJob {
  readonly change: Change;
  /** Time limit of deleting the remains of a failed attempt, in milliseconds. */
  readonly deleteMs: number;
  /** Called when the service has accepted the create. */
  readonly onAccepted?: () => void;
}

/** Makes the shared parts of an apply, anew for each. */
export function createPlanRunContext(options: RunOptions, plan: Plan): RunContext {
  const { client, clock, store, live } = options;
  const { deferred = [] } = plan;
  const resources = [...live.projects, ...live.resources];
  const existing = new Set(resources.map(({ id }) => id));
  // Reads that only prepare a request end with it at an interrupt.
  const beforeSending: ServiceCallOptions = { signal: options.interrupted, isLeftToEnd: true };
  const preparing: ServiceClient = {
    ...client,
    list: (kind, place, options) => client.list(kind, place, { ...options, ...beforeSending }),
    get: (kind, place, id) => client.get(kind, place, id, beforeSending),
  };
  const bound = new Set<string>();
  const isNew = ({ id }: LiveResource) =>
    !existing.has(id) && !bound.has(id) && !commandContext.addresses.has(id);
  const collectionLooks = createCollectionLister(preparing, clock, isNew);
  const commandContext = createCommandContext(options, store.state, {
    note: (...listed) => collectionLooks.note(...listed),
    isNew,
  });
  const { durations } = commandContext;
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const done = new Set<ResourceAddress>();
  const readNow = (address: ResourceAddress) => {
    const change = changes.get(address);
    const existing = store.state.resources.get(address)?.attributes;
    return change && findResourceDuringApply(change, done.has(address), existing);
  };
  const places = new RunConcurrencySlots(options.parallelism);
  return {
    ...options,
    ...commandContext,
    // A change that has waited for the service gets the next free place to run.
    stepAside: (wait) => places.leaveFor(Number.POSITIVE_INFINITY, wait),
    places,
    pathOf: estimateRemainingChainMs(
      plan.tasks,
      (commands) => durations.expect(commands),
      (task) => durations.expectReady(task),
    ),
    horizon: new RunEndEstimate(plan.tasks, durations, clock, places, ({ address }) => {
      const action = changes.get(address)?.action;
      return action === 'replace' || action === 'rebuild' || action === 'update';
    }),
    planned: {
      live,
      liveById: indexById(resources),
      addresses: new Map(commandContext.addresses),
      liveByLikeness: groupBy(resources, (one) =>
        createLikenessKey(one.kind, one.projectId, getLiveName(one)),
      ),
      changes,
      deferred: new Map(deferred.map((one) => [one.address, one])),
      probed: new Map(
        plan.tasks.flatMap(({ address, ready }) => (ready ? [[address, ready]] : [])),
      ),
      readable: plan.changes.flatMap(({ address, after }) => (after ? [address] : [])),
    },
    history: {
      bound,
      resent: new Map((options.resent ?? []).map((one) => [one.double.address, one])),
      done,
      ready: new Set(),
      checked: new Set(),
      resolved: new Map(),
      claims:
        deferred.length > 0 ? indexPlannedClaims(plan.changes) : new Map<string, ResourceAddress>(),
      prepared: new Map(),
      carriedOut: new Map(),
    },
    underway: new Map([...(store.state.sent ?? [])].filter(([id]) => existing.has(id))),
    mutex: createKeyedMutex(),
    milestones: new TaskMilestones(),
    collectionLooks,
    isNew,
    sales: createBatchedSaleLookup(client, clock),
    steps: options.steps ?? EvaluationBudget.ofRun(),
    readNow,
    check: options.checkDuringApply(readNow),
    batchedRead: createBatchedRead(preparing, clock, createKindCounter(resources)),
  };
}

/** A command with every address replaced by the id that the state has for it by now. */
export function resolveCommandAddresses(context: RunContext, command: Command): ResolvedCommand {
  return resolveCommand(command, (ref: ResourceRef) => {
    if ('id' in ref) return ref.id;
    const managed = context.store.state.resources.get(ref.idOf);
    if (!managed)
      throw new InternalError(`${ref.idOf} has no id yet, and ${command.kind} needs it`);
    return managed.id;
  });
}

/** Lists commands that delete a resource, by its id. */
export function listRemovalCommands(
  context: RunContext,
  kind: KindName,
  { projectId, publicIpId = projectId }: ResourcePlace,
  id: string,
): readonly ResolvedCommand[] {
  const named = { project: { id: projectId }, parent: { id: publicIpId }, self: { id } };
  return kindRegistry[kind]
    .destroy(named)
    .map((command) => resolveCommandAddresses(context, command));
}

/**
 * Options of a request that changes something: while it is held back, it is given up at an interrupt or when its deadline
 * would pass first; once it is sent, it is left to end.
 */
export function makeSendingOptions(
  { interrupted }: Pick<RunContext, 'interrupted'>,
  { deadline }: Pick<ChangeCommandJob, 'deadline'>,
): ServiceCallOptions {
  return { signal: interrupted, isLeftToEnd: true, deadline };
}
