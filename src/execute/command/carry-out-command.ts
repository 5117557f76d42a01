import { ApiError } from '../../api/errors/errors.ts';
import { isBackup } from '../../kinds/outcome.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { SentCommand } from '../../model/state/state.ts';
import { awaitSentCommand, type SentEnd } from './await-sent.ts';
import { ChangeFailure } from '../context/failure.ts';
import { recordFailure } from './record-command.ts';
import { hasBackup } from './run-backup.ts';
import { runCommand } from './run-command.ts';
import type { ChangeCommandJob, RunContext } from '../context/run-context.ts';
import { idsInvolvedIn } from '../requests/send-command.ts';

/** Carries out one command. One that certainly came to nothing leaves nothing open. */
export async function carryOutCommand(
  context: RunContext,
  job: ChangeCommandJob,
  seen: LiveResource | undefined,
): Promise<LiveResource | undefined> {
  const { command, change } = job;
  try {
    return await runCommand(context, job, seen);
  } catch (error) {
    const isCertain = error instanceof ChangeFailure ? !error.isUnknown : error instanceof ApiError;
    const hasActed = error instanceof ChangeFailure && error.hasActed;
    if (isCertain) await recordFailure(context, change.address, command, hasActed);
    throw error;
  } finally {
    context.holders.release(idsInvolvedIn(command), change.address);
  }
}

/**
 * Waits for a command of this change that an earlier run has sent. Undefined where it is to be sent again: it came to
 * nothing, or it was a backup, and none stands in the list.
 */
export async function awaitGoodEnd(
  context: RunContext,
  job: ChangeCommandJob,
  sent: SentCommand,
): Promise<Extract<SentEnd, { kind: 'done' }> | undefined> {
  const end = await awaitSentCommand(context, job, sent);
  if (end.kind === 'undone') return undefined;
  return !isBackup(job.command.kind) || (await hasBackup(context, job)) ? end : undefined;
}
