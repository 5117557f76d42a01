import { listSales } from '../api/sales.ts';
import { kindRegistry } from '../kinds/registry.ts';
import {
  readLiveSnapshot,
  type LastSeenResource,
  type LiveReadScope,
  type LiveAccountReader,
} from '../live/read-live.ts';
import { markResourcesAtRest } from '../live/read-at-rest.ts';
import { addSalesToSnapshot } from '../live/add-sales.ts';
import { commandSubjects, type ResolvedCommand } from '../model/account/command.ts';
import type { LiveSnapshot } from '../model/account/live.ts';
import { findProjectIdOfCommand } from '../model/account/place-of-command.ts';
import { isProject, listKindsOutsideProjects, type KindName } from '../model/kind-places.ts';
import type { DesiredGraph } from '../model/resource.ts';
import type { Clock } from '../model/runtime.ts';
import type { ManagedResource, State } from '../model/state/state.ts';
import { readAttributeText } from '../model/value.ts';
import {
  awaitPendingCreates,
  type AwaitedPendingCreates,
  type PendingCreateWait,
} from './await-pending.ts';
import type { AccountConnection } from './account-link.ts';
import type { PlanParameters } from './plan-order.ts';

/** The account to read, and the state that it is read for. */
export interface PlanReadContext {
  readonly state: State;
  readonly connection: AccountConnection;
  readonly clock: Clock;
}

/** Options of reading the account for a plan. */
export interface PlanReadOptions {
  /** The source of the first look at the account; the connection unless given. */
  readonly source?: LiveAccountReader | undefined;
  /**
   * Given: a create whose end an earlier run did not see, and that does not show yet, is waited for, after this was called.
   * Absent: nothing is waited for.
   */
  readonly onPending?: (wait: PendingCreateWait) => void;
  /**
   * Milliseconds for which the run that left creates behind had been silent when its lock was taken over; unknown unless
   * given.
   */
  readonly silentForMs?: number | undefined;
}

/**
 * Reads the part of the account that a plan needs, with the outcomes of pending creates. @throws ApiError when it cannot be read
 */
export async function readAccountForPlan(
  { state, connection, clock }: PlanReadContext,
  order: PlanParameters,
  look: PlanReadOptions,
): Promise<AwaitedPendingCreates> {
  const { mode, desired, planOptions } = order;
  const { onPending, silentForMs } = look;
  const { client } = connection;
  client.clocks.recall(state.clocks);
  const wanted = mode === 'apply' ? desired.resources : [];
  const scope = chooseScope(order, state, wanted);
  const wantsSales = wanted.some(({ kind, attributes, deferred }) => {
    const { sale } = kindRegistry[kind].traits;
    return sale && sale.field in { ...attributes, ...deferred };
  });
  const imports = mode === 'apply' ? (desired.imports ?? []) : [];
  let source = look.source ?? client;
  const awaited = await awaitPendingCreates({
    state,
    client,
    clock,
    silentForMs,
    onWait: onPending,
    read: () => {
      const from = source;
      // A later look waits for a change, which only the real account shows.
      source = client;
      return readWithSales(connection, from, scope, wantsSales);
    },
    options: {
      // An entry that was followed before, or for what is replaced, says nothing of a create that is open.
      imported: new Set(
        imports.flatMap(({ id, to }) => (id === undefined || state.resources.has(to) ? [] : [to])),
      ),
      removesDoubled: planOptions.removesDoubled === true,
    },
  });
  const resources = await markResourcesAtRest(client, awaited.live.resources);
  return { ...awaited, live: { ...awaited.live, resources } };
}

/** Scope of the reading: the projects that the state and the configuration name, and nothing else of the account. */
function chooseScope(
  { mode, desired }: PlanParameters,
  state: State,
  wanted: DesiredGraph['resources'],
): LiveReadScope {
  // An entry may mean a project: then its id or its name is the project's.
  const imports = mode === 'apply' ? (desired.imports ?? []) : [];
  const resources = [...state.resources.values()];
  // Projects of open creates are read, too: their results may still show up there.
  const open = [...state.pending.values(), ...(state.possibleDoubles ?? [])];
  return {
    projectIds: [
      ...resources.map((resource) => resource.projectId),
      ...imports.flatMap(({ id }) => id ?? []),
      ...open.flatMap(({ command }) => findProjectIdOfCommand(command) ?? []),
    ],
    projectNames: [
      ...imports.flatMap(({ name }) => name ?? []),
      ...wanted
        .filter(({ kind }) => isProject(kind))
        // A project whose name is known after apply is found by its id.
        .flatMap(({ attributes }) => readAttributeText(attributes, 'name') || []),
      ...open.flatMap(({ command }) => nameOfProject(command) ?? []),
    ],
    outsideKinds: findOutsideKinds(wanted, state),
    known: resources.flatMap(listKnown),
  };
}

/** The name of the project that a command creates; undefined for any other command. */
function nameOfProject(command: ResolvedCommand): string | undefined {
  const { kind, effect } = commandSubjects[command.kind];
  return isProject(kind) && effect === 'create' && 'name' in command ? command.name : undefined;
}

/** Live resources behind an address of the state: its own, deposed ones, and the public IP that came with it. */
function listKnown(managed: ManagedResource): LastSeenResource[] {
  const { kind, projectId, publicIpId, id, deposed = [], allocatedPublicIpId } = managed;
  const ids = [...new Set([id, ...deposed])];
  const { brings } = kindRegistry[kind].traits;
  return [
    ...ids.map((one) => ({
      kind,
      id: one,
      projectId,
      ...(publicIpId !== undefined && { publicIpId }),
    })),
    ...(allocatedPublicIpId === undefined || !brings
      ? []
      : [{ kind: brings.kind, id: allocatedPublicIpId, projectId }]),
  ];
}

/** Kinds outside of projects that the configuration has, or the state. A permanent one is not read only to be forgotten. */
function findOutsideKinds(wanted: DesiredGraph['resources'], state: State): readonly KindName[] {
  const named = new Set(wanted.map(({ kind }) => kind));
  const ours = new Set([
    ...[...state.resources.values()].map(({ kind }) => kind),
    ...[...state.pending.values()].map(({ command }) => commandSubjects[command.kind].kind),
  ]);
  return listKindsOutsideProjects().filter(
    (kind) => named.has(kind) || (ours.has(kind) && !kindRegistry[kind].traits.permanent),
  );
}

/** The account; with one list of sales more where the configuration says of anything what its sale tells. */
async function readWithSales(
  { client }: AccountConnection,
  source: LiveAccountReader,
  scope: LiveReadScope,
  wantsSales: boolean,
): Promise<LiveSnapshot> {
  if (!wantsSales) return readLiveSnapshot(source, scope);
  const [live, sales] = await Promise.all([readLiveSnapshot(source, scope), listSales(client)]);
  return addSalesToSnapshot(live, sales);
}
