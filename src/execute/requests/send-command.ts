import type { ServiceClient } from '../../api/client.ts';
import {
  classifyRefusal,
  conflictRefusalMeanings,
  type RefusalMeaning,
} from '../../api/errors/classify-error.ts';
import { OutcomeUnknownError, ServiceError, ApiError } from '../../api/errors/errors.ts';
import { findCommandFacts } from '../../kinds/find-facts.ts';
import { isOperationFinished, isRecordedAsOperation } from '../../kinds/operation-types.ts';
import {
  describeBusyResource,
  hasCommandTakenEffect,
  hasUnknownStatus,
  isResourceBusy,
  isJudgedByRecord,
  markAtRestByRecords,
  readUnderwayOperation,
} from '../../kinds/outcome.ts';
import {
  commandSubjects,
  findCommandSubjectId,
  type ResolvedCommand,
} from '../../model/account/command.ts';
import type { LiveResource, ResourcePlace } from '../../model/account/live.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { ChangeLock, ChangeLockHolder } from '../../model/plan/result.ts';
import type { CommandRunContext, CommandJob } from '../context/command-context.ts';
import { makeSendingOptions, type RunContext } from '../context/run-context.ts';
import type { OperationRecordMark } from '../observe/operation-log.ts';
import { findLookalikeCreateKind } from '../pace/keyed-mutex.ts';
import { readResourceByRecords } from './read-by-records.ts';

/** Result of sending a request. `unsure`: without a complete answer, the command may or may not have been carried out. */
export type CommandSendResult =
  | {
      readonly kind: 'accepted';
      readonly resource: LiveResource | undefined;
      /** Time when the command was accepted, in milliseconds since the Unix epoch. */
      readonly at: number;
      /** Mark by which its record is found; undefined for a create, and where the service records nothing. */
      readonly mark: OperationRecordMark | undefined;
      /** By the service's clock, in whole seconds; undefined where it does not tell the time. */
      readonly answeredAt: number | undefined;
      /** Refusal of a delete because there is nothing of that id, which is what it wants; undefined for a real acceptance. */
      readonly absence?: ServiceError;
    }
  | {
      readonly kind: 'unsure';
      readonly cause: Error;
      readonly mark: OperationRecordMark | undefined;
    }
  | {
      readonly kind: 'taken';
      /** Resources that occupy the place of the command's resource, at least one. */
      readonly rivals: readonly LiveResource[];
      readonly cause: ServiceError;
    };

type AcceptedCommand = Extract<CommandSendResult, { kind: 'accepted' }>;

/** Number of times that a conflict is retried although no resource involved seems busy: reads may lag. */
const unexplainedConflicts = 4;
/** Time that an unpublished status is taken for a lock, before the service is asked again. */
const doubtfulLockMs = 10_000;

/** Callbacks of the caller while a command is sent. */
export interface SendHooks {
  /** Called right before each request, once nothing is waited for any more; an error from it ends the sending. */
  readonly prepare?: () => Promise<void>;
  /** Looks for what may have taken the name or the port that the command asks for. */
  readonly findRivals?: (() => Promise<readonly LiveResource[]>) | undefined;
  /** Tells whether something had that name or port when the plan was made, and has lost it to this run: it may be free late. */
  readonly mayBeFreed?: (() => boolean) | undefined;
  /** Called before each attempt to send the request; an error from it stops the attempt. */
  readonly beforeAttempt?: (() => void) | undefined;
}

/**
 * Sends a command and sits out the locks of what it involves, up to the job's deadline.
 * @throws ApiError when the service refuses for good, or when it is given up before it is sent
 */
