// One thing that is asked of a VM outside of any change: by a person, or before a rebuild. It waits until nothing holds the
// VM, asks for the last word, and goes the way of every command from there.
import { calculateToleratedLateness } from '../observe/watch.ts';
import { NotSentError } from '../../api/errors/errors.ts';
import { hasCommandTakenEffect, isResourceBusy } from '../../kinds/outcome.ts';
import type { ResourceAddress } from '../../model/address.ts';
import {
  commandSubjects,
  findCommandSubjectId,
  type ResolvedCommand,
} from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import { CommandWithheldError } from '../context/failure.ts';
import type { CommandRunContext, CommandJob, CommandProgress } from '../context/command-context.ts';
import { readResourceByRecords } from '../requests/read-by-records.ts';
import { awaitIdleResource } from '../requests/send-command.ts';
import {
  isConflict,
  sendUntilEnded,
  type CommandRequestsOutcome,
} from '../requests/send-until-ended.ts';

export interface VmOperation {
  readonly address: ResourceAddress;
  readonly command: ResolvedCommand;
  /** By the clock, in milliseconds since the Unix epoch: for the lock and the operation together. */
  readonly deadline: number;
  readonly isWaitedFor: boolean;
  /**
   * Decides right before each request, by the VM as it then is, whether the request is sent; false withdraws the operation. Asked
   * again whenever another operation had to be waited for, since that may have changed what would be lost.
   */
  approve(live: LiveResource): Promise<boolean>;
  /** Called right before each request that changes the VM. */
  readonly onSend?: (() => Promise<void>) | undefined;
  readonly onProgress: (phase: 'waiting' | 'running', status: string) => void;
}

/** End of a VM operation. */
export type VmOperationEnd =
  | { readonly kind: 'done'; readonly operation: LiveOperation | undefined }
  | {
      readonly kind: 'failed';
      readonly operation: LiveOperation | undefined;
      readonly failureCode: string | null;
    }
  /** The service has accepted the operation, and its end was not waited for. */
  | { readonly kind: 'accepted' }
  /** The VM already was as the operation would have made it, so nothing was sent. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'declined' }
  /** The service does not have the VM, or no longer. */
  | { readonly kind: 'gone' }
  /** Another operation held the VM until the deadline, so nothing was sent. */
  | { readonly kind: 'locked' }
  | UnseenOperationEnd;

/** The operation was sent, but its end could not be seen. */
export type UnseenOperationEnd = { readonly kind: 'unseen' } & (
  | { readonly why: 'no-answer'; readonly cause: Error | undefined; readonly sent: number }
  | { readonly why: 'no-record' }
  | { readonly why: 'timeout'; readonly status: string; readonly waitedMs: number }
  | { readonly why: 'unreadable'; readonly cause: Error }
);

/**
 * Carries out a VM operation, sitting out whatever locks the VM, up to the deadline.
 * @throws ApiError when the service refuses or cannot be read before anything was sent; the signal's reason when
 * interrupted before that; what `approve` throws
 */
export async function runVmOperation(
  context: CommandRunContext,
  operation: VmOperation,
): Promise<VmOperationEnd> {
  const { clock, interrupted } = context;
  const { address, command, deadline, isWaitedFor, onProgress } = operation;
  const job: CommandJob = {
    command,
    deadline,
    change: { address },
    mayWaitMs: calculateToleratedLateness(clock),
    report: (progress) => tell(onProgress, progress),
    wantsRecord: true,
    isLeft: (isUnderWay) => interrupted.aborted || (isUnderWay && !isWaitedFor),
  };
  try {
    const ending = await sendUntilEnded(context, job, {
      prepare: () => prepare(context, operation, job),
      accept: () => {
        if (isWaitedFor) onProgress('running', 'accepted');
        return Promise.resolve();
      },
      maySendAgain: () => true,
    });
    return readEnd(ending, clock.now());
  } catch (error) {
    if (error instanceof CommandWithheldError || error instanceof NotSentError) {
      interrupted.throwIfAborted();
    }
    if (error instanceof CommandWithheldError && error.why !== 'interrupted')
      return { kind: error.why };
    if (isConflict(error) && clock.now() >= deadline) return { kind: 'locked' };
    throw error;
  }
}

function tell(onProgress: VmOperation['onProgress'], progress: CommandProgress): void {
  if (progress.kind === 'locked') onProgress('waiting', progress.status);
  if (progress.kind === 'running') onProgress('running', progress.status);
}

/** Waits until nothing holds the VM. @throws CommandWithheldError where nothing is to be sent; what `approve` throws */
async function prepare(
  context: CommandRunContext,
  operation: VmOperation,
  job: CommandJob,
): Promise<void> {
  const { client, clock, interrupted } = context;
  const { command, deadline } = operation;
  const { kind } = commandSubjects[command.kind];
  const place = placeOfCommand(command);
  for (;;) {
    if (interrupted.aborted) throw new CommandWithheldError('interrupted');
    const id = findCommandSubjectId(command) ?? '';
    const live = await readResourceByRecords(client, kind, place, id);
    if (!live) throw new CommandWithheldError('gone');
    if (!isResourceBusy(live) && hasCommandTakenEffect(command, live))
      throw new CommandWithheldError('unchanged');
    if (!(await operation.approve(live))) throw new CommandWithheldError('declined');
    if (!isResourceBusy(live)) return operation.onSend?.();
    if (clock.now() >= deadline) throw new CommandWithheldError('locked');
    await awaitIdleResource(context, job, live, place);
  }
}

/** The outcome as the user sees it. A refusal of a repeated request leaves the result of the first as it was. */
function readEnd(ending: CommandRequestsOutcome, now: number): VmOperationEnd {
  const { end, wait, lost, unanswered, accepted } = ending;
  switch (end.kind) {
    case 'done':
      return { kind: 'done', operation: end.operation };
    case 'failed':
      return { kind: 'failed', operation: end.operation, failureCode: end.failureCode };
    case 'gone':
      return { kind: 'gone' };
    case 'left':
      if (end.isUnderWay) return { kind: 'accepted' };
      break;
    case 'withheld':
      if (end.why === 'unchanged') return { kind: 'done', operation: undefined };
      if (end.why === 'gone') return { kind: 'gone' };
      break;
    case 'expired':
      if (!wait.isAccepted) break;
      return { kind: 'unseen', why: 'timeout', status: end.status, waitedMs: now - wait.sentAt };
    case 'unreadable':
      if (!wait.isAccepted) break;
      return { kind: 'unseen', why: 'unreadable', cause: end.cause };
    case 'refused':
    case 'silent':
      break;
  }
  if (wait.isAccepted) return { kind: 'unseen', why: 'no-record' };
  return { kind: 'unseen', why: 'no-answer', cause: lost, sent: unanswered + accepted };
}
