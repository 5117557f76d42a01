// State records of a command on an existing resource: before it is sent, once it is accepted, and at its end.
import {
  predictResourceAfterCommand,
  markRebuildRollbackNeeded,
  recordRebuildBackup,
  recordResourceAfterCommand,
  recordRebuildRolledBack,
  removeRebuildRollback,
} from '../../kinds/carry-out.ts';
import { fillUntoldAttributes } from '../../kinds/fill-untold.ts';
import { isRebuildCommand, isRestoreCommand } from '../../kinds/outcome.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { findCommandSubjectId, type ResolvedCommand } from '../../model/account/command.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { createLiveIdTranslator } from '../context/managed.ts';
import type { RunContext } from '../context/run-context.ts';

type Recorder = Pick<RunContext, 'store' | 'clock' | 'client'>;

/**
 * Records in the journal that a command is about to be sent, right before its request.
 * @throws StateWriteError, LockLostError it must not be sent
 */
export function recordCommandIntent(
  { store, clock, client }: Recorder,
  address: ResourceAddress,
  command: ResolvedCommand,
): Promise<void> {
  const serviceAt = client.serviceTime();
  return store.record({
    kind: 'intent',
    address,
    command,
    at: clock.now(),
    ...(serviceAt !== undefined && { serviceAt }),
  });
}

/** Records in the journal that the service has accepted a command. */
export function recordCommandAcceptance(
  { store, clock, client }: Recorder,
  address: ResourceAddress,
  command: ResolvedCommand,
): Promise<void> {
  const serviceAt = client.serviceTime();
  const id = findCommandSubjectId(command);
  return store.record({
    kind: 'accepted',
    address,
    commandName: command.kind,
    at: clock.now(),
    ...(id !== undefined && { id }),
    ...(serviceAt !== undefined && { serviceAt }),
  });
}

/** Records the end of a command. `live` is its resource after it; undefined where it had no effect, or removed the resource. */
export async function recordCommandEnd(
  context: RunContext,
  address: ResourceAddress,
  command: ResolvedCommand,
  live?: LiveResource,
): Promise<void> {
  const { store } = context;
  const { live: planned } = context.planned;
  const id = findCommandSubjectId(command);
  const sent = id === undefined ? undefined : store.state.sent?.get(id);
  if (id === undefined || !sent) return;
  const managed = store.state.resources.get(address);
  if (managed?.id !== id || live?.id !== id) {
    await store.record({ kind: 'ended', id });
    return;
  }
  const names = createLiveIdTranslator(context, planned.catalog);
  if (isRestoreCommand(command.kind)) {
    await store.record({
      kind: 'ended',
      id,
      resource: recordRebuildRolledBack(managed, live, names),
    });
    return;
  }
  // Fields that the answer leaves out are assumed to be as the command set them.
  const shown = fillUntoldAttributes(
    live,
    predictResourceAfterCommand(live, command, managed.attributes),
  );
  const resource = recordResourceAfterCommand(managed, command, shown, names);
  await store.record({ kind: 'ended', id, resource: recordRebuildBackup(resource, sent) });
}

/** Records a failed command. `hasActed`: the service had begun it, so that a rebuild has lost the data of its resource. */
export async function recordCommandFailure(
  context: RunContext,
  address: ResourceAddress,
  command: ResolvedCommand,
  hasActed: boolean,
): Promise<void> {
  const { store } = context;
  const managed = store.state.resources.get(address);
  const id = findCommandSubjectId(command);
  if (!managed?.wayBack || managed.id !== id || !isRebuildCommand(command.kind)) {
    await recordCommandEnd(context, address, command);
    return;
  }
  const resource = hasActed ? markRebuildRollbackNeeded(managed) : removeRebuildRollback(managed);
  await store.record({ kind: 'ended', id, resource });
}
