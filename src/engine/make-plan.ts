import { readBackupsByVm } from '../api/backups.ts';
import type { ServiceClient } from '../api/client.ts';
import { readRecordsIfTold } from '../api/operation-records.ts';
import type { PlanCheckInput, ReadKnownResourceValues } from '../checks/check.ts';
import { checkChangesDuringApply, type ChangeCheckDuringApply } from '../checks/deferred-values.ts';
import { listSafeguards } from '../checks/lifted.ts';
import { runChecks } from '../checks/run-checks.ts';
import { findReusableRebuildBackup } from '../execute/command/run-backup.ts';
import { isRecordedAsOperation } from '../kinds/operation-types.ts';
import { isResourceBusy } from '../kinds/outcome.ts';
import { kindRegistry } from '../kinds/registry.ts';
import { classifySentCommands } from '../live/classify-sent.ts';
import { findUnshownResources } from '../live/find-unshown.ts';
import type { LiveResource, LiveSnapshot } from '../model/account/live.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import { findProjectIdOfCommand } from '../model/account/place-of-command.ts';
import type { Backup } from '../model/account/vm-work.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { DependencyGraph } from '../model/plan/graph.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { DesiredGraph } from '../model/resource.ts';
import type { ManagedResource, State, SentCommandOutcome } from '../model/state/state.ts';
import { buildPlan, type BuiltPlan } from '../plan/build-plan.ts';
import { listVmsLosingBackups, addLostBackupCounts } from '../plan/decide/count-lost-backups.ts';
import { markSensitiveAttributes } from '../plan/decide/mark-sensitive.ts';
import { graphPlanDependencies } from '../plan/order/dependency-graph.ts';
import { fillUntoldAttributesFromState } from '../plan/reconcile/recall-untold.ts';
import { hashCanonicalJson } from '../state/hash-canonical.ts';
import { redactConfigurationSecrets } from '../state/redact-plan.ts';
import type { AccountConnection } from './account-link.ts';
import type { AwaitedPendingCreates } from './await-pending.ts';
import type { PlanParameters } from './plan-order.ts';
import { readAccountForPlan, type PlanReadOptions, type PlanReadContext } from './read-for-plan.ts';
import type { SecretSinks } from './sinks.ts';

/** A plan with the configuration, account and state that it was made from. */
export interface PlanWithSources {
  readonly order: PlanParameters;
  readonly plan: Plan;
  /** Time at which the plan was made, in milliseconds since the Unix epoch. */
  readonly plannedAt: number;
  readonly live: LiveSnapshot;
  /** Creates and commands of an interrupted run, as far as the account shows their outcome. */
  readonly pending: Omit<AwaitedPendingCreates, 'live'>;
  /** The state that the plan starts from: apply writes it down before it changes anything. */
  readonly known: State;
  /** Checks each change once more before its first request, by what is known then. */
  readonly checkDuringApply: (readNow: ReadKnownResourceValues) => ChangeCheckDuringApply;
  readonly reading: AccountReading;
  /** Hashes of configuration, contract file, account and state, by name: equal where none of them has moved. */
  fingerprints(): Readonly<Record<string, string>>;
  /** Builds the dependency graph of the resources, with each one's action. */
  dependencies(): DependencyGraph;
}

/** The account as it was read, before the outcomes of commands that are under way are assumed. */
export interface AccountReading {
  /** The account, with the backups of VMs whose disk the plan loses. */
  readonly live: LiveSnapshot;
  /** The newest records of the projects in which something is locked that the plan changes. */
  readonly operations: readonly LiveOperation[];
}

/** The place of a plan: besides what is read, the destinations of secrets. */
export interface MakePlanContext extends PlanReadContext {
  readonly sinks: Pick<SecretSinks, 'inspect'>;
}

/** The look at the account, and the moment that it counts from. */
interface PlanLook extends PlanReadOptions {
  /** Time of the plan that this one is compared with; now unless given. */
  readonly plannedAt?: number | undefined;
}

