// A change of what exists. What may have been carried out is looked for; a request is sent again only where nothing
// shows that the one before did or does anything, and where doing it twice comes to the same.
import { classifyRefusal } from '../../api/errors/classify-error.ts';
import { ApiError, ServiceError } from '../../api/errors/errors.ts';
import { hasRespelledName } from '../../kinds/kept-name.ts';
import { hasComeTrue, isBusy, isJudgedByRecord } from '../../kinds/outcome.ts';
import { commandSubjects, subjectId, type ResolvedCommand } from '../../model/account/command.ts';
import { InternalError } from '../../model/errors.ts';
import { statusOf, type LiveResource } from '../../model/account/live.ts';
import { awaitEnd, explainEnd, type End, type Wait } from './await-command.ts';
import { operationFailed, type ChangeFailure } from '../run/failure.ts';
import { deletedMeanwhile, noAnswer, refusedAfterLoss, unreadable } from '../run/open-failures.ts';
import type { Mark } from '../observe/operation-log.ts';
import { recordAcceptance, recordIntent } from './record-command.ts';
import type { Job, RunContext } from '../run/run-context.ts';
import { markRecords, sendCommand, type Sent } from './send-command.ts';

/** How often a request may get no answer. */
const unansweredAtMost = 3;
/** How often the service may accept a request and then show no trace of it. */
const tracelessAtMost = 2;
/** The shortest time without any trace before an accepted request is sent again. */
const quietMs = 60_000;
/** The same, in how many times what the command usually takes. */
const quietTimes = 4;
/** The same after the first lost answer; it doubles with each. */
const unansweredQuietMs = 1_000;

/** What was sent before, and may have been carried out. */
interface Earlier {
  /** At the service, before the first of it went out. */
  readonly serviceTime: number | undefined;
  readonly isAccepted: boolean;
}

/** A conflict with what may be the earlier request itself. */
interface Refused {
  readonly kind: 'refused';
  readonly mark: Mark | undefined;
  readonly cause: ServiceError;
}

/** What came of sending a change: nothing can take the place of what exists. */
type Attempt = Exclude<Sent, { kind: 'taken' }> | Refused;

/**
 * Carries out a command on a resource that exists. `seen` is what it looked like last, when that is known.
 * @returns the resource as last read; undefined when it is gone
 * @throws ChangeFailure, ApiError
 */
export async function changeExisting(
  context: RunContext,
  job: Job,
  seen: LiveResource | undefined,
): Promise<LiveResource | undefined> {
  const { command, change } = job;
  const { address } = change;
  const id = subjectId(command);
  if (id === undefined) throw new InternalError(`${command.kind} has no subject`);
  if (isOnItsWayOut(command, seen) && (await isDeletedByOthers(context, job, id))) return undefined;
  let earlier: Earlier | undefined;
  for (let unanswered = 0, traceless = 0; ;) {
    await recordIntent(context, address, command);
    const sent = await send(context, job, earlier);
    const isAccepted = sent.kind === 'accepted';
    if (isAccepted) {
      await recordAcceptance(context, address, command);
      if (isOver(command, sent.resource)) return sent.resource;
      traceless += 1;
    } else if (sent.kind === 'unsure') {
      unanswered += 1;
    }
    const wait = planWait(context, job, { id, sent, earlier, unanswered });
    const end = await awaitEnd(context, job, wait);
    if (end.kind === 'done') return end.live;
    const isLast =
      sent.kind === 'refused' || isLastAttempt(context, job, { unanswered, traceless });
    if (isLast || !mayBeRepeated(command, end, isAccepted)) {
      throw isAccepted
        ? explainEnd(context, job, wait, end)
        : explainUnanswered(job, wait, end, { sent, unanswered });
    }
    earlier = {
      serviceTime: earlier ? earlier.serviceTime : sent.mark?.serviceTime,
      isAccepted: isAccepted || earlier?.isAccepted === true,
    };
  }
}

/** True for a delete of what is being deleted: asking again would only be refused. */
function isOnItsWayOut(command: ResolvedCommand, seen: LiveResource | undefined): boolean {
  const { effect } = commandSubjects[command.kind];
  return effect === 'delete' && seen !== undefined && statusOf(seen) === 'deleting';
}

