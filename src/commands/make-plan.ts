import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { listSales } from '../api/sales.ts';
import { checkLate } from '../checks/check-late.ts';
import { runChecks } from '../checks/run-checks.ts';
import { readBackups } from '../live/read-backups.ts';
import { readLive, type KnownResource, type LiveScope } from '../live/read-live.ts';
import { withRenewals } from '../live/with-renewals.ts';
import type { DependencyGraph } from '../model/graph.ts';
import type { SettleLate } from '../model/late.ts';
import type { LiveSnapshot } from '../model/live.ts';
import type { Plan, PlanMode, PlanWishes } from '../model/plan.ts';
import type { DesiredGraph } from '../model/resource.ts';
import type { Clock } from '../model/runtime.ts';
import type { ManagedResource, State } from '../model/state.ts';
import { textOf } from '../model/value.ts';
import { buildPlan, type BuiltPlan } from '../plan/build-plan.ts';
import { graphPlan } from '../plan/dependency-graph.ts';
import { markSensitive } from '../plan/mark-sensitive.ts';
import { resolvePending, type ResolvedPending } from '../plan/resolve-pending.ts';
import { listBackedUp, weighBackups } from '../plan/weigh-backups.ts';
import { readLocks } from './read-locks.ts';
import type { Connection } from './connect.ts';
import { withholdSecrets } from './withhold-secrets.ts';

/** A plan as it can be shown. */
export interface ShownPlan {
  readonly plan: Plan;
  /** When it was made; milliseconds since the Unix epoch. */
  readonly plannedAt: number;
  /** The configuration's directory, relative to the working directory; absent where nobody asked for it. */
  readonly directory?: string;
  /** Hashes of what it was made from, by name: equal where nothing moved. */
  fingerprints(): Readonly<Record<string, string>>;
  /** What needs what, with what happens to each. */
  dependencies(): DependencyGraph;
}

/** A plan with what it was made from. */
export interface Planned extends ShownPlan {
  readonly desired: DesiredGraph;
  readonly live: LiveSnapshot;
  /** What was recognised of an earlier run that ended in the middle. */
  readonly pending: ResolvedPending;
  /** The state that the plan starts from: apply writes it down before it changes anything. */
  readonly known: State;
  /** Works changes out whose expressions read what is only known after apply, and checks what they come to. */
  readonly settle: SettleLate;
}

/** What a plan is made for. */
export interface PlanRequest {
  readonly mode: PlanMode;
  readonly desired: DesiredGraph;
  readonly state: State;
  readonly connection: Connection;
  readonly clock: Clock;
  /**
   * Given: a create that an earlier run sent just before it ended, and that does not show yet, is waited for a while,
   * after this was called. Absent: what does not show is taken as not made.
   */
  readonly onPending?: (pending: ResolvedPending) => void;
  /** Until when the run that left creates behind may have sent them; when it wrote its intents unless given. */
  readonly lastAliveAt?: number | undefined;
  /** What the flags ask for; nothing of it unless given. */
  readonly wishes?: PlanWishes;
  /** When it was planned what this plan is compared with; now unless given. */
  readonly plannedAt?: number | undefined;
}

/** How long after it was sent a create may still show up. */
const pendingGraceMs = 10_000;
const pendingPollMs = 1_000;