/** Reads the account and builds the checked plan. @throws ApiError when the account cannot be read */
export async function makePlan(
  place: MakePlanContext,
  order: PlanParameters,
  look: PlanLook = {},
): Promise<PlanWithSources> {
  const { connection, clock } = place;
  const { mode, desired, steps, planOptions } = order;
  const { live: found, ...pending } = await readAccountForPlan(place, order, look);
  const plannedAt = look.plannedAt ?? clock.now();
  const [sentOutcomes, unshown, ageing] = await Promise.all([
    readSentOutcomes(connection.client, pending.state, found),
    findUnshownResources(connection.client, pending.state, found),
    mode === 'apply' ? readAgeing(connection, desired, pending.state) : undefined,
  ]);
  const built = buildPlan({
    mode,
    desired,
    live: found,
    state: pending.state,
    sentOutcomes,
    unshownIds: new Set(unshown.map(({ resource }) => resource.id)),
    plannedAt,
    endsBy: clock.now(),
    backups: ageing,
    steps,
    arePricesAssumed: connection.isSandbox(),
    planOptions,
  });
  const { known, live } = built;
  const { input, backups } = await gatherForChecks(place, order, built, {
    plannedAt,
    unshown,
    ageing,
    findings: pending.findings,
  });
  const plan = runChecks(input);
  const markFound = (one: ManagedResource) =>
    markSensitiveAttributes(one, built.desired.get(one.address));
  return {
    order,
    plan,
    live,
    pending: { ...pending, found: pending.found.map(markFound) },
    known,
    checkDuringApply: (readNow) => checkChangesDuringApply(input, readNow),
    reading: {
      live: { ...fillUntoldAttributesFromState(found, pending.state), backups },
      operations: input.operations ?? [],
    },
    plannedAt,
    fingerprints: () => takeFingerprints(desired, live, known, connection.contractDigest),
    dependencies: () => graphPlanDependencies(plan, desired),
  };
}

/**
 * Reads what the checks of a built plan need besides. It comes last, since only the plan tells which backups and locks are
 * worth a request.
 */
async function gatherForChecks(
  { connection, sinks }: MakePlanContext,
  {
    mode,
    desired,
    planOptions,
    allowsCommands,
    allowsProbes,
    reservedQuotas,
    ownedProjects,
  }: PlanParameters,
  built: BuiltPlan,
  { plannedAt, unshown, ageing = new Map(), findings }: GatheredSoFar,
): Promise<{ input: PlanCheckInput; backups: ListedBackups }> {
  const { known, live, scope } = built;
  const [lost, operations, unwritable] = await Promise.all([
    readLostBackups(connection, built, ageing),
    readLocks(connection.client, built.plan, live),
    sinks.inspect(built.plan.changes, known),
  ]);
  const backups = new Map([...ageing, ...lost]);
  const kept = await findKeptBackups(connection, built, { backups, plannedAt });
  const weighed = addLostBackupCounts(built.plan, { backups, kept });
  const input: PlanCheckInput = {
    plan: { ...weighed, findings: [...findings, ...built.plan.findings] },
    desired: built.desired,
    live,
    state: known,
    guards: desired.guards,
    budget: desired.budget,
    safeguards: listSafeguards(desired),
    emptyGroups: desired.emptyGroups,
    data: desired.data,
    ignored: built.ignored,
    policies: desired.policies,
    checks: mode === 'apply' ? desired.checks : [],
    scope,
    plannedAt,
    unshown,
    operations,
    allowsCommands,
    allowsProbes,
    reservedQuotas,
    ownedProjects,
    unwritable,
    planOptions,
  };
  return { input, backups };
}

/** Findings from the steps of planning that come before the checks. */
interface GatheredSoFar extends Required<Pick<PlanCheckInput, 'unshown'>> {
  readonly plannedAt: number;
  /** Backups that were read for their age, by VM; absent where none was. */
  readonly ageing: ListedBackups | undefined;
  readonly findings: readonly Finding[];
}

type ListedBackups = ReadonlyMap<string, readonly Backup[]>;

function takeFingerprints(
  desired: DesiredGraph,
  live: LiveSnapshot,
  known: State,
  contract: string | undefined,
) {
  return {
    configuration: hashCanonicalJson(redactConfigurationSecrets(desired)),
    ...(contract !== undefined && { contract }),
    live: hashCanonicalJson(withoutPassing(live)),
    state: `${known.lineage}:${known.serial}`,
  };
}