export async function sendUntilAccepted(
  context: CommandRunContext,
  job: CommandJob,
  { prepare, findRivals, mayBeFreed, beforeAttempt }: SendHooks = {},
): Promise<CommandSendResult> {
  const { client, clock } = context;
  let unexplained = 0;
  for (let hasWaited = false; ;) {
    await client.awaitHold(job.command, makeSendingOptions(context, job));
    await prepare?.();
    const mark = await markEarlierOperationRecords(context, job.command, hasWaited);
    const accept = (resource: LiveResource | undefined): AcceptedCommand => ({
      kind: 'accepted',
      resource,
      at: clock.now(),
      mark,
      answeredAt: client.serviceTime(),
    });
    try {
      // The next that could be mistaken for it waits until it is known.
      const goesFirst = findLookalikeCreateKind(job.command) !== undefined;
      const sending = {
        ...makeSendingOptions(context, job),
        beforeAttempt,
        beforeRetry: prepare,
        goesFirst,
      };
      const accepted = await client.send(job.command, sending);
      context.holders.hold(listInvolvedResourceIds(job.command), job.change.address);
      return accept(accepted.kind === 'done' ? accepted.resource : undefined);
    } catch (error) {
      if (error instanceof OutcomeUnknownError) return { kind: 'unsure', cause: error, mark };
      if (!(error instanceof ServiceError)) throw error;
      const meaning = classifyRefusal(error);
      const isConflict = conflictRefusalMeanings.has(meaning);
      if (meaning === 'notFound' && commandSubjects[job.command.kind].effect === 'delete') {
        return { ...accept(undefined), absence: error };
      }
      if (!alreadyDoneRefusalMeanings.has(meaning) || clock.now() >= job.deadline) throw error;
      const satOut = await lookAfterRefusal(context, job, error);
      if (satOut.isShown) return accept(satOut.subject);
      hasWaited ||= satOut.hasWaited;
      if (satOut.hasWaited && isConflict) continue;
      const rivals = (await findRivals?.()) ?? [];
      if (rivals.length > 0) return { kind: 'taken', rivals, cause: error };
      // No time frees a name that something else has; the one of what has just gone may be freed late.
      const mayPass = meaning === 'conflict' || (isConflict && mayBeFreed?.() === true);
      if (!mayPass || unexplained >= unexplainedConflicts) throw error;
      await clock.sleep(500 * 2 ** unexplained);
      unexplained += 1;
    }
  }
}

/**
 * Marks the records that exist before a request, since they are not its own; after a lock was waited for they are read
 * afresh.
 * @returns undefined for a create, and where the service records nothing @throws ApiError
 */
export async function markEarlierOperationRecords(
  { operations }: CommandRunContext,
  command: ResolvedCommand,
  isAfresh: boolean,
): Promise<OperationRecordMark | undefined> {
  if (!isRecordedAsOperation(command.kind) || commandSubjects[command.kind].effect === 'create')
    return undefined;
  return operations.mark(placeOfCommand(command).projectId, isAfresh);
}

/**
 * Meanings of a refusal that the service may give because the wanted result is there already, as after a repeated request. Only
 * the account tells whether it is.
 */
export const alreadyDoneRefusalMeanings: ReadonlySet<RefusalMeaning> = new Set([
  ...[...conflictRefusalMeanings, ...(['notFound', 'validation', 'permanent'] as const)],
]);

interface SatOut {
  /** Tells whether a busy resource had to be waited for before sending. */
  readonly hasWaited: boolean;
  /** The account shows by now what the command asks for: somebody did it, or it went out twice on its way. */
  readonly isShown: boolean;
  /** The command's live resource; undefined where it is gone. */
  readonly subject: LiveResource | undefined;
}

/** Looks at what a refused command involves. @throws the refusal, where that cannot be read */
async function lookAfterRefusal(
  context: CommandRunContext,
  job: CommandJob,
  refusal: ServiceError,
): Promise<SatOut> {
  try {
    return await sitOutLock(context, job);
  } catch (error) {
    throw error instanceof ServiceError ? refusal : error;
  }
}

/** Waits until none of the resources that a command involves is busy. */
async function sitOutLock(context: CommandRunContext, job: CommandJob): Promise<SatOut> {
  const { command } = job;
  let hasWaited = false;
  let subject: LiveResource | undefined;
  for (const { kind, place, id } of involvedIn(command)) {
    let live = await readResourceByRecords(context.client, kind, place, id);
    if (live && isHeld(live)) {
      hasWaited = true;
      // A status that nobody can read may stay for ever: after a while the service is asked again.
      const until = isResourceBusy(live) ? job.deadline : context.clock.now() + doubtfulLockMs;
      const waiting = { ...job, deadline: Math.min(job.deadline, until) };
      const locked = live;
      live = await context.stepAside(() =>
        awaitIdleResource(context, waiting, locked, place, isHeld),
      );
      // The wait may have ended without having seen what became of it.
      live ??= await readResourceByRecords(context.client, kind, place, id);
    }
    if (id === findCommandSubjectId(command)) subject = live;
  }
  const isShown =
    findCommandSubjectId(command) !== undefined &&
    !isJudgedByRecord(command.kind) &&
    hasCommandTakenEffect(command, subject);
  return { hasWaited, isShown, subject };
}

/** Once the service has spoken of a lock, an operation in a status that nobody knows is believed to be it. */
function isHeld(live: LiveResource): boolean {
  if (isResourceBusy(live)) return true;
  const { status } = readUnderwayOperation(live);
  return status !== null && !isOperationFinished({ status });
}

