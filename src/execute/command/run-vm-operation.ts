// An errand: one thing that a person asks of a VM, outside of any plan and without the state. It shares the engine's
// eyes (observer, records, judgement) and its rule: what may have been carried out is looked for, and sent again only
// where doing it twice comes to the same.
import { classifyRefusal } from '../../api/errors/classify-error.ts';
import type { ServiceClient } from '../../api/client.ts';
import {
  ApiError,
  NotSentError,
  OutcomeUnknownError,
  ServiceError,
} from '../../api/errors/errors.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import { hasComeTrue, isBusy } from '../../kinds/outcome.ts';
import type { ResolvedCommand } from '../../model/account/command.ts';
import type { LiveVm } from '../../model/account/live.ts';
import type { Clock } from '../../model/runtime.ts';
import { awaitEnd, sitOutLock } from './await-vm-operation.ts';
import type { Observer } from '../observe/observer.ts';
import { createOperationLog } from '../observe/operation-log.ts';

type ErrandName = 'startVm' | 'stopVm' | 'rebootVm' | 'createBackup' | 'restoreBackup';

/** What an errand needs. */
export interface ErrandContext {
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly observer: Observer;
  /** Aborted when nothing may be sent any more, and nothing waited for: what was accepted goes on by itself. */
  readonly interrupted: AbortSignal;
}

export interface Errand {
  readonly command: Extract<ResolvedCommand, { kind: ErrandName }>;
  /** By the clock, in milliseconds since the Unix epoch: for the lock and the operation together. */
  readonly deadline: number;
  readonly isWaitedFor: boolean;
  /**
   * The last word before a request, given the VM as it is: false leaves it. Asked again whenever another operation had to
   * be sat out, for it may have changed what would be lost.
   */
  readonly approve: (vm: LiveVm) => Promise<boolean>;
  readonly onProgress: (phase: 'waiting' | 'running', status: string) => void;
}

/** How an errand ended. */
export type ErrandEnd =
  | { readonly kind: 'done'; readonly operation: LiveOperation | undefined }
  | {
      readonly kind: 'failed';
      readonly operation: LiveOperation | undefined;
      readonly failureCode: string | null;
    }
  /** The service took it; nobody waited for the rest. */
  | { readonly kind: 'accepted' }
  /** It was so already: nothing was sent. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'declined' }
  /** The service has no such VM (any more). */
  | { readonly kind: 'gone' }
  /** Something held the VM until the deadline: nothing was sent. */
  | { readonly kind: 'locked' }
  /** It was sent, and its end could not be seen. */
  | {
      readonly kind: 'unseen';
      readonly why: 'no-answer' | 'no-record' | 'timeout' | 'unreadable';
      readonly status: string;
      readonly waitedMs?: number;
      readonly cause?: unknown;
      /** How often it was sent, where that was more than once. */
      readonly sent?: number;
    };

/** How often a conflict is tried again although nothing is to be seen that explains it: what we read may lag. */
const unexplainedConflicts = 2;

/** How often a request without an answer is sent in all. */
const unansweredAtMost = 3;
/** How often a request is sent in all that the service accepts and shows no trace of. */
const tracelessAtMost = 2;

/**
 * Carries out an errand, sitting out whatever locks the VM, up to the deadline.
 * @throws ApiError when the service refuses or cannot be read before anything was sent; the signal's reason when
 * interrupted before that; what `approve` throws
 */
export async function runErrand(context: ErrandContext, errand: Errand): Promise<ErrandEnd> {
  const { clock, interrupted } = context;
  let earlier: ErrandEnd | undefined;
  for (let sent = 1; ; sent += 1) {
    const end = earlier ? await repeat(context, errand, earlier) : await carryOut(context, errand);
    const isOver = interrupted.aborted || clock.now() >= errand.deadline;
    if (isOver || end === earlier || sent >= repeatsAtMost(errand, end)) {
      return end.kind === 'unseen' && sent > 1 ? { ...end, sent } : end;
    }
    earlier = end;
  }
}

/** How often a request may be sent in all that came to such an end. */
function repeatsAtMost({ command: { kind } }: Errand, end: ErrandEnd): number {
  // To start or to stop twice comes to the same.
  if (end.kind !== 'unseen' || (kind !== 'startVm' && kind !== 'stopVm')) return 0;
  if (end.why === 'no-answer') return unansweredAtMost;
  return end.why === 'no-record' ? tracelessAtMost : 0;
}

/** Sends a request once more. What comes in between leaves the earlier one as it was: it may have been carried out. */
async function repeat(
  context: ErrandContext,
  errand: Errand,
  earlier: ErrandEnd,
): Promise<ErrandEnd> {
  try {
    const end = await carryOut(context, errand);
    if (end.kind === 'unchanged') return { kind: 'done', operation: undefined };
    return end.kind === 'locked' || end.kind === 'declined' ? earlier : end;
  } catch (error) {
    if (error instanceof ApiError || context.interrupted.aborted) return earlier;
    throw error;
  }
}

/** Sends one request as soon as nothing holds the VM, and waits for its end. */
async function carryOut(context: ErrandContext, errand: Errand): Promise<ErrandEnd> {
  const { client, clock, interrupted } = context;
  const { command, deadline } = errand;
  let unexplained = 0;
  for (;;) {
    interrupted.throwIfAborted();
    const vm = await client.get('vm', { projectId: command.project }, command.vm);
    if (!vm) return { kind: 'gone' };
    if (!isBusy(vm) && hasComeTrue(command, vm)) return { kind: 'unchanged' };
    if (!(await errand.approve(vm))) return { kind: 'declined' };
    if (isBusy(vm)) {
      if (clock.now() >= deadline) return { kind: 'locked' };
      await sitOutLock(context, errand, false);
      continue;
    }
    // Made anew for each request: what others did meanwhile must not be taken for ours.
    const log = createOperationLog(client);
    const mark = await log.mark(command.project);
    interrupted.throwIfAborted();
    const sent = await send(context, errand);
    if (sent.kind === 'accepted') {
      if (!errand.isWaitedFor) return { kind: 'accepted' };
      const sending = { mark, answeredAt: client.serviceTime() };
      return awaitEnd(context, errand, { log, sending, lost: undefined });
    }
    if (sent.kind === 'unsure') {
      return awaitEnd(context, errand, { log, sending: { mark }, lost: sent.cause });
    }
    if (clock.now() >= deadline) return { kind: 'locked' };
    if (await sitOutLock(context, errand, true)) continue;
    if (unexplained >= unexplainedConflicts) throw sent.error;
    await clock.sleep(1_000 * 2 ** unexplained, interrupted);
    unexplained += 1;
  }
}

type Sent =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'unsure'; readonly cause: Error }
  | { readonly kind: 'conflict'; readonly error: ServiceError };

async function send(context: ErrandContext, { command, deadline }: Errand): Promise<Sent> {
  const { client, interrupted } = context;
  try {
    await client.send(command, { signal: interrupted, isLeftToEnd: true, deadline });
    return { kind: 'accepted' };
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return { kind: 'unsure', cause: error };
    // Where it was interrupted before it was sent, that is all there is to say.
    if (error instanceof NotSentError) interrupted.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    if (classifyRefusal(error) === 'conflict') return { kind: 'conflict', error };
    throw error;
  }
}