/** Waits for a delete that somebody else, or an earlier run, has asked for; false when it came to nothing. */
async function isDeletedByOthers(context: RunContext, job: Job, id: string): Promise<boolean> {
  const wait: Wait = {
    ...{ id, sentAt: context.clock.now(), isAccepted: false, wasSeen: true },
    ...{ sending: undefined, quietMs: 0 },
  };
  const end = await awaitEnd(context, job, wait);
  if (end.kind === 'expired') throw explainEnd(context, job, wait, end);
  return end.kind === 'done';
}

/** Sends the command. What is refused after an earlier attempt may be refused because of that one. */
async function send(context: RunContext, job: Job, earlier: Earlier | undefined): Promise<Attempt> {
  const { change, command } = job;
  try {
    const sent = await sendCommand(context, job);
    if (sent.kind === 'taken') throw sent.cause;
    return sent;
  } catch (error) {
    if (!earlier || !(error instanceof ApiError)) throw error;
    const { isAccepted } = earlier;
    if (error.isRead) throw unreadable(change.address, command.kind, error, isAccepted);
    if (error instanceof ServiceError && classifyRefusal(error) === 'conflict') {
      return { kind: 'refused', mark: await markRecords(context, command, false), cause: error };
    }
    throw refusedAfterLoss(change.address, command.kind, error);
  }
}

/** True when the answer shows the result, as far as the service keeps names as they are given. */
function isOver(command: ResolvedCommand, resource: LiveResource | undefined): boolean {
  if (resource?.kind !== commandSubjects[command.kind].kind) return false;
  const isShown = hasComeTrue(command, resource) || hasRespelledName(command, resource);
  return !isBusy(resource) && isShown;
}

interface Sending {
  readonly id: string;
  readonly sent: Attempt;
  readonly earlier: Earlier | undefined;
  readonly unanswered: number;
}

/**
 * How to wait for what was sent. Where an earlier request may have been carried out, its record counts as well, if it
 * was not seen before.
 */
function planWait(
  { clock, durations }: RunContext,
  { command }: Job,
  { id, sent, earlier, unanswered }: Sending,
): Wait {
  const serviceTime = earlier ? earlier.serviceTime : sent.mark?.serviceTime;
  const mark = sent.mark && { ...sent.mark, serviceTime };
  const longMs = Math.max(quietMs, quietTimes * durations.expect([command]));
  const base = { id, sentAt: clock.now(), wasSeen: true };
  if (sent.kind === 'accepted') {
    const sending = earlier ? { mark } : { mark, answeredAt: sent.answeredAt };
    return { ...base, isAccepted: true, sending, quietMs: longMs };
  }
  const shortMs = unansweredQuietMs * 2 ** (unanswered - 1);
  const isHarmless = sent.kind === 'unsure' && command.kind !== 'rebuildVm';
  return {
    ...{ ...base, isAccepted: false, sending: { mark }, quietMs: isHarmless ? shortMs : longMs },
    pace: { firstMs: shortMs, everyMs: shortMs, waitedShare: 0.1 },
  };
}

function isLastAttempt(
  { store, clock, interrupted }: RunContext,
  { deadline }: Job,
  { unanswered, traceless }: { readonly unanswered: number; readonly traceless: number },
): boolean {
  // A state that cannot be written any more takes no further intent.
  if (store.failure || clock.now() >= deadline) return true;
  if (unanswered >= unansweredAtMost || traceless >= tracelessAtMost) return true;
  return traceless > 0 && interrupted.aborted;
}

/**
 * Whether nothing may have come of it, and doing it twice comes to the same. A failure behind a lost answer may be that
 * of somebody else's operation; a second rebuild would wipe what the first has made.
 */
function mayBeRepeated({ kind }: ResolvedCommand, end: End, isAccepted: boolean): boolean {
  if (isJudgedByRecord(kind)) return false;
  if (end.kind === 'failed') return !isAccepted && kind !== 'rebuildVm';
  return end.kind === 'silent' && !(kind === 'rebuildVm' && end.hasRecord);
}

/** What to tell of a command that nobody knows the service to have accepted. */
function explainUnanswered(
  { change: { address }, command: { kind } }: Job,
  { id }: Wait,
  end: Exclude<End, { kind: 'done' }>,
  { sent, unanswered }: { readonly sent: Attempt; readonly unanswered: number },
): ChangeFailure {
  if (end.kind === 'failed') return operationFailed(address, kind, end.failureCode, false);
  if (end.kind === 'gone') return deletedMeanwhile(address, kind, id);
  if (sent.kind === 'refused') return refusedAfterLoss(address, kind, sent.cause);
  return noAnswer(address, kind, unanswered, sent.kind === 'unsure' ? sent.cause : undefined);
}
