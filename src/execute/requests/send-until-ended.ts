// Sends a command on a resource that exists, and waits for its end. What may have been carried out is looked for; a
// request is sent again only where nothing shows that the one before did or does anything, and where doing it twice comes
// to the same.
import { classifyRefusal, conflictRefusalMeanings } from '../../api/errors/classify-error.ts';
import { ApiError, ServiceError } from '../../api/errors/errors.ts';
import { hasRespelledCommandValues } from '../../kinds/carry-out.ts';
import {
  hasCommandTakenEffect,
  isResourceBusy,
  isJudgedByRecord,
  isRebuildCommand,
} from '../../kinds/outcome.ts';
import {
  commandSubjects,
  findCommandSubjectId,
  type ResolvedCommand,
} from '../../model/account/command.ts';
import { InternalError } from '../../model/errors.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { ChangeFailure, CommandWithheldError, makeClaimTakenFailure } from '../context/failure.ts';
import type { OperationRecordMark } from '../observe/operation-log.ts';
import { awaitCommandEnd, type CommandWaitEnd, type CommandWait } from './await-command.ts';
import type { CommandRunContext, CommandJob } from '../context/command-context.ts';
import {
  markEarlierOperationRecords,
  sendUntilAccepted,
  type SendHooks,
  type CommandSendResult,
} from './send-command.ts';

/** The most requests of one command that may stay without an answer. */
const unansweredAtMost = 3;
/** Number of times that the service may accept a request and then show no trace of it. */
const tracelessAtMost = 2;
/** The shortest time without any trace before an accepted request is sent again, or given up. */
const quietMs = 60_000;
/** The same, in how many times what the command usually takes, where it is sent again. */
const quietTimes = 4;
/** Milliseconds to wait after the first lost answer before sending again; it doubles with each. */
const unansweredQuietMs = 1_000;

/** Callbacks of the caller at each request of a command and after it. */
export interface RequestHooks
  extends Required<Pick<SendHooks, 'prepare'>>, Pick<SendHooks, 'findRivals' | 'mayBeFreed'> {
  /** Records that the service has accepted the command. */
  readonly accept: () => Promise<void>;
  /** Tells whether another request may be sent. */
  readonly maySendAgain: () => boolean;
}

/** Outcome of a command over all requests that were sent for it. */
export interface CommandRequestsOutcome {
  readonly end:
    | CommandWaitEnd
    /** A request after one that may have been carried out was refused. */
    | { readonly kind: 'refused'; readonly cause: ApiError }
    /** After an earlier request, a further one was withheld, as it might have done harm. */
    | { readonly kind: 'withheld'; readonly why: CommandWithheldError['why'] };
  /** The wait for the end of the last request. */
  readonly wait: CommandWait;
  /** The error by which the last request got no answer; undefined when it got one. */
  readonly lost: Error | undefined;
  /** Number of requests without an answer, and number of accepted ones. */
  readonly unanswered: number;
  readonly accepted: number;
}

/** Earlier requests of the same command, which may have been carried out. */
interface Earlier {
  /** Time by the service's clock before the first request was sent. */
  readonly serviceTime: number | undefined;
  readonly isAccepted: boolean;
  readonly ending: CommandRequestsOutcome;
}

/** The outcome of one request; a name that something else has by now ends it. */
type Attempt =
  | Exclude<CommandSendResult, { kind: 'taken' }>
  /** The request was refused because of a lock, which may be that of the earlier request itself. */
  | {
      readonly kind: 'locked';
      readonly mark: OperationRecordMark | undefined;
      readonly cause: ServiceError;
    };

/**
 * Sends a command and waits for its end.
 * @throws ApiError when the service refuses the first request or cannot be read before it; what `prepare` throws then
 */
export async function sendUntilEnded(
  context: CommandRunContext,
  job: CommandJob,
  hooks: RequestHooks,
): Promise<CommandRequestsOutcome> {
  const counts = { unanswered: 0, accepted: 0 };
  let earlier: Earlier | undefined;
  for (;;) {
    let sent: Attempt;
    try {
      sent = await send(context, job, hooks, earlier !== undefined);
    } catch (error) {
      const end = readRefusal(error);
      if (!earlier || !end) throw earlier ? leaveOpen(error) : error;
      const { ending, isAccepted } = earlier;
      return { ...ending, end, wait: { ...ending.wait, isAccepted } };
    }
    if (sent.kind === 'accepted') {
      if (!sent.absence) await hooks.accept();
      counts.accepted += 1;
    } else if (sent.kind === 'unsure') counts.unanswered += 1;
    const wait = planWait(context, job, { sent, earlier, unanswered: counts.unanswered });
    const end = await awaitAttempt(context, job, sent, wait);
    const ending = { end, wait, lost: sent.kind === 'unsure' ? sent.cause : undefined, ...counts };
    if (sent.kind === 'locked' && isUnseenRequestEnd(end)) {
      return { ...ending, end: { kind: 'refused', cause: sent.cause } };
    }
    // The resource is still there, so the 404 is about the path of the delete, or its method.
    if (sent.kind === 'accepted' && sent.absence && isUnseenRequestEnd(end)) {
      if (!earlier && !wasSeenBusy(end)) throw sent.absence;
      const { ending: before = ending, isAccepted = false } = earlier ?? {};
      const refused = { kind: 'refused', cause: sent.absence } as const;
      return { ...before, end: refused, wait: { ...before.wait, isAccepted } };
    }
    const isLast = sent.kind === 'locked' || isLastAttempt(context, job, hooks, counts);
    if (isLast || !mayBeRepeated(job.command, end, wait.isAccepted)) return ending;
    earlier = {
      serviceTime: earlier ? earlier.serviceTime : sent.mark?.serviceTime,
      isAccepted: wait.isAccepted || earlier?.isAccepted === true,
      ending,
    };
  }
}