/** Reads the account and builds the checked plan. @throws ApiError when the account cannot be read */
export async function makePlan(request: PlanRequest): Promise<Planned> {
  const { mode, desired, state, connection, clock } = request;
  const wanted = mode === 'apply' ? desired.resources : [];
  // An entry may mean a project: then its id or its name is the project's.
  const imports = mode === 'apply' ? (desired.imports ?? []) : [];
  const wantedProjects = {
    projectIds: [
      ...[...state.resources.values()].map((resource) => resource.projectId),
      ...imports.flatMap(({ id }) => id ?? []),
    ],
    projectNames: [
      ...imports.flatMap(({ name }) => name ?? []),
      ...wanted
        .filter(({ kind }) => kind === 'project')
        // One that is only known after apply is asked for by its id.
        .flatMap(({ attributes }) => textOf(attributes, 'name') || []),
      ...[...state.pending.values()].flatMap(({ command }) =>
        command.kind === 'createProject' ? [command.name] : [],
      ),
    ],
    accountKinds: findAccountKinds(wanted, state),
    known: [...state.resources.values()].flatMap(listKnown),
  };
  const readAccount = () =>
    readWithRenewals(
      connection,
      wantedProjects,
      wanted.some(({ attributes, deferred }) => 'renewal' in { ...attributes, ...deferred }),
    );
  // The lists are at least as young as that.
  let readAt = clock.now();
  let live = await readAccount();
  let pending = resolvePending(state, live);
  const isDoubtful = () => isWorthWaiting(pending, request.lastAliveAt ?? 0, readAt);
  if (request.onPending && isDoubtful()) request.onPending(pending);
  while (request.onPending && isDoubtful()) {
    await clock.sleep(pendingPollMs);
    readAt = clock.now();
    live = await readAccount();
    pending = resolvePending(state, live);
  }
  const { wishes } = request;
  const plannedAt = request.plannedAt ?? clock.now();
  const built = buildPlan({
    mode,
    desired,
    live,
    state: pending.state,
    plannedAt,
    ...(wishes && { wishes }),
  });
  const { known, scope } = built;
  const backups = await readLostBackups(connection, built);
  const weighed = weighBackups(built.plan, { backups });
  const input = {
    plan: { ...weighed, findings: [...pending.findings, ...built.plan.findings] },
    desired: built.desired,
    live,
    state: known,
    guards: desired.guards,
    emptyGroups: desired.emptyGroups,
    policies: desired.policies,
    checks: mode === 'apply' ? desired.checks : [],
    scope,
    plannedAt,
    operations: await readLocks(connection.client, built.plan, live),
    ...(wishes && { wishes }),
  };
  const plan = runChecks(input);
  const markFound = (one: ManagedResource) => markSensitive(one, built.desired.get(one.address));
  const fingerprints = () => ({
    configuration: hashOf(withholdSecrets(desired)),
    live: hashOf(withoutUse(live)),
    state: `${known.lineage}:${known.serial}`,
  });
  return {
    plan,
    desired,
    live,
    pending: { ...pending, found: pending.found.map(markFound) },
    known,
    settle: checkLate(built.settle, input),
    plannedAt,
    fingerprints,
    dependencies: () => graphPlan(plan, desired),
  };
}

/** What stands behind an address of the state. */
function listKnown(managed: ManagedResource): KnownResource[] {
  const { kind, projectId, publicIpId, id, deposed = [], allocatedPublicIpId } = managed;
  const ids = [...new Set([id, ...deposed])];
  return [
    ...ids.map((one) => ({
      kind,
      id: one,
      projectId,
      ...(publicIpId !== undefined && { publicIpId }),
    })),
    ...(allocatedPublicIpId === undefined
      ? []
      : [{ kind: 'publicIp' as const, id: allocatedPublicIpId, projectId }]),
  ];
}

/** What lies in no project is read where it is wanted. The settings of the account are not read to be forgotten. */
function findAccountKinds(
  wanted: DesiredGraph['resources'],
  state: State,
): ReadonlySet<'account' | 'accessToken'> {
  const kinds = new Set<'account' | 'accessToken'>();
  if (wanted.some(({ kind }) => kind === 'account')) kinds.add('account');
  const named = [...wanted, ...state.resources.values()];
  const isPending = [...state.pending.values()].some(
    ({ command }) => command.kind === 'createToken',
  );
  if (isPending || named.some(({ kind }) => kind === 'accessToken')) kinds.add('accessToken');
  return kinds;
}

/** What a snapshot is told from another by: reading it is a use of the token that reads. */
function withoutUse(live: LiveSnapshot): LiveSnapshot {
  const resources = live.resources.map((one) =>
    one.kind === 'accessToken' ? { ...one, lastUsedAt: null } : one,
  );
  return { ...live, resources };
}

/** The account; with one list of sales more where the configuration says of any VM whether it is renewed. */
async function readWithRenewals(
  { client }: Connection,
  scope: LiveScope,
  wantsRenewals: boolean,
): Promise<LiveSnapshot> {
  if (!wantsRenewals) return readLive(client, scope);
  const [live, sales] = await Promise.all([readLive(client, scope), listSales(client)]);
  return withRenewals(live, sales);
}

/** The backups of the VMs whose disks the plan loses: read last, since only the plan says which these are. */
function readLostBackups({ client }: Connection, { plan, known }: BuiltPlan) {
  const places = listBackedUp(plan).flatMap(({ address, id }) => {
    const projectId = known.resources.get(address)?.projectId;
    return id === null || projectId === undefined ? [] : [{ projectId, vmId: id }];
  });
  return readBackups(client, places);
}

function isWorthWaiting({ missing }: ResolvedPending, lastAliveAt: number, now: number): boolean {
  return missing.some(({ at }) => now - Math.max(at, lastAliveAt) < pendingGraceMs);
}

function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(toPlain(value)) ?? '')
    .digest('hex');
}

/** As JSON has it: without what is undefined. */
function toPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
