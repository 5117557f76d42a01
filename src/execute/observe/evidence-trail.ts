import {
  matchRecordWithCommand,
  readOperationOutcome,
  type OperationOutcome,
} from '../../kinds/operation-types.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import {
  mayHaveTakenEffect,
  isResourceBusy,
  isJudgedByRecord,
  readUnderwayOperation,
  markAtRestByRecords,
} from '../../kinds/outcome.ts';
import type { ResolvedCommand } from '../../model/account/command.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { lostCreateSearchBounds } from '../../model/state/evidence.ts';
import type { OutcomeEvidence } from './classify-outcome.ts';
import type { PollResult } from './watch.ts';
import type { FoundOperationRecord } from './operation-log.ts';
import { makeExactDurationBounds, type CommandDurationBounds } from './took.ts';

/** A command whose end is awaited, with the rules for judging it. */
export interface AwaitedCommand {
  readonly command: ResolvedCommand;
  /** Id of the resource that the command is about. */
  readonly id: string;
  /** The live resource before the command; undefined where it is not known. */
  readonly before?: LiveResource | undefined;
  /** True once the service accepted the command; without an answer it may never have arrived. */
  readonly isAccepted: boolean;
  /** True for what the service accepted of an earlier run: see `OutcomeEvidence`. */
  readonly wasAccepted?: boolean;
  /** Tells whether the resource was read before, so that it is gone when it is not there any more. */
  readonly wasSeen: boolean;
  /** Time when the command was sent, by this computer's clock: its wait and its duration count from it. */
  readonly sentAt: number;
  /** The same by the service's clock; undefined where it tells no time. */
  readonly sentServiceAt: number | undefined;
  /** Time without any sign of the command, in milliseconds, after which it is said to have left no trace. */
  readonly quietMs: number;
  /** Time until the resource is seen busy or shows the result, in milliseconds. */
  readonly showsInMs: number;
  /** Tells whether the contract file names no way to read operation records. */
  readonly isUnrecorded: boolean;
  /** The records, of those just read, that may be its own, the oldest first. */
  readonly findRecords: (operations: readonly LiveOperation[]) => readonly FoundOperationRecord[];
}

/** Collects evidence about one command over many looks at the account. */
export class CommandEvidenceTrail {
  readonly #waited: AwaitedCommand;
  #live: LiveResource | undefined;
  #wasBusy = false;
  #wasAtWork = false;
  #wasSeen: boolean;
  #wasListed = false;
  #shownSince: number | undefined;
  #idleSince: number | undefined;
  #missingSince: number | undefined;
  #misses = 0;
  #createdAt: number | undefined;
  #isFromPast = false;
  #isUnrecorded: boolean;
  /** The last moment at which the command may have been under way. */
  #quietSince: number;
  #openAt: number;
  #lookedAt: number;

  constructor(waited: AwaitedCommand) {
    this.#waited = waited;
    this.#wasSeen = waited.wasSeen;
    this.#isUnrecorded = waited.isUnrecorded;
    this.#quietSince = waited.sentAt;
    this.#openAt = waited.sentAt;
    this.#lookedAt = waited.sentAt;
  }

  /** The resource as last read; undefined when it did not exist. */
  get live(): LiveResource | undefined {
    return this.#live;
  }

  /** True once the resource was seen busy since the request, maybe by others' work: see `OutcomeEvidence`. */
  get wasBusy(): boolean {
    return this.#wasBusy;
  }

