import { ApiError } from '../../api/errors/errors.ts';
import { readRecordsIfTold } from '../../api/operation-records.ts';
import { isRecordedAsOperation } from '../../kinds/operation-types.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import {
  hasCommandTakenEffect,
  hasUnknownStatus,
  isResourceBusy,
  isJudgedByRecord,
  isRebuildCommand,
  markAtRest,
} from '../../kinds/outcome.ts';
import { commandSubjects, type ResolvedCommand } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { CommandEvidenceTrail } from '../observe/evidence-trail.ts';
import {
  makeOperationFailure,
  makeCommandTimeoutFailure,
  type ChangeFailure,
} from '../context/failure.ts';
import { classifyOutcome, type CommandOutcome } from '../observe/classify-outcome.ts';
import type { ExpectedResultTimes } from '../observe/watch.ts';
import type { OwnRequestTraits } from '../observe/operation-log.ts';
import {
  makeChangeNotShownFailure,
  makeDeletedMeanwhileFailure,
  makeUnreadableAccountFailure,
} from '../context/open-failures.ts';
import type { CommandRunContext, CommandJob } from '../context/command-context.ts';
import { learnCommandDuration } from '../pace/learn-duration.ts';
import { InternalError } from '../../model/errors.ts';

/** Time until a command shows, as a least time and as a multiple of its usual duration. */
const showsInMs = 5_000;
const showsInTimes = 2;

/** A sent command whose end is awaited. */
export interface CommandWait {
  /** Id of the resource that the command is about. */
  readonly id: string;
  /** Time when the command was sent, by this computer's clock: its wait and its duration count from it. */
  readonly sentAt: number;
  /** True once the service accepted the command; without an answer it may never have arrived. */
  readonly isAccepted: boolean;
  /** Tells whether the resource was read before: then it is gone when the service does not have it any more. */
  readonly wasSeen: boolean;
  /** Marks that identify its record; undefined when nothing was sent, so that no record counts. */
  readonly sending: OwnRequestTraits | undefined;
  /** Time without any sign of the command, in milliseconds, after which it is said to have left no trace. */
  readonly quietMs: number;
  /** True for what an earlier run has sent: how long it takes from here on says nothing of the next. */
  readonly isResumed?: boolean;
  /** Tells whether the earlier run has recorded that the service accepted it. */
  readonly wasAccepted?: boolean;
  /** Expected time of the command's end, to choose when to look; the usual one unless given. */
  readonly pace?: ExpectedResultTimes;
}

/** End of a wait. `operation` is the command's record; undefined where none was read. */
export type CommandWaitEnd =
  | Exclude<CommandOutcome, { kind: 'waiting' | 'done' | 'failed' }>
  /** `live` is undefined when the resource is gone, as a delete wants it. */
  | (WithRecord & { readonly kind: 'done'; readonly live: LiveResource | undefined })
  | (WithRecord & { readonly kind: 'failed'; readonly failureCode: string | null })
  /** The deadline passed; `status` is the resource's last status in the service's words. */
  | { readonly kind: 'expired'; readonly status: string; readonly wasBusy?: true }
  | { readonly kind: 'unreadable'; readonly cause: ApiError }
  /** The wait was given up, although the command may still be under way. */
  | { readonly kind: 'left'; readonly isUnderWay: boolean };

interface WithRecord {
  readonly operation?: LiveOperation | undefined;
}

/**
 * Waits until a resource that a create has made is ready. `startedAt` is when the service took the create; `wasSeen` is
 * true when the resource was read since.
 * @returns the resource as last read
 * @throws ChangeFailure when it failed, when somebody deleted it, when it cannot be read, or when its end did not show
 * before the deadline
 */
export async function awaitCreatedResource(
  context: CommandRunContext,
  job: CommandJob,
  id: string,
  startedAt = context.clock.now(),
  wasSeen = false,
): Promise<LiveResource | undefined> {
  const wait: CommandWait = {
    id,
    sentAt: startedAt,
    isAccepted: true,
    wasSeen,
    // A new resource has no earlier records, so that each of its records is about its creation.
    sending: { mark: undefined },
    quietMs: Number.POSITIVE_INFINITY,
  };
  const end = await awaitCommandEnd(context, job, wait);
  if (end.kind === 'done') return end.live;
  throw explainCommandEnd(context, job, wait, end);
}

/** Waits until a resource and its operation records say how a command ended, or that it left no trace. */
export async function awaitCommandEnd(
  context: CommandRunContext,
  job: CommandJob,
  wait: CommandWait,
): Promise<CommandWaitEnd> {
  const { command } = job;
  const { client, operations, durations, clock } = context;
  const { id, isAccepted, sending } = wait;
  const { projectId } = placeOfCommand(command);
  const findRecords = (records: readonly LiveOperation[]) =>
    sending ? operations.find(command.kind, id, records, sending) : [];
  const trail = new CommandEvidenceTrail({
    ...wait,
    command,
    before: job.before,
    findRecords,
    isUnrecorded: client.dialect.lacks('listOperations') !== undefined,
    sentServiceAt: sending?.mark?.serviceTime,
    showsInMs: Math.max(showsInMs, showsInTimes * durations.expect([command])),
  });
  try {
    for (;;) {
      const end = await watch(context, job, wait, trail);
      if (end.kind === 'done') {
        if (isAccepted && !wait.isResumed) {
          const took = trail.measure(end.operation);
          learnCommandDuration(context, { command, id, sending, took });
        }
        return end;
      }
      if (end.kind === 'failed' && end.failureCode === null) {
        return { ...end, failureCode: await readFailureCode(context, job, wait) };
      }
      if (end.kind !== 'silent' || !isRecordedAsOperation(command.kind)) return end;
      // Reads the records of this resource alone: in a busy project its record may not be among the newest.
      const own = await readRecordsIfTold(operations, projectId, { resourceId: id });
      if (!own) return end;
      const evidence = trail.assess(own, clock.now());
      const verdict = classifyOutcome(evidence);
      if (verdict.kind === 'silent') return verdict;
      if (verdict.kind === 'failed') return { ...verdict, operation: evidence.operation };
    }
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'unreadable', cause: error };
    throw error;
  }
}

