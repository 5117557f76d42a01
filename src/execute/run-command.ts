import { operationTypesOf } from '../api/operation-types.ts';
import { hasRespelledName } from '../kinds/kept-name.ts';
import { hasComeTrue, isBusy } from '../kinds/outcome.ts';
import { commandSubjects, subjectId, type ResolvedCommand } from '../model/command.ts';
import { InternalError } from '../model/errors.ts';
import { statusOf, type LiveResource } from '../model/live.ts';
import { awaitCommand } from './await-command.ts';
import { createWithRoom } from './await-room.ts';
import { ChangeFailure } from './failure.ts';
import { runBackup } from './run-backup.ts';
import { runCreate } from './run-create.ts';
import { runRenewal } from './run-renewal.ts';
import { placeOf, type Job, type RunContext } from './run-context.ts';
import { runTokenCreate } from './run-token-create.ts';
import { sendCommand } from './send-command.ts';

const attempts = 3;

/**
 * Carries out one command and returns its resource as last read; undefined when it is gone.
 * `seen` is what the command's resource looked like last, when that is known: what has come true already is not asked
 * for again.
 * @throws ChangeFailure, ApiError
 */
export async function runCommand(
  context: RunContext,
  job: Job,
  seen: LiveResource | undefined,
): Promise<LiveResource | undefined> {
  const { command } = job;
  if (command.kind === 'createToken') return runTokenCreate(context, { ...job, command });
  if (command.kind === 'createVm') {
    return createWithRoom(
      context,
      { ...job, command },
      {
        create: (attempt) => runCreate(context, attempt),
        change: (step) => changeExisting(context, step, undefined),
      },
    );
  }
  if (commandSubjects[command.kind].effect === 'create') return runCreate(context, job);
  if (seen && !isBusy(seen) && hasComeTrue(command, seen)) return seen;
  if (command.kind === 'resumeSaleRenewal' || command.kind === 'cancelSaleRenewal') {
    return runRenewal(context, { ...job, command }, seen);
  }
  if (command.kind === 'createBackup') {
    await runBackup(context, { ...job, command });
    return seen;
  }
  return changeExisting(context, job, seen);
}

async function changeExisting(
  context: RunContext,
  job: Job,
  seen: LiveResource | undefined,
): Promise<LiveResource | undefined> {
  const { command, change } = job;
  const { store, clock, client } = context;
  const id = subjectId(command);
  if (id === undefined) throw new InternalError(`${command.kind} has no subject`);
  const { kind, effect } = commandSubjects[command.kind];
  const place = placeOf(command);
  // On its way out already: asking again would only be refused.
  if (effect === 'delete' && seen && statusOf(seen) === 'deleting')
    return awaitCommand(context, job, id);
  if (operationTypesOf[command.kind].length > 0) {
    await context.operations.begin(place.projectId);
  }
  let cause: Error | undefined;
  // A state that cannot be written any more takes no further intent.
  for (let attempt = 0; attempt < attempts && !(cause && store.failure); attempt += 1) {
    await store.record({ kind: 'intent', address: change.address, command, at: clock.now() });
    const sent = await sendCommand(context, job);
    if (sent.kind === 'accepted') {
      await store.record({
        kind: 'accepted',
        address: change.address,
        commandName: command.kind,
        at: clock.now(),
      });
      const { resource } = sent;
      const isOver = resource?.kind === kind && !isBusy(resource) && isShownBy(resource, command);
      return isOver ? resource : await awaitCommand(context, job, id);
    }
    cause = sent.cause;
    // No answer: look before asking again.
    await clock.sleep(1_000 * 2 ** attempt);
    const live = await client.get(kind, place, id);
    if (!live || isBusy(live) || hasComeTrue(command, live)) return awaitCommand(context, job, id);
  }
  throw new ChangeFailure(
    {
      severity: 'error',
      code: 'no-answer',
      summary: `${command.kind} got no complete answer ${attempts} times`,
      detail: cause?.message ?? '',
      hint: 'Apply again once the service can be reached.',
      address: change.address,
    },
    { isUnknown: true, cause },
  );
}

/** True for an answer that shows what was asked for, as far as the service keeps it. */
function isShownBy(resource: LiveResource, command: ResolvedCommand): boolean {
  return hasComeTrue(command, resource) || hasRespelledName(command, resource);
}
