// Looks for what a create may have made: in lists, in operation records, by single reads. Says only what was seen; whether
// anything is sent again is decided elsewhere.
import { readRecordsIfTold } from '../../api/operation-records.ts';
import { isRecordedAsOperation, matchRecordWithCommand } from '../../kinds/operation-types.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import {
  classifyShownCreate,
  type ShownCreateResult,
} from '../../kinds/recognise/classify-create.ts';
import type { CreateAttempt } from '../../kinds/recognise/recognise.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import {
  lostCreateSearchBounds,
  lostCreateLookupCadence,
  findLookupDurationMs,
  LookupTimeCounter,
} from '../../model/state/evidence.ts';
import { InternalError } from '../../model/errors.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { ChangeCommandJob, RunContext } from '../context/run-context.ts';
import { listUnexplainedRecordIds } from '../../kinds/recognise/unexplained-records.ts';
import { makeOperationFailure } from '../context/failure.ts';
import { mayLeadElsewhere, readAnsweredId, type AnsweredIdReading } from './answered-id.ts';
import { CreatedCandidates } from './created-candidates.ts';
import type { PollResult } from '../observe/watch.ts';

/** Result of looking for a create whose answer was lost. */
export type LostCreateLookResult =
  /** A resource that may be the result; it is doubtful, too, where another one is like it, if only under another name. */
  | ShownCreateResult
  | {
      readonly kind: 'absent';
      /** Resources that somebody else created under the name or port of the lost create. */
      readonly rivals: readonly LiveResource[];
      /** New resources that are like the lost create but have another name. */
      readonly alike: readonly LiveResource[];
      /** Set when an operation record names a resource that neither lists nor reads show. */
      readonly hasTrace: boolean;
      /** Set when the whole time was spent, and an operation list and two later lists do not show the resource. */
      readonly isSupported: boolean;
      /** Set when the time limit of the change ended the search early. */
      readonly isCutShort: boolean;
    };

/** The create to look for, and the reason for the doubt. */
export interface LostCreateSearch {
  readonly attempt: CreateAttempt;
  readonly isAccepted: boolean;
  /** Tells whether no answer came until our own timeout. */
  readonly hung: boolean;
  /** Set when the result matters to nobody before its operation has ended. */
  readonly isEndSought?: boolean;
  /** The id in the answer: asked about until it leads to the result. Others are looked at once this had its time to appear. */
  readonly answered?: AnsweredId;
}

/** The id in the answer to a create. */
interface AnsweredId {
  readonly id: string;
  /** Called with the id of the result where the operation of the answered id names it. */
  readonly onNamed: (id: string) => Promise<void>;
}

type Verdict =
  | LostCreateLookResult
  | { readonly kind: 'ask'; readonly ids: readonly string[] }
  /** The id in the answer may lead further by now. */
  | { readonly kind: 'askAnswered' };

/**
 * Looks for the resource of a create whose answer was lost, until the resource shows or was looked for long enough. @throws
 * ApiError when the service cannot be read
 */
export async function searchLostCreateResult(
  context: RunContext,
  job: ChangeCommandJob,
  search: LostCreateSearch,
): Promise<LostCreateLookResult> {
  const look = new Look(context, job, search);
  const since = context.clock.now();
  for (;;) {
    const verdict = await context.observer.await<Verdict>({
      kind: commandSubjects[job.command.kind].kind,
      place: placeOfCommand(job.command),
      // A question in between does not begin the pauses anew.
      since,
      ...(search.isEndSought && {
        mayWaitMs: job.mayWaitMs,
        payers: job.payers,
        shortestMs: job.shortestMs,
        pace: () => context.durations.paceOf(job.command.kind),
      }),
      needsOperations: () => look.needsOperations,
      // The time of evidence ends in the verdict: it is time spent looking, not time of a clock.
      deadline: job.deadline,
      endsInTime: true,
      decide: (sighting) => look.decide(sighting),
      expire: () => look.end({ isCutShort: true }),
    });
    if (verdict.kind === 'ask') {
      const found = await look.ask(verdict.ids);
      if (found) return found;
      continue;
    }
    const end = verdict.kind === 'askAnswered' ? await look.askAnswered() : verdict;
    if (!end) continue;
    if (end.kind === 'absent' && !end.isCutShort && !search.isAccepted) return look.confirm(end);
    if (end.kind === 'found' && end.isDoubtful && search.isAccepted) return look.prove(end);
    return end;
  }
}

