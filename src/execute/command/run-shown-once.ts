// A create whose answer holds a secret, and nothing else ever does: what was made by a request whose answer was lost, or
// whose secret could not be kept, is revoked, since nobody could ever use it. It is in the state only once its secret is
// kept; until then the intent in the journal is all that is known, and the next run takes what it finds for lost.
import { OutcomeUnknownError } from '../../api/errors/errors.ts';
import { encodeCommand } from '../../api/wire/encode.ts';
import type { ServiceCaller } from '../../api/wire/caller.ts';
import { readServiceRecord } from '../../api/wire/reading.ts';
import type { OneTimeSecretCreate } from '../../kinds/command-facts.ts';
import {
  listLookalikeResources,
  recogniseCreatedResources,
} from '../../kinds/recognise/recognise.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { commandSubjects, type ResolvedCommand } from '../../model/account/command.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import { DiagnosticError, InternalError } from '../../model/errors.ts';
import type { PendingCreate } from '../../model/state/state.ts';
import { ChangeFailure, makeUnseenCreateFailure } from '../context/failure.ts';
import { buildManagedResourceRecord } from '../context/managed.ts';
import {
  listRemovalCommands,
  makeSendingOptions,
  type ChangeCommandJob,
  type RunContext,
} from '../context/run-context.ts';
import { saveSecretOrRevoke } from '../secrets/keep-secret.ts';
import type { SecretSink } from '../secrets/secret-sink.ts';

const attempts = 3;
/** Number of looks for a token whose answer was lost, and the time between two of them. */
const looks = 5;
const lookEveryMs = 1_000;

/**
 * Creates a resource whose secret is shown only once, saves the secret where the configuration says, and only then binds the
 * resource to its address. The intent stays after an answer was lost, in this run or in one before, until what it made must have
 * shown. @throws ChangeFailure, ApiError
 */
export async function createWithOneTimeSecret(
  context: RunContext,
  job: ChangeCommandJob,
  procedure: OneTimeSecretCreate,
): Promise<LiveResource> {
  const { store, addresses, claimSink } = context;
  const { change } = job;
  if (!claimSink) throw new InternalError('there is no place for a secret');
  const { resources, pending } = store.state;
  const known = {
    managed: resources.get(change.address),
    isOpen: pending.has(change.address) || change.isImported === true,
  };
  const sink = await claimSink(change.after, known).catch((error: unknown) => {
    throw explainNoPlace(error, change.address);
  });
  let made: Made;
  try {
    made = await createOnce(context, job, procedure);
  } catch (error) {
    await sink.abandon();
    throw error;
  }
  await keep(context, job, { procedure, sink, made });
  const { live } = made;
  const before = store.state.resources.get(change.address);
  const deposed = [...new Set([...(before?.deposed ?? []), ...(before ? [before.id] : [])])];
  addresses.set(live.id, change.address);
  await store.record({
    kind: 'settled',
    resource: {
      ...buildManagedResourceRecord(context, change, live),
      ...(deposed.length > 0 && { deposed }),
    },
  });
  if (made.isOnlyOne) await abandon(context, job, 'its value is kept');
  return live;
}

/**
 * Turns a missing destination for the secret into the failure of this change alone: the token is not created, and all other
 * changes go on.
 */
function explainNoPlace(error: unknown, address: ResourceAddress): unknown {
  const diagnostic = error instanceof DiagnosticError ? error.diagnostics[0] : undefined;
  return diagnostic ? new ChangeFailure({ ...diagnostic, address }, { cause: error }) : error;
}

/** A token that was created. `isOnlyOne`: no other token can have been created for its address unnoticed. */
interface Made {
  readonly live: LiveResource;
  readonly secret: string;
  readonly isOnlyOne: boolean;
}

function abandon(
  { store }: RunContext,
  { change }: ChangeCommandJob,
  reason: string,
): Promise<void> {
  return store.record({ kind: 'abandoned', address: change.address, reason });
}