/** Tells whether the end of a request was not seen: nothing of it showed, or the deadline passed. */
export function isUnseenRequestEnd({ kind }: CommandRequestsOutcome['end']): boolean {
  return kind === 'silent' || kind === 'expired';
}

/** Tells whether the resource was at work before the time was over, so that the command may be what it worked on. */
function wasSeenBusy(end: CommandRequestsOutcome['end']): boolean {
  return end.kind === 'expired' && end.wasBusy === true;
}

/** Sends one request. A lock that refuses a repeated one may be that of the request before. */
async function send(
  context: CommandRunContext,
  job: CommandJob,
  { prepare, findRivals, mayBeFreed }: RequestHooks,
  isRepeated: boolean,
): Promise<Attempt> {
  try {
    const sent = await sendUntilAccepted(context, job, { prepare, findRivals, mayBeFreed });
    if (sent.kind === 'taken')
      throw makeClaimTakenFailure(job.change.address, { ...sent, isKept: true });
    return sent;
  } catch (error) {
    if (!isRepeated || !isConflict(error)) throw error;
    return {
      kind: 'locked',
      mark: await markEarlierOperationRecords(context, job.command, false),
      cause: error,
    };
  }
}

/** Tells whether an error is a refusal because something holds what the command involves. */
export function isConflict(error: unknown): error is ServiceError {
  return error instanceof ServiceError && conflictRefusalMeanings.has(classifyRefusal(error));
}

/** Reads the error of a repeated request as a refusal; undefined for an error that is neither the service's nor the caller's. */
function readRefusal(error: unknown): CommandRequestsOutcome['end'] | undefined {
  if (error instanceof CommandWithheldError) return { kind: 'withheld', why: error.why };
  if (!(error instanceof ApiError)) return undefined;
  return { kind: error.isRead ? 'unreadable' : 'refused', cause: error };
}

/**
 * Marks a failure as unknown: an obstacle to sending the request again says nothing of the one before, which may have been
 * carried out.
 */
function leaveOpen(error: unknown): unknown {
  if (!(error instanceof ChangeFailure)) return error;
  return new ChangeFailure(error.diagnostic, { isUnknown: true, cause: error });
}

async function awaitAttempt(
  context: CommandRunContext,
  job: CommandJob,
  sent: Attempt,
  wait: CommandWait,
): Promise<CommandWaitEnd> {
  if (sent.kind === 'accepted') {
    const { resource: live } = sent;
    if (isShownBy(job.command, live)) return { kind: 'done', live };
    if (job.isLeft?.(true)) return { kind: 'left', isUnderWay: true };
  }
  return awaitCommandEnd(context, job, wait);
}

/** Tells whether the answer shows the result, maybe in the service's own spelling. */
function isShownBy(command: ResolvedCommand, resource: LiveResource | undefined): boolean {
  if (resource?.kind !== commandSubjects[command.kind].kind) return false;
  const isShown =
    hasCommandTakenEffect(command, resource) || hasRespelledCommandValues(command, resource);
  return !isResourceBusy(resource) && isShown;
}

interface Sending {
  readonly sent: Attempt;
  readonly earlier: Earlier | undefined;
  readonly unanswered: number;
}

/**
 * Plans the wait for a request. Where an earlier request may have been carried out, its record counts as well, unless it was
 * seen before.
 */
function planWait(
  { clock, durations }: CommandRunContext,
  { command }: CommandJob,
  { sent, earlier, unanswered }: Sending,
): CommandWait {
  const id = findCommandSubjectId(command);
  if (id === undefined) throw new InternalError(`${command.kind} has no subject`);
  const serviceTime = earlier ? earlier.serviceTime : sent.mark?.serviceTime;
  const mark = sent.mark && { ...sent.mark, serviceTime };
  const isSentOnce = isJudgedByRecord(command.kind);
  const longMs = isSentOnce ? quietMs : Math.max(quietMs, quietTimes * durations.expect([command]));
  const base = { id, sentAt: clock.now(), wasSeen: true };
  if (sent.kind === 'accepted') {
    const sending = earlier ? { mark } : { mark, answeredAt: sent.answeredAt };
    return { ...base, isAccepted: true, sending, quietMs: longMs };
  }
  const shortMs = unansweredQuietMs * 2 ** (unanswered - 1);
  const isHarmless = sent.kind === 'unsure' && !isSentOnce && !isRebuildCommand(command.kind);
  return {
    ...base,
    isAccepted: false,
    sending: { mark },
    quietMs: isHarmless ? shortMs : longMs,
    pace: { firstMs: shortMs },
  };
}

function isLastAttempt(
  { clock, interrupted }: CommandRunContext,
  { deadline, isLeft }: CommandJob,
  { maySendAgain }: RequestHooks,
  { unanswered, accepted }: { readonly unanswered: number; readonly accepted: number },
): boolean {
  if (!maySendAgain() || clock.now() >= deadline || isLeft?.(false)) return true;
  if (unanswered >= unansweredAtMost || accepted >= tracelessAtMost) return true;
  return accepted > 0 && interrupted.aborted;
}

/**
 * Tells whether the command may have come to nothing, and is safe to repeat. A failure behind a lost answer may be that of
 * somebody else's operation; a second rebuild would wipe the result of the first.
 */
function mayBeRepeated(
  { kind }: ResolvedCommand,
  end: CommandWaitEnd,
  isAccepted: boolean,
): boolean {
  if (isJudgedByRecord(kind)) return false;
  if (end.kind === 'failed') return !isAccepted && !isRebuildCommand(kind);
  return end.kind === 'silent' && !(isRebuildCommand(kind) && end.hasRecord);
}
