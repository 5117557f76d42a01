// Resolving a create by hand, where nothing that a service shows can tell its result: a person records it.
import type { ServiceClient } from '../../api/client.ts';
import { isNotFound } from '../../api/errors/classify-error.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { commandSubjects, type ResolvedCommand } from '../../model/account/command.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import {
  deposeResource,
  isCreateUselessWithoutAnswer,
  watchCreateForDuplicate,
  type PendingCreate,
  type PossibleDuplicateCreate,
} from '../../model/state/state.ts';
import { isPossibleCreateResult } from '../../kinds/recognise/recognise.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { adoptCreatedResource } from '../../plan/reconcile/adopt-created.ts';
import type { StateStore } from '../../state/store.ts';
import { beginRun } from '../../engine/begin-run.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { openConfigurationSession } from '../session/session.ts';

/** Options of `state resolve`. */
export interface ResolveCreateOptions {
  readonly address: ResourceAddress;
  /** Id of the resource that the create made, as the service has it; undefined: it made none. */
  readonly id: string | undefined;
  readonly lockTimeoutMs: number;
}

/**
 * Records, for `state resolve`, how a create ended whose answer no run has seen: with the id of the new resource, or without one.
 * Nothing in the account changes.
 */
export async function resolvePendingCreate(
  runtime: SessionRuntime,
  { address, id, lockTimeoutMs }: ResolveCreateOptions,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<void> {
  const options = { directory: '.', lockTimeoutMs };
  const purpose = { operation: 'state resolve', access: 'write' } as const;
  const session = await openConfigurationSession(runtime, options, purpose, reporter);
  try {
    const { store, connection } = session;
    await recordPendingCreateResult(store, connection.client, { address, id });
    await beginRun(store, connection, runtime.clock);
    await store.compact();
  } finally {
    await session.close();
  }
}

/** Records the result of a create in an open state. @throws DiagnosticError as `resolvePendingCreate` does */
export async function recordPendingCreateResult(
  store: StateStore,
  client: ServiceClient,
  { address, id }: Pick<ResolveCreateOptions, 'address' | 'id'>,
): Promise<void> {
  const pending = requireOpen(store, address);
  if (id !== undefined) return bind(store, client, pending, id);
  const watched = await watchAgain(store, client, address);
  await store.record({ kind: 'abandoned', address, reason: 'state resolve --gone' });
  await store.record({ kind: 'doubleSettled', address });
  for (const double of watched) await store.record({ kind: 'possibleDouble', double });
}

/** The creates of an address, watched for resources that are not listed yet: listed ones are not theirs. */
async function watchAgain(
  { state }: StateStore,
  client: ServiceClient,
  address: ResourceAddress,
): Promise<readonly PossibleDuplicateCreate[]> {
  const pending = state.pending.get(address);
  const times = { now: pending?.at ?? 0, serviceNow: pending?.serviceAt };
  const creates = [
    ...(pending && !isCreateUselessWithoutAnswer(pending)
      ? [watchCreateForDuplicate(pending, times)]
      : []),
    ...(state.possibleDoubles ?? []).filter((double) => double.address === address),
  ];
  const watched = creates.map(async (double) => {
    const { command, knownIds } = double;
    const listed = await listSiblings(client, command);
    const there = listed
      .filter((live) => isPossibleCreateResult(command, live))
      .map(({ id }) => id);
    return { ...double, knownIds: [...new Set([...knownIds, ...there])] };
  });
  return Promise.all(watched);
}

/** Resources in the place where a create would appear; none where the place itself is gone. */
async function listSiblings(
  client: ServiceClient,
  command: ResolvedCommand,
): Promise<readonly LiveResource[]> {
  try {
    return await client.list(commandSubjects[command.kind].kind, placeOfCommand(command));
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

function requireOpen({ state }: StateStore, address: ResourceAddress): PendingCreate {
  const pending =
    state.pending.get(address) ??
    state.possibleDoubles?.findLast((double) => double.address === address);
  if (pending) return { configured: state.resources.get(address)?.configured ?? [], ...pending };
  const open = [...state.pending.keys()];
  throw createCommandRefusal('not-pending', `No create of ${address} has an unknown result`, {
    detail:
      open.length === 0 ? 'The results of all creates are known.' : `Open are: ${open.join(', ')}.`,
    hint: 'To adopt a resource for a configured address, use hostwright import.',
  });
}

async function bind(
  store: StateStore,
  client: ServiceClient,
  pending: PendingCreate,
  id: string,
): Promise<void> {
  const { address } = pending;
  const addresses = new Map(
    [...store.state.resources.values()].map((one) => [one.id, one.address]),
  );
  const other = addresses.get(id);
  if (other !== undefined) {
    throw createCommandRefusal('already-managed', `${id} is in the state already, as ${other}`, {
      hint: 'Give the id of the resource that this create made.',
    });
  }
  const before = store.state.resources.get(address);
  if (before && !store.state.pending.has(address)) {
    throw createCommandRefusal(
      'already-managed',
      `${address} is in the state already, as ${before.id}`,
      {
        hint: `Delete what is not wanted in the account; or record that ${id} is not yours: hostwright state resolve '${address}' --gone.`,
      },
    );
  }
  // The catalog first: it tells which entries the ids of the resource mean.
  const catalog = await client.getCatalog();
  const live = await readCreated(client, pending, id);
  // The replaced resource was to be deleted once the new one existed: it is kept in the state as deposed.
  if (before) await store.record({ kind: 'bound', resource: deposeResource(before) });
  const resource = adoptCreatedResource(pending, live, { catalog }, addresses);
  await store.record({ kind: 'bound', resource });
}

async function readCreated(client: ServiceClient, { command }: PendingCreate, id: string) {
  const { kind } = commandSubjects[command.kind];
  const live = await client.get(kind, placeOfCommand(command), id);
  if (live) return live;
  throw createCommandRefusal(
    'import-not-found',
    `The account has no ${kindRegistry[kind].label} with the id ${id}`,
    {
      hint: 'Give the id of one that exists in the project of this address.',
    },
  );
}