/** Looks at the account until a verdict is possible, or until the deadline. */
function watch(
  context: CommandRunContext,
  job: CommandJob,
  wait: CommandWait,
  trail: CommandEvidenceTrail,
): Promise<CommandWaitEnd> {
  const { command, deadline, isLeft, report, wantsRecord = false } = job;
  const { kind, effect } = commandSubjects[command.kind];
  const { id, isAccepted, sentAt, pace } = wait;
  let status = isAccepted ? 'accepted' : 'sent';
  return context.observer.await<CommandWaitEnd>({
    kind,
    place: placeOfCommand(command),
    id,
    deadline,
    endsInTime: true,
    since: sentAt,
    mayWaitMs: job.mayWaitMs,
    payers: job.payers,
    shortestMs: job.shortestMs,
    pace: () => pace ?? context.durations.paceOf(command.kind),
    // The target of an accepted delete may be gone already: a list that has shown it since is believed.
    wasSeen: () => (effect === 'delete' ? !(isAccepted && trail.wasListed) : trail.wasSeen),
    needsList: effect !== 'delete' || isAccepted,
    needsOperations: ({ find, isMissing, isFromPast }) =>
      wantsRecord ||
      (effect === 'delete' &&
        isMissing(id) &&
        (find(id) !== undefined || !isAccepted || isFromPast)) ||
      needsRecord(command, find(id), isAccepted && trail.wasBusy),
    decide(sighting) {
      const evidence = trail.note(sighting);
      const { operation } = evidence;
      const verdict = classifyOutcome(evidence);
      if (verdict.kind === 'done') {
        return { kind: 'done', live: trail.live && markAtRest(trail.live), operation };
      }
      if (verdict.kind === 'failed') return { ...verdict, operation };
      if (verdict.kind !== 'waiting') return verdict;
      const isUnderWay = isAccepted || operation !== undefined;
      if (isLeft?.(isUnderWay)) return { kind: 'left', isUnderWay };
      if (verdict.status !== status) {
        status = verdict.status;
        report({ kind: isUnderWay ? 'running' : 'sent', status });
      }
      return undefined;
    },
    expire: () => ({ kind: 'expired', status, ...(trail.wasBusy && { wasBusy: true }) }),
  });
}

/** Words the failure of a command that the service accepted and that did not end well. */
export function explainCommandEnd(
  { clock }: CommandRunContext,
  { change: { address }, command }: CommandJob,
  { id, sentAt, isAccepted }: CommandWait,
  end: Exclude<CommandWaitEnd, { kind: 'done' }>,
): ChangeFailure {
  switch (end.kind) {
    case 'failed':
      return makeOperationFailure(address, command.kind, end.failureCode, isAccepted);
    case 'unreadable':
      return makeUnreadableAccountFailure(address, command.kind, end.cause, isAccepted);
    case 'gone':
      return makeDeletedMeanwhileFailure(address, command.kind, id);
    case 'silent':
      return makeChangeNotShownFailure(address, command.kind, end.hasRecord);
    case 'expired':
      return makeCommandTimeoutFailure(
        address,
        command.kind,
        Math.round((clock.now() - sentAt) / 60_000),
        end.status,
      );
    case 'left':
      throw new InternalError(`${command.kind} was not waited for`);
  }
}

/**
 * Tells whether the record has to be read as well. A create is over when the resource says so; so is a change that was seen
 * under way and is now seen done, unless the resource shows its result in part or not at all. A delete is over when the
 * resource is gone: a resource that stands idle means that the delete has not begun, or has failed.
 */
function needsRecord(
  command: ResolvedCommand,
  live: LiveResource | undefined,
  wasUnderWay: boolean,
): boolean {
  const { effect } = commandSubjects[command.kind];
  if (!live || !isRecordedAsOperation(command.kind)) return false;
  if (hasUnknownStatus(live)) return true;
  if (effect === 'create' || isResourceBusy(live)) return false;
  if (effect === 'delete') return true;
  const isPartlyShown = isRebuildCommand(command.kind) || isJudgedByRecord(command.kind);
  return isPartlyShown || !wasUnderWay || !hasCommandTakenEffect(command, live);
}

/** Why it failed, as far as the service says; asked for only now, since most do not. */
async function readFailureCode(
  { operations }: CommandRunContext,
  { command }: CommandJob,
  { id, sending }: CommandWait,
): Promise<string | null> {
  const { projectId } = placeOfCommand(command);
  if (projectId === '' || !sending) return null;
  try {
    const records = await operations.listOperations(projectId, { resourceId: id });
    const found = operations.find(command.kind, id, records, sending);
    return (
      found.find(({ operation }) => operation.failureCode !== null)?.operation.failureCode ?? null
    );
  } catch (error) {
    // The command is known to have failed; only its failure code stays unknown.
    if (error instanceof ApiError) return null;
    throw error;
  }
}