class Look {
  readonly #context: RunContext;
  readonly #job: ChangeCommandJob;
  readonly #search: LostCreateSearch;
  readonly #withinMs: number;
  readonly #time = new LookupTimeCounter();
  /** Times at which single resources were last read, by id. */
  readonly #asked = new Map<string, number>();
  /** Resources that were read by id, since operation records alone led to them. */
  #read: readonly LiveResource[] = [];
  readonly #candidates: CreatedCandidates;
  /** Latest reading of the id in the answer; undefined before it was asked about. */
  #answered: AnsweredIdReading | undefined;
  #answeredAt = 0;
  #recordsAt = Number.NEGATIVE_INFINITY;
  #looks = 0;
  #last: Pick<PollResult, 'resources'> = { resources: [] };

  constructor(context: RunContext, job: ChangeCommandJob, search: LostCreateSearch) {
    this.#context = context;
    this.#job = job;
    this.#search = search;
    this.#candidates = new CreatedCandidates(context, job.change.address, search.attempt);
    const { slowestAppearanceMs } = context.durations;
    this.#withinMs = findLookupDurationMs({ ...search, slowestAppearanceMs });
    this.#time.note(context.clock.now());
  }

  get needsOperations(): boolean {
    if (!isRecordedAsOperation(this.#job.command.kind)) return false;
    const { elapsedMs } = this.#time;
    const afterMs = this.#search.isAccepted ? lostCreateLookupCadence.recordsAfterMs : 0;
    return (
      elapsedMs >= afterMs && elapsedMs - this.#recordsAt >= lostCreateLookupCadence.recordsEveryMs
    );
  }

  decide(sighting: PollResult): Verdict | undefined {
    const { resources, operations, at } = sighting;
    const hasRecords = this.needsOperations;
    this.#last = { resources };
    this.#looks += 1;
    const elapsedMs = this.#time.note(at);
    this.#noteShown(resources);
    const found = this.#find(resources, elapsedMs);
    if (this.#needsAnswered(elapsedMs, found !== undefined)) return { kind: 'askAnswered' };
    if (found) return found;
    // A create that the service accepted shows by itself, so that no look-alikes are gathered for it.
    if (!this.#search.isAccepted) this.#candidates.gatherAlike(resources);
    if (hasRecords) {
      this.#recordsAt = elapsedMs;
      const live = this.#search.isAccepted && this.#findRecorded(operations);
      if (live && (this.#answeredId ?? live.id) === live.id)
        return { kind: 'found', live, candidates: [live], isDoubtful: false };
      const ids = this.#findUnexplained(operations).filter(
        (id) =>
          elapsedMs - (this.#asked.get(id) ?? Number.NEGATIVE_INFINITY) >=
          lostCreateLookupCadence.askAgainMs,
      );
      if (ids.length > 0) return { kind: 'ask', ids };
    }
    if (elapsedMs >= this.#withinMs) return this.end({ isCutShort: false });
    return at >= this.#job.deadline ? this.end({ isCutShort: true }) : undefined;
  }

  /** The id of the result, as far as the answer to the create leads to it. */
  get #answeredId(): string | undefined {
    return this.#answered?.kind === 'result' ? this.#answered.id : undefined;
  }

  /** True while the operation of the create names no resource, and may name one yet. */
  get #isOperationOpen(): boolean {
    return this.#answered?.kind === 'operation' && this.#answered.isOpen;
  }

  /** Tells whether to ask where the answered id leads by now: from time to time, and before anything is taken for the result without it. */
  #needsAnswered(elapsedMs: number, isShown: boolean): boolean {
    if (!this.#search.answered) return false;
    if (!this.#answered || (isShown && this.#isOperationOpen)) return true;
    if (isShown || !mayLeadElsewhere(this.#answered)) return false;
    return elapsedMs - this.#answeredAt >= lostCreateLookupCadence.recordsEveryMs;
  }

  /**
   * Asks where the id in the answer leads by now. @returns what of the last look may be believed then
   * @throws ChangeFailure where the operation has failed and names no resource
   */
  async askAnswered(): Promise<LostCreateLookResult | undefined> {
    const { answered, attempt } = this.#search;
    const { change, command } = this.#job;
    const { elapsedMs } = this.#time;
    if (!answered) throw new InternalError('no id was answered');
    const reading = await readAnsweredId(
      this.#context.client,
      attempt,
      answered.id,
      this.#answered,
    );
    if (reading.kind === 'failed')
      throw makeOperationFailure(change.address, command.kind, reading.failureCode);
    if (reading.kind === 'result' && reading.isNamed) await answered.onNamed(reading.id);
    this.#candidates.leaveOut(reading.kind === 'operation' ? reading.foreignIds : []);
    this.#answered = reading;
    this.#answeredAt = elapsedMs;
    return this.#find(this.#last.resources, elapsedMs);
  }

  /** Asks the records about what was found, and may be somebody else's by its time. */
  async prove(
    found: Extract<LostCreateLookResult, { kind: 'found' }>,
  ): Promise<LostCreateLookResult> {
    const { command } = this.#job;
    if (!isRecordedAsOperation(command.kind)) return found;
    const { projectId } = placeOfCommand(command);
    const { client } = this.#context;
    const operations = await readRecordsIfTold(client, projectId, { toleratesOutage: true });
    const isProven = operations && this.#isProven(found.live, operations);
    return isProven ? { ...found, isDoubtful: false } : found;
  }

  /** Finds the resource that the only record of a create names: it is the accepted one, whatever its time. */
  #findRecorded(operations: readonly LiveOperation[]): LiveResource | undefined {
    const { ours, doubtful } = this.#candidates.recognise(this.#last.resources);
    const [only, ...others] = [...ours, ...doubtful];
    return only && others.length === 0 && this.#isProven(only, operations) ? only : undefined;
  }

  #isProven(live: LiveResource, operations: readonly LiveOperation[]): boolean {
    const { kind } = this.#job.command;
    const isNamed = operations.some(
      (one) => one.resourceId === live.id && matchRecordWithCommand(one, kind) === 'yes',
    );
    const others = this.#findUnexplained(operations).filter((id) => id !== live.id);
    const { resources } = this.#last;
    return (
      isNamed &&
      others.length === 0 &&
      !this.#hasTrace() &&
      this.#candidates.findAlike(resources).length === 0
    );
  }

  /** Reads resources that only operation records mention. */
  async ask(ids: readonly string[]): Promise<LostCreateLookResult | undefined> {
    const { client } = this.#context;
    const { command } = this.#job;
    const { kind } = commandSubjects[command.kind];
    const read: LiveResource[] = [];
    for (const id of ids) {
      this.#asked.set(id, this.#time.elapsedMs);
      const live = await client.get(kind, placeOfCommand(command), id);
      if (!live) continue;
      read.push(live);
      // A record whose resource could be read is explained, so that it is not read again.
      this.#asked.set(id, Number.POSITIVE_INFINITY);
    }
    // All resources read so far are judged together, as one of them may be managed already.
    this.#read = [...this.#read, ...read];
    this.#noteShown(this.#last.resources);
    return this.#find(this.#read, this.#time.elapsedMs);
  }

  end({
    isCutShort,
  }: {
    readonly isCutShort: boolean;
  }): Extract<LostCreateLookResult, { kind: 'absent' }> {
    const { resources } = this.#last;
    const { rivals, undated } = this.#candidates.recognise(resources);
    const alike = [...undated, ...this.#candidates.gatherAlike([...this.#read, ...resources])];
    const hasTrace = this.#hasTrace();
    return { kind: 'absent', rivals, alike, hasTrace, isSupported: false, isCutShort };
  }

  /** True while an operation record names a resource that cannot be read. */
  #hasTrace(): boolean {
    return [...this.#asked].some(
      ([id, at]) => at !== Number.POSITIVE_INFINITY && !this.#candidates.isKnown(id),
    );
  }

  /** Looks at the records once more, and at the lists twice after them. */
  async confirm(
    absent: Extract<LostCreateLookResult, { kind: 'absent' }>,
  ): Promise<LostCreateLookResult> {
    const { client, clock, isNew } = this.#context;
    const { command } = this.#job;
    const { kind } = commandSubjects[command.kind];
    const place = placeOfCommand(command);
    const isRecorded = isRecordedAsOperation(command.kind);
    const operations = (isRecorded && (await readRecordsIfTold(client, place.projectId))) || [];
    const unexplained = await this.ask(this.#findUnexplained(operations));
    if (unexplained) return unexplained;
    for (let look = 0; look < 2; look += 1) {
      if (look > 0) await clock.sleep(lostCreateLookupCadence.confirmEveryMs);
      this.#last = { resources: await client.list(kind, place, { needsWhole: isNew }) };
      this.#noteShown(this.#last.resources);
      const found = this.#find(this.#last.resources, this.#time.elapsedMs);
      if (found) return found;
      this.#candidates.gatherAlike(this.#last.resources);
    }
    const { hasTrace, rivals, alike } = this.end({ isCutShort: false });
    // Missing records prove nothing at a service that writes no operation records, or withholds them.
    return { ...absent, rivals, alike, hasTrace, isSupported: operations.length > 0 && !hasTrace };
  }

  #find(resources: readonly LiveResource[], elapsedMs: number): LostCreateLookResult | undefined {
    const isFinal = elapsedMs >= lostCreateSearchBounds.leastLookMs;
    const answeredId = this.#answeredId;
    if (answeredId !== undefined && !this.#candidates.isKnown(answeredId)) {
      const live = resources.find(({ id }) => id === answeredId);
      if (live) return { kind: 'found', live, candidates: [live], isDoubtful: false };
      if (!isFinal) return undefined;
    }
    const recognised = this.#candidates.recognise(resources);
    const shown = classifyShownCreate(recognised, this.#search.attempt, isFinal);
    // Between several the operation decides, as soon as it names one.
    if (shown?.kind === 'ambiguous' && this.#isOperationOpen && !isFinal) return undefined;
    if (shown?.kind !== 'found') return shown;
    if (this.#search.isAccepted) {
      this.#context.durations.noteAppearance(this.#looks <= 1 ? 0 : elapsedMs);
    }
    // A resource that was renamed meanwhile, or cannot be read, may be the result as well.
    const isOneOfTwo = this.#candidates.findAlike(resources).length > 0 || this.#hasTrace();
    return { ...shown, isDoubtful: shown.isDoubtful || isOneOfTwo };
  }

  /** The next create in this place must not take for its own what this look has shown. */
  #noteShown(listed: readonly LiveResource[]): void {
    const { command } = this.#job;
    const shown = this.#read.length === 0 ? listed : [...listed, ...this.#read];
    this.#context.collectionLooks.note(
      commandSubjects[command.kind].kind,
      placeOfCommand(command),
      shown,
    );
  }

  /** Finds ids that operation records of such a create name and no list shows. */
  #findUnexplained(operations: readonly LiveOperation[]): readonly string[] {
    const { liveById } = this.#context.planned;
    const listed = new Set(this.#last.resources.map(({ id }) => id));
    return listUnexplainedRecordIds(
      operations,
      this.#search.attempt,
      (id) =>
        listed.has(id) ||
        liveById.has(id) ||
        this.#candidates.isKnown(id) ||
        this.#asked.get(id) === Number.POSITIVE_INFINITY,
    );
  }
}