/** Lists the ids of all resources that a command involves. */
export function listInvolvedResourceIds(command: ResolvedCommand): string[] {
  return involvedIn(command).map(({ id }) => id);
}

/**
 * Waits until one resource is idle or gone, the deadline is over, or the job is waited for no longer. `isWaitedFor` says
 * otherwise what is not idle.
 */
export async function awaitIdleResource(
  context: CommandRunContext,
  { deadline, report, isLeft }: Pick<CommandJob, 'deadline' | 'report' | 'isLeft'>,
  held: LiveResource,
  place: ResourcePlace,
  isWaitedFor: (live: LiveResource) => boolean = isResourceBusy,
): Promise<LiveResource | undefined> {
  const { kind, id } = held;
  const over = new AbortController();
  const waiting = context.observer.await<{ live: LiveResource | undefined }>({
    kind,
    place,
    id,
    // A list without the resource does not prove it gone: the service's replicas may lag.
    wasSeen: () => true,
    // Nor does one answer that has nothing of its id.
    needsList: true,
    needsOperations: ({ find }) => {
      const live = find(id);
      return live !== undefined && hasUnknownStatus(live);
    },
    deadline,
    endsInTime: true,
    decide({ find, operations }) {
      const seen = find(id);
      const live = seen && markAtRestByRecords(seen, operations);
      return live && isWaitedFor(live) && !isLeft?.(false) ? undefined : { live };
    },
    expire: () => ({ live: undefined }),
  });
  const [seen] = await Promise.all([
    waiting.finally(() => over.abort()),
    tellLock(context, held, place, over.signal, (lock) =>
      report({ kind: 'locked', status: describeBusyResource(held), lock }),
    ),
  ]);
  report({ kind: 'unlocked' });
  return seen.live;
}

/** Time to look for the holder of a lock, in milliseconds, before the wait is reported without it. */
const lockUntoldMs = 2_000;

/** Tells of a wait: at once where it is known what holds the lock, else as soon as the service says. */
async function tellLock(
  context: CommandRunContext,
  held: LiveResource,
  place: ResourcePlace,
  over: AbortSignal,
  tell: (lock: ChangeLock | undefined) => void,
): Promise<void> {
  const found = new AbortController();
  const late = context.clock.sleep(lockUntoldMs, AbortSignal.any([over, found.signal])).then(
    () => {
      tell(undefined);
      return true;
    },
    () => false, // by then it was found, or the wait was over
  );
  const lock = await findResourceLock(context, held, place, over);
  found.abort();
  const isTold = await late;
  if (lock.by || !isTold) tell(lock);
}

/** The resources whose state can make the service answer a command with a conflict. */
function involvedIn(
  command: ResolvedCommand,
): { kind: KindName; place: ResourcePlace; id: string }[] {
  const place = placeOfCommand(command);
  const inProject = { projectId: place.projectId };
  const id = findCommandSubjectId(command);
  const own = id === undefined ? [] : [{ kind: commandSubjects[command.kind].kind, place, id }];
  const others = findCommandFacts(command.kind).involves?.(command) ?? [];
  return [...own, ...others.map((one) => ({ ...one, place: inProject }))];
}

/** The parts of a run that know of locks. */
type LockSources = Pick<RunContext, 'holders' | 'addresses'> & {
  readonly client: Pick<ServiceClient, 'listOperations'>;
};

/**
 * Finds the holder of a resource's lock, as far as that can be found before `over` is aborted. Never rejects: its result is
 * only shown.
 */
export async function findResourceLock(
  context: LockSources,
  live: LiveResource,
  place: ResourcePlace,
  over?: AbortSignal,
): Promise<ChangeLock> {
  const resource = context.addresses.get(live.id);
  const by = await findHolder(context, live, place, over);
  return { ...(resource !== undefined && { resource }), ...(by && { by }) };
}

async function findHolder(
  { holders, client }: LockSources,
  live: LiveResource,
  { projectId }: ResourcePlace,
  over: AbortSignal | undefined,
): Promise<ChangeLockHolder | undefined> {
  const address = holders.find(live.id);
  if (address !== undefined) return { kind: 'change', address };
  if (projectId === '') return undefined;
  const operations = await client
    .listOperations(projectId, { resourceId: live.id }, { signal: over })
    .catch((error: unknown) => {
      if (error instanceof ApiError || over?.aborted) return [];
      throw error;
    });
  const found = operations.find(
    (operation) => operation.resourceId === live.id && !isOperationFinished(operation),
  );
  if (!found) return undefined;
  return { kind: 'operation', id: found.id, type: found.type, since: found.createdAt };
}