/**
 * A snapshot without what may differ between two readings of the same account. A service may give the time of creation in
 * some answers only, and the ids say as much. Whether its operation records can be read says nothing of the account.
 */
function withoutPassing(live: LiveSnapshot): object {
  const steady = (one: LiveResource) =>
    kindRegistry[one.kind].traits.credential?.withoutUse(one) ?? {
      ...one,
      createdAt: undefined,
      isAtRest: undefined,
    };
  return { ...live, projects: live.projects.map(steady), resources: live.resources.map(steady) };
}

/** The backups of the VMs whose newest one is to be of a limited age. */
function readAgeing({ client }: AccountConnection, { resources }: DesiredGraph, state: State) {
  const places = resources.flatMap(({ address, maxBackupAgeMs }) => {
    const managed = maxBackupAgeMs === undefined ? undefined : state.resources.get(address);
    return managed ? [{ projectId: managed.projectId, vmId: managed.id }] : [];
  });
  return readBackupsByVm(client, places);
}

/** The backups of the VMs whose disks the plan loses: read last, since only the plan says which these are. */
function readLostBackups(
  { client }: AccountConnection,
  { plan, known }: BuiltPlan,
  isRead: Pick<ListedBackups, 'has'>,
): Promise<ListedBackups> {
  const places = listVmsLosingBackups(plan).flatMap(({ address, id }) => {
    const projectId = known.resources.get(address)?.projectId;
    if (id === null || projectId === undefined || isRead.has(id)) return [];
    return [{ projectId, vmId: id }];
  });
  return readBackupsByVm(client, places);
}

/** The backups of earlier attempts at a rebuild that this plan makes again, by VM. @throws ApiError */
async function findKeptBackups(
  { client }: AccountConnection,
  { plan, known }: BuiltPlan,
  { backups, plannedAt }: { backups: ReadonlyMap<string, readonly Backup[]>; plannedAt: number },
): Promise<ReadonlyMap<string, Backup>> {
  const kept = new Map<string, Backup>();
  await Promise.all(
    plan.changes.map(async ({ address, isBackedUpFirst }) => {
      const managed = known.resources.get(address);
      if (!isBackedUpFirst || !managed) return;
      const listed = backups.get(managed.id) ?? [];
      const found = await findReusableRebuildBackup(client, managed, listed, plannedAt, {
        mustBeProven: true,
      });
      if (found) kept.set(managed.id, found);
    }),
  );
  return kept;
}

/** The newest operations of the projects in which something is locked that the plan changes; asks nothing where none is. */
async function readLocks(
  client: ServiceClient,
  plan: Plan,
  live: LiveSnapshot,
): Promise<readonly LiveOperation[]> {
  const changing = new Set(
    plan.changes.filter(({ action }) => action !== 'no-op').map(({ id }) => id),
  );
  const projects = new Set(
    live.resources
      .filter(
        (one) => kindRegistry[one.kind].traits.lock && changing.has(one.id) && isResourceBusy(one),
      )
      .map(({ projectId }) => projectId),
  );
  const lists = await Promise.all(
    [...projects].map((project) => readRecordsIfTold(client, project, { toleratesOutage: true })),
  );
  return lists.flatMap((told) => told ?? []);
}

/**
 * Outcomes of the commands whose end no run has seen, by live id. Reads the newest records of their projects, and nothing
 * where there are no such commands. @throws ApiError
 */
async function readSentOutcomes(
  client: ServiceClient,
  { sent, resources }: State,
  live: LiveSnapshot,
): Promise<ReadonlyMap<string, SentCommandOutcome>> {
  if (!sent) return new Map();
  const existing = new Set(live.resources.map(({ id }) => id));
  const projects = new Set(
    [...sent].flatMap(([id, { command }]) =>
      existing.has(id) && isRecordedAsOperation(command.kind)
        ? (findProjectIdOfCommand(command) ?? [])
        : [],
    ),
  );
  const lists = await Promise.all(
    [...projects].map((project) => readRecordsIfTold(client, project)),
  );
  const operations = lists.flatMap((told) => told ?? []);
  return classifySentCommands(sent, live, operations, resources);
}
