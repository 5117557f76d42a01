import { ApiError } from '../../api/errors/errors.ts';
import { isBackup } from '../../kinds/outcome.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { SentCommand } from '../../model/state/state.ts';
import { awaitSent } from './await-sent.ts';
import { ChangeFailure } from '../context/failure.ts';
import { recordEnd } from './record-command.ts';
import { hasBackup } from './run-backup.ts';
import { runCommand } from './run-command.ts';
import type { Job, RunContext } from '../context/run-context.ts';
import { idsInvolvedIn } from '../requests/send-command.ts';

/** Carries out one command. One that certainly came to nothing leaves nothing open. */
export async function carryOutCommand(
  context: RunContext,
  job: Job,
  seen: LiveResource | undefined,
): Promise<LiveResource | undefined> {
  const { command, change } = job;
  try {
    return await runCommand(context, job, seen);
  } catch (error) {
    const isCertain = error instanceof ChangeFailure ? !error.isUnknown : error instanceof ApiError;
    if (isCertain) await recordEnd(context, change.address, command);
    throw error;
  } finally {
    context.holders.release(idsInvolvedIn(command), change.address);
  }
}

/**
 * Waits for a command of this change that an earlier run has sent. False where it is to be sent again: it came to
 * nothing, or it was a backup, and none stands in the list.
 */
export async function isEndedWell(
  context: RunContext,
  job: Job,
  sent: SentCommand,
): Promise<boolean> {
  const end = await awaitSent(context, job, sent);
  if (end.kind === 'undone') return false;
  return !isBackup(job.command.kind) || hasBackup(context, job);
}