/** Asks until one answer came whole; what an answer that got lost may have made is revoked first. */
async function createOnce(
  context: RunContext,
  job: ChangeCommandJob,
  procedure: OneTimeSecretCreate,
): Promise<Made> {
  const { client, store, clock } = context;
  const { address, configured } = job.change;
  const command = procedure.sendAt(job.command, clock.now());
  const reading = {
    request: encodeCommand(kindRegistry, command),
    decode: (wire: unknown) => procedure.decode(wire),
  };
  const earlier = store.state.pending.get(address);
  const knownIds = await readKnownIds(context, command, earlier);
  const sender: ServiceCaller = {
    call: (asked) => client.call(asked, makeSendingOptions(context, job)),
  };
  let cause: Error | undefined;
  for (let attempt = 0; attempt < attempts && !(cause && store.failure); attempt += 1) {
    const serviceAt = client.serviceTime();
    await store.record({
      kind: 'intent',
      address,
      command,
      knownIds,
      configured,
      at: clock.now(),
      ...(serviceAt !== undefined && { serviceAt }),
    });
    try {
      const made = await readServiceRecord(sender, reading);
      if (cause) await revokeStrays(context, command, [...knownIds, made.live.id], 1);
      return { ...made, isOnlyOne: !cause && !earlier };
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) {
        if (!cause && !earlier) await abandon(context, job, 'refused');
        throw error;
      }
      cause = error;
      await revokeStrays(context, command, knownIds, looks);
    }
  }
  throw makeUnseenCreateFailure(address, cause);
}

/**
 * Ids of resources with this name that are no result of a lost create: they existed before it, or before the search for it,
 * which is still open.
 */
async function readKnownIds(
  context: RunContext,
  command: ResolvedCommand,
  earlier: PendingCreate | undefined,
): Promise<readonly string[]> {
  const named = listLookalikeResources(command, await listAll(context, command)).map(
    ({ id }) => id,
  );
  if (!earlier) return named;
  const ours = context.store.state.resources.get(earlier.address);
  const known = new Set([...earlier.knownIds, ...(ours ? [ours.id, ...(ours.deposed ?? [])] : [])]);
  return named.filter((id) => known.has(id));
}

function listAll({ client }: RunContext, command: ResolvedCommand) {
  return client.list(commandSubjects[command.kind].kind, placeOfCommand(command));
}

/** Revokes what was not there before and is as was asked for: its secret was lost with an answer. */
async function revokeStrays(
  context: RunContext,
  command: ResolvedCommand,
  knownIds: readonly string[],
  atMost: number,
): Promise<void> {
  for (let look = 1; look <= atMost; look += 1) {
    if (atMost > 1) await context.clock.sleep(lookEveryMs);
    const live = await listAll(context, command);
    const { ours: strays } = recogniseCreatedResources({ command, knownIds }, live, () => false);
    for (const { id } of strays) await revoke(context, command, id);
    if (strays.length > 0) return;
  }
}

async function revoke(context: RunContext, command: ResolvedCommand, id: string): Promise<void> {
  const { kind } = commandSubjects[command.kind];
  for (const removal of listRemovalCommands(context, kind, placeOfCommand(command), id)) {
    await context.client.send(removal);
  }
}

interface Keeping {
  readonly procedure: OneTimeSecretCreate;
  readonly sink: SecretSink;
  readonly made: Made;
}

/** Keeps the secret. What its secret cannot be kept of is revoked; where that fails, the intent remembers it. */
async function keep(
  context: RunContext,
  job: ChangeCommandJob,
  { procedure, sink, made: { live, secret, isOnlyOne } }: Keeping,
): Promise<void> {
  const lost = await saveSecretOrRevoke(sink, secret, () => revoke(context, job.command, live.id));
  if (!lost) return;
  if (lost.isRevoked && isOnlyOne) await abandon(context, job, 'its value could not be kept');
  const diagnostic = procedure.describeLost(lost, sink.label);
  throw new ChangeFailure({ ...diagnostic, address: job.change.address });
}