  /**
   * Bounds of the command's duration: by its record, else up to a moment between the look that saw its end and the look
   * before, so that learned durations do not contain our own lateness.
   */
  measure(operation: LiveOperation | undefined): CommandDurationBounds {
    const { createdAt = null, completedAt = null } = operation ?? {};
    if (createdAt !== null && completedAt !== null)
      return makeExactDurationBounds(completedAt - createdAt);
    const { sentAt } = this.#waited;
    return { leastMs: this.#openAt - sentAt, mostMs: this.#lookedAt - sentAt };
  }

  /** True once the resource was read at all. */
  get wasSeen(): boolean {
    return this.#wasSeen;
  }

  /** True once a list has shown the resource after the request. */
  get wasListed(): boolean {
    return this.#wasListed;
  }

  /** Adds one look at the account and returns the evidence about the command. */
  note(seen: PollResult): OutcomeEvidence {
    const { find, isMissing, isListed, isFromPast, operations, at } = seen;
    const { id, command, isUnrecorded } = this.#waited;
    const live = find(id);
    this.#wasListed ||= isListed(id);
    this.#openAt = this.#lookedAt;
    this.#lookedAt = at;
    this.#live = live;
    this.#createdAt = live?.createdAt ?? this.#createdAt;
    this.#isFromPast = isFromPast;
    this.#isUnrecorded = isUnrecorded || seen.areRecordsWithheld;
    const isIdle = live !== undefined && !isResourceBusy(markAtRestByRecords(live, operations));
    if (live) {
      this.#wasSeen = true;
      if (!isIdle) {
        this.#wasBusy = true;
        const { operation: type } = readUnderwayOperation(live);
        this.#wasAtWork ||=
          type === null || matchRecordWithCommand({ type }, command.kind) !== 'no';
      }
    }
    this.#idleSince = isIdle ? (this.#idleSince ?? at) : undefined;
    const isShown = isIdle && mayHaveTakenEffect(command, live);
    this.#shownSince = isShown ? (this.#shownSince ?? at) : undefined;
    if (isMissing(id)) {
      this.#misses += 1;
      this.#missingSince ??= at;
    } else if (live) {
      this.#misses = 0;
      this.#missingSince = undefined;
    }
    return this.assess(operations, at);
  }

  /** Judges the latest look together with operation records. */
  assess(operations: readonly LiveOperation[], at: number): OutcomeEvidence {
    const { command, before, isAccepted, wasAccepted, quietMs, showsInMs, findRecords } =
      this.#waited;
    const found = findRecords(operations);
    const isShown = this.#shownSince !== undefined;
    const record = chooseRecord(found, isShown, isJudgedByRecord(command.kind));
    const isUnderWay = record !== undefined && isOpen(record.operation);
    if (this.#idleSince === undefined || isShown || isUnderWay) this.#quietSince = at;
    return {
      command,
      before,
      live: this.#live,
      operation: record?.operation,
      isCertain: record?.isCertain ?? false,
      isAccepted,
      wasAccepted: wasAccepted === true,
      wasBusy: this.#wasBusy,
      wasAtWork: this.#wasAtWork,
      idleForMs: at - (this.#idleSince ?? at),
      shownForMs: at - (this.#shownSince ?? at),
      misses: this.#misses,
      isFromPast: this.#isFromPast,
      isUnrecorded: this.#isUnrecorded,
      isYoung: !this.#wasListed && !this.#isOld(),
      missingForMs: at - (this.#missingSince ?? at),
      isQuiet: at - this.#quietSince >= quietMs,
      isOverdue: at - (this.#idleSince ?? at) >= showsInMs,
    };
  }

  /** True for a resource so old that even a lagging replica of the service has it. */
  #isOld(): boolean {
    const { sentServiceAt } = this.#waited;
    if (sentServiceAt === undefined || this.#createdAt === undefined) return false;
    return this.#createdAt < sentServiceAt - lostCreateSearchBounds.mostLookMs;
  }
}

const isOpen = (operation: LiveOperation) =>
  readOperationOutcome(operation) !== 'succeeded' && readOperationOutcome(operation) !== 'failed';

/**
 * The record to believe. Where none is certain, it is the one that fits what the resource shows; what no resource shows
 * is reported by the oldest, since whoever came later had to wait for it.
 */
function chooseRecord(
  found: readonly FoundOperationRecord[],
  isShown: boolean,
  isJudgedByIt: boolean,
): FoundOperationRecord | undefined {
  const certain = found.find(({ isCertain }) => isCertain);
  if (certain || isJudgedByIt) return certain ?? found[0];
  const order: readonly OperationOutcome[] = isShown
    ? ['succeeded', 'unfinished', 'unknown', 'failed']
    : ['unfinished', 'unknown', 'failed', 'succeeded'];
  return order
    .map((outcome) => found.find(({ operation }) => readOperationOutcome(operation) === outcome))
    .find((one) => one !== undefined);
}
