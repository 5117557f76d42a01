import {
  isOperationFinished,
  isRecordedAsOperation,
  matchRecordWithCommand,
  readOperationOutcome,
} from '../../kinds/operation-types.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import { hasUnexpectedFieldValue, hasRespelledCommandValues } from '../../kinds/carry-out.ts';
import {
  hasUnknownStatus,
  hasUntoldStatus,
  isResourceBusy,
  isJudgedByRecord,
  isRebuildCommand,
  markAtRest,
  mayHaveTakenEffect,
  readUnderwayOperation,
} from '../../kinds/outcome.ts';
import { isOutOfService } from '../../kinds/relations/serving.ts';
import { commandSubjects, type ResolvedCommand } from '../../model/account/command.ts';
import { getLiveStatus, type LiveResource } from '../../model/account/live.ts';
import { lostCreateSearchBounds as bounds } from '../../model/state/evidence.ts';

/** State of a command that the service accepted, as one look at the account shows it. */
export type CommandOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly failureCode: string | null }
  /** The resource of the command is gone, as somebody else deleted it. */
  | { readonly kind: 'gone' }
  /** The resource is idle as it was before, and no record tells that anything is or was under way. */
  | { readonly kind: 'silent'; readonly hasRecord: boolean }
  | { readonly kind: 'waiting'; readonly status: string };

/** Evidence about a command at the moment when its outcome is classified. Times are by our clock, in milliseconds. */
export interface OutcomeEvidence {
  readonly command: ResolvedCommand;
  /** The resource as it was just read; undefined when it is not (or no longer) there. */
  readonly live: LiveResource | undefined;
  /** The resource as it was before the request, where that is known. */
  readonly before?: LiveResource | undefined;
  /** Operation record of the command; undefined while none has appeared. */
  readonly operation: LiveOperation | undefined;
  /** False when the record may be that of somebody else's operation. */
  readonly isCertain: boolean;
  /** True once the service accepted the command; false for a request whose answer was lost. */
  readonly isAccepted: boolean;
  /** True for what the service accepted of an earlier run, which may have ended before this one looked. */
  readonly wasAccepted: boolean;
  /** True once the resource was seen busy since the request; by others' work, maybe, where it was not accepted. */
  readonly wasBusy: boolean;
  /** Tells whether the resource was seen busy since the request with work that may be the command's, by its type. */
  readonly wasAtWork: boolean;
  /** For how long the resource has been there without being busy; 0 when it is not. */
  readonly idleForMs: number;
  /** For how long the resource has shown what was asked for, without being busy; 0 when it does not. */
  readonly shownForMs: number;
  /** Number of looks in a row in which the service had no resource of an id that existed before. */
  readonly misses: number;
  /** Tells whether the list that was read with it is one of a while ago, which says nothing of what is gone. */
  readonly isFromPast: boolean;
  /** True for a resource that a copy which lags may not know yet, and that no list has shown since the request. */
  readonly isYoung: boolean;
  /** Tells whether no operation record ever comes: the contract file names no way to read them, or the service withholds them. */
  readonly isUnrecorded: boolean;
  /** Milliseconds since the first look that missed the resource. */
  readonly missingForMs: number;
  /** Tells whether nothing that could be the command has been under way for as long as it may take to show. */
  readonly isQuiet: boolean;
  /** Tells whether a failed record that may be somebody else's has to be believed: it should have shown by now otherwise. */
  readonly isOverdue: boolean;
}

/** Time that a record may be missing while the resource shows the result already. */
const missingRecordGraceMs = 2_000;
/** Time that a record may lag, or keep an unknown status, while the resource shows the result already. */
const laggingRecordGraceMs = 30_000;

/** Time after which another spelling of the wanted value is taken for the service's own. */
const spellingGraceMs = 10_000;

/**
 * Time that a resource may stand idle and unchanged after having been busy, before the command counts as failed without a
 * word.
 */
const silentFailureGraceMs = 60_000;

/** A resource that was there is gone when the service has not had it for so many looks over so long. */
const goneMisses = 3;
const goneAfterMs = 10_000;

/** Number of looks in a row that must miss a recently made resource: replicas that lag do not know it yet. */
const youngMisses = 2;

/**
 * Decides by the record and the resource together. The record decides the outcome where it is certain to be the
 * command's; a record that never comes, lags, says something unknown or may be somebody else's does not hold up a
 * resource that shows the result.
 */
export function classifyOutcome(evidence: OutcomeEvidence): CommandOutcome {
  const { command, live, operation } = evidence;
  const { effect } = commandSubjects[command.kind];
  const outcome = operation && readOperationOutcome(operation);
  if (effect === 'delete' && !live && hasStayedAway(evidence)) return { kind: 'done' };
  if (hasFailed(evidence)) return { kind: 'failed', failureCode: operation?.failureCode ?? null };
  const isIdle = live !== undefined && isAtRest(evidence);
  if (isJudgedByRecord(command.kind) && outcome === 'succeeded' && (isIdle || !live)) {
    return { kind: 'done' };
  }
  // To fail it would have a restore done again, over newer data.
  if (isJudgedByRecord(command.kind) && isIdle && wasUnderWayUnrecorded(evidence)) {
    // A single refused read may come from a replica that lags, and a service may rest between two parts of its work.
    if (evidence.idleForMs < laggingRecordGraceMs)
      return { kind: 'waiting', status: describeStatus(evidence) };
    return tellsOfFailure(command, live) ? { kind: 'failed', failureCode: null } : { kind: 'done' };
  }
  const isShown = isIdle && mayHaveTakenEffect(command, live);
  const isSpelled = isIdle && evidence.isAccepted && hasRespelledCommandValues(command, live);
  if (isSpelled && evidence.idleForMs >= spellingGraceMs) return { kind: 'done' };
  if (isShown && hasShownLongEnough(evidence)) return { kind: 'done' };
  const isSilent = isIdle && !isShown && evidence.isQuiet && effect !== 'create';
  if (isSilent && (!outcome || outcome === 'succeeded')) {
    if (
      evidence.isAccepted &&
      evidence.before &&
      hasUnexpectedFieldValue(command, live, evidence.before)
    )
      return { kind: 'done' };
    return { kind: 'silent', hasRecord: operation !== undefined };
  }
  const isMissing = evidence.misses >= goneMisses && evidence.missingForMs >= goneAfterMs;
  // A read by id and the list contradict each other: the operation's record tells which of them lags, or else how long it lasts.
  // A request that may never have arrived supports neither.
  const isDeleted = operation
    ? outcome === 'succeeded' && evidence.misses > 0
    : isMissing && evidence.isAccepted && evidence.missingForMs >= bounds.leastLookMs;
  if (effect === 'delete' && isDeleted) return { kind: 'done' };
  if (effect !== 'delete' && !live && isMissing) return { kind: 'gone' };
  return { kind: 'waiting', status: operation?.status ?? describeStatus(evidence) };
}

