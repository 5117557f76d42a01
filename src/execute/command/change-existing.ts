// A change of what exists, as a plan makes it: written down in the state before it goes out and when it was taken.
import {
  commandSubjects,
  findCommandSubjectId,
  type ResolvedCommand,
} from '../../model/account/command.ts';
import { InternalError } from '../../model/errors.ts';
import { getLiveStatus, type LiveResource } from '../../model/account/live.ts';
import { awaitCommandEnd, explainCommandEnd, type CommandWait } from '../requests/await-command.ts';
import type { ChangeFailure } from '../context/failure.ts';
import { makeNoAnswerFailure, makeRefusedAfterLostFailure } from '../context/open-failures.ts';
import { findRivalClaimants, canClaimBecomeFree } from '../create/prepare-attempt.ts';
import type { ChangeCommandJob, RunContext } from '../context/run-context.ts';
import { recordCommandAcceptance, recordCommandIntent } from './record-command.ts';
import {
  isUnseenRequestEnd,
  sendUntilEnded,
  type CommandRequestsOutcome,
} from '../requests/send-until-ended.ts';

/**
 * Carries out a command on a resource that exists. `seen` is what it looked like last, when that is known.
 * @returns the resource as last read; undefined when it is gone
 * @throws ChangeFailure, ApiError
 */
export async function changeExistingResource(
  context: RunContext,
  job: ChangeCommandJob,
  seen: LiveResource | undefined,
): Promise<LiveResource | undefined> {
  const { command, change } = job;
  const isLeaving = isOnItsWayOut(command, seen);
  if (isLeaving && (await isDeletedByOthers(context, job))) return undefined;
  let isLookedAt = !isLeaving;
  const ending = await sendUntilEnded(context, job, {
    prepare: async () => {
      if (!isLookedAt) await job.lookAgain?.();
      isLookedAt = false;
      await recordCommandIntent(context, change.address, command);
    },
    accept: () => recordCommandAcceptance(context, change.address, command),
    ...('name' in command && { findRivals: () => findRivalClaimants(context, command) }),
    mayBeFreed: () => canClaimBecomeFree(context, command),
    // A state that cannot be written any more takes no further intent.
    maySendAgain: () => !context.store.failure,
  });
  if (ending.end.kind === 'done') return ending.end.live;
  throw explainEnding(context, job, ending);
}

/** True for a delete of what is being deleted: asking again would only be refused. */
function isOnItsWayOut(command: ResolvedCommand, seen: LiveResource | undefined): boolean {
  const { effect } = commandSubjects[command.kind];
  return effect === 'delete' && seen !== undefined && getLiveStatus(seen) === 'deleting';
}

/** Waits for a delete that somebody else, or an earlier run, has asked for; false when it came to nothing. */
async function isDeletedByOthers(context: RunContext, job: ChangeCommandJob): Promise<boolean> {
  const wait: CommandWait = {
    id: findCommandSubjectId(job.command) ?? '',
    sentAt: context.clock.now(),
    isAccepted: false,
    wasSeen: true,
    sending: undefined,
    quietMs: 0,
  };
  const end = await awaitCommandEnd(context, job, wait);
  if (end.kind === 'expired' || end.kind === 'unreadable') {
    throw explainCommandEnd(context, job, wait, end);
  }
  return end.kind === 'done';
}

function explainEnding(
  context: RunContext,
  job: ChangeCommandJob,
  { end, wait, unanswered, lost }: CommandRequestsOutcome,
): ChangeFailure {
  const { change, command } = job;
  if (end.kind === 'refused')
    return makeRefusedAfterLostFailure(change.address, command.kind, end.cause);
  if (end.kind === 'done' || end.kind === 'withheld') throw new InternalError(end.kind);
  if (!wait.isAccepted && isUnseenRequestEnd(end)) {
    return makeNoAnswerFailure(change.address, command.kind, unanswered, lost);
  }
  return explainCommandEnd(context, job, wait, end);
}
