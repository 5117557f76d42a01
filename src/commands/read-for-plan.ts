import { listSales } from '../api/sales.ts';
import { readLive, type KnownResource, type LiveScope } from '../live/read-live.ts';
import { withRenewals } from '../live/with-renewals.ts';
import type { LiveSnapshot } from '../model/live.ts';
import type { PlanMode } from '../model/plan.ts';
import type { DesiredGraph } from '../model/resource.ts';
import type { Clock } from '../model/runtime.ts';
import type { ManagedResource, State } from '../model/state.ts';
import { textOf } from '../model/value.ts';
import { resolvePending, type ResolvedPending } from '../plan/resolve-pending.ts';
import type { Connection } from './connect.ts';

/** What the account is read for. */
export interface ReadRequest {
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
}

/** The account, and what was recognised in it of an earlier run that ended in the middle. */
export interface ReadForPlan {
  readonly live: LiveSnapshot;
  readonly pending: ResolvedPending;
}

/** How long after it was sent a create may still show up. */
const pendingGraceMs = 10_000;
const pendingPollMs = 1_000;

/** Reads of the account what a plan is made of. @throws ApiError when it cannot be read */
export async function readForPlan(request: ReadRequest): Promise<ReadForPlan> {
  const { mode, desired, state, connection, clock, onPending, lastAliveAt = 0 } = request;
  const wanted = mode === 'apply' ? desired.resources : [];
  const scope = chooseScope(request, wanted);
  const wantsRenewals = wanted.some(
    ({ attributes, deferred }) => 'renewal' in { ...attributes, ...deferred },
  );
  const read = async () => {
    // The lists are at least as young as that.
    const readAt = clock.now();
    const live = await readWithRenewals(connection, scope, wantsRenewals);
    const pending = resolvePending(state, live);
    return { live, pending, isDoubtful: isWorthWaiting(pending, lastAliveAt, readAt) };
  };
  let seen = await read();
  if (seen.isDoubtful) onPending?.(seen.pending);
  while (onPending && seen.isDoubtful) {
    await clock.sleep(pendingPollMs);
    seen = await read();
  }
  return seen;
}

/** What the state and the configuration name: nothing else of the account is read. */
function chooseScope(
  { mode, desired, state }: ReadRequest,
  wanted: DesiredGraph['resources'],
): LiveScope {
  // An entry may mean a project: then its id or its name is the project's.
  const imports = mode === 'apply' ? (desired.imports ?? []) : [];
  const resources = [...state.resources.values()];
  return {
    projectIds: [
      ...resources.map((resource) => resource.projectId),
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
    known: resources.flatMap(listKnown),
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

function isWorthWaiting({ missing }: ResolvedPending, lastAliveAt: number, now: number): boolean {
  return missing.some(({ at }) => now - Math.max(at, lastAliveAt) < pendingGraceMs);
}
