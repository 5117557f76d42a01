import type { LiveResource } from '../../model/account/live.ts';
import { InternalError } from '../../model/errors.ts';
import { findCommandSubjectId } from '../../model/account/command.ts';
import type { SentCommand } from '../../model/state/state.ts';
import {
  awaitCommandEnd,
  explainCommandEnd,
  type CommandWaitEnd,
  type CommandWait,
} from '../requests/await-command.ts';
import { recordCommandEnd, recordCommandFailure } from './record-command.ts';
import type { ChangeCommandJob, RunContext } from '../context/run-context.ts';

/** Time without any sign of a command, in milliseconds, after which it is said to have left no trace. */
const quietMs = 60_000;

/** End of a command that an earlier run sent and did not see finish. */
export type EarlierCommandEnd =
  /** `live` is undefined when the resource is gone, as a delete wants it. */
  | { readonly kind: 'done'; readonly live: LiveResource | undefined }
  /** The command failed, or nothing shows that it had an effect; `error` says which. */
  | { readonly kind: 'undone'; readonly error: Error };

/**
 * Waits for the end of a command that an earlier run sent, and records it in the state. Sends nothing.
 * @throws ChangeFailure when its end is not seen in time, or cannot be read
 */
export async function awaitEarlierCommand(
  context: RunContext,
  job: ChangeCommandJob,
  { serviceAt, acceptedAt, acceptedServiceAt }: SentCommand,
): Promise<EarlierCommandEnd> {
  const { change, command } = job;
  const id = findCommandSubjectId(command);
  if (id === undefined) throw new InternalError(`${command.kind} has no subject`);
  const wait: CommandWait = {
    id,
    quietMs,
    wasSeen: true,
    isResumed: true,
    wasAccepted: acceptedAt !== undefined,
    // The plan has seen the command under way, so the service had accepted it.
    isAccepted: true,
    sentAt: context.clock.now(),
    // Without a time nothing tells its record from those of earlier commands.
    sending:
      serviceAt === undefined
        ? undefined
        : { mark: { lists: 0, serviceTime: serviceAt }, answeredAt: acceptedServiceAt },
  };
  const end = await awaitCommandEnd(context, job, wait);
  if (end.kind === 'done') {
    await recordCommandEnd(context, change.address, command, end.live);
    return end;
  }
  const error = explainCommandEnd(context, job, wait, end);
  if (isOpen(end)) throw error;
  await recordCommandFailure(context, change.address, command, end.kind === 'failed');
  return { kind: 'undone', error };
}

/** Tells whether the command may still be under way. */
function isOpen({ kind }: Exclude<CommandWaitEnd, { kind: 'done' }>): boolean {
  return kind === 'expired' || kind === 'gone' || kind === 'unreadable';
}