/**
 * Tells whether a missing resource may be taken for deleted. Where no answer came, lists and single reads may lag behind a
 * resource that nobody deletes, as does a list of the past: then a record, or enough time, is needed.
 */
function hasStayedAway(evidence: OutcomeEvidence): boolean {
  const { isAccepted, isFromPast, isYoung, operation, misses, missingForMs } = evidence;
  if (isAccepted && !isFromPast && (!isYoung || misses >= youngMisses)) return true;
  const isRecorded = operation !== undefined && readOperationOutcome(operation) === 'succeeded';
  return misses > 0 && (isRecorded || missingForMs >= bounds.leastLookMs);
}

/**
 * True once the service has ended its work. Where it does not tell the status, its record says so, and without a record the
 * time in which one would have come. A status that the contract does not define may mean anything: what is being made is
 * done by its record alone, or, where no record can come, once it is up.
 */
function isAtRest({ command, live, operation, idleForMs, isUnrecorded }: OutcomeEvidence): boolean {
  if (live === undefined) return false;
  const isUnknown = hasUnknownStatus(live);
  if (!isUnknown && isResourceBusy(live)) return false;
  if (!isUnknown && !hasUntoldStatus(live)) return true;
  if (operation) return isOperationFinished(operation);
  const isUp = isUnrecorded && !isOutOfService(markAtRest(live));
  if (isUnknown && commandSubjects[command.kind].effect === 'create' && !isUp) return false;
  return idleForMs >= (isRecordedAsOperation(command.kind) ? laggingRecordGraceMs : 0);
}

/** Tells whether a command of which no record can come was under way. */
function wasUnderWayUnrecorded(evidence: OutcomeEvidence): boolean {
  const { isAccepted, isUnrecorded, wasAtWork, wasAccepted, isQuiet } = evidence;
  return isAccepted && isUnrecorded && (wasAtWork || (wasAccepted && isQuiet));
}

/** Tells whether an idle resource itself says that the command failed: by its status, or by its last operation. */
function tellsOfFailure({ kind }: ResolvedCommand, live: LiveResource): boolean {
  if (getLiveStatus(live) === 'failed') return true;
  const { operation: type, status } = readUnderwayOperation(live);
  const isOfCommand = type !== null && matchRecordWithCommand({ type }, kind) === 'yes';
  return isOfCommand && status?.toLowerCase() === 'failed';
}

/** Tells whether the command has certainly failed. */
function hasFailed(evidence: OutcomeEvidence): boolean {
  const { command, live, operation, isCertain, idleForMs } = evidence;
  const { effect } = commandSubjects[command.kind];
  if (live && effect === 'create' && getLiveStatus(live) === 'failed') return true;
  const isIdle = isAtRest(evidence);
  // A failed rebuild may have changed the image all the same, so the image proves nothing.
  const isShown = isIdle && mayHaveTakenEffect(command, live) && !isRebuildCommand(command.kind);
  if (operation && readOperationOutcome(operation) === 'failed') {
    return isCertain || (isIdle && !isShown && evidence.isOverdue);
  }
  const showsItsEnd = effect !== 'create' && !isJudgedByRecord(command.kind);
  const wasUnderWay = evidence.isAccepted && evidence.wasBusy && !operation;
  return showsItsEnd && !isShown && wasUnderWay && idleForMs >= silentFailureGraceMs;
}

/** Tells whether a resource that shows the result may be believed. */
function hasShownLongEnough(evidence: OutcomeEvidence): boolean {
  const { command, operation, isAccepted, wasBusy, shownForMs } = evidence;
  const outcome = operation && readOperationOutcome(operation);
  if (outcome === 'succeeded' || commandSubjects[command.kind].effect === 'create') return true;
  if (outcome === 'failed' && isRebuildCommand(command.kind)) return false;
  const wasUnderWay = isAccepted && wasBusy;
  const missingGraceMs =
    wasUnderWay || !isRecordedAsOperation(command.kind) ? 0 : missingRecordGraceMs;
  const isLagging = operation !== undefined && outcome !== 'failed';
  return shownForMs >= (isLagging ? laggingRecordGraceMs : missingGraceMs);
}

/** Progress in the service's own words: the status of a VM's operation, else of the resource. */
function describeStatus({ live, isAccepted }: OutcomeEvidence): string {
  const work = live && isResourceBusy(live) ? readUnderwayOperation(live).status : null;
  return work ?? (live && getLiveStatus(live)) ?? (isAccepted ? 'accepted' : 'sent');
}
