import { ApiError, OutcomeUnknownError } from '../../api/errors/errors.ts';
import { classifyUnseenCreate } from '../../kinds/recognise/classify-create.ts';
import { isRecordedAsOperation } from '../../kinds/operation-types.ts';
import {
  noteRecognisedCreate,
  noteServiceClockDifference,
  type RecognisedCreateReason,
} from '../../kinds/recognise/create-findings.ts';
import {
  isPossibleCreateResult,
  isNamedCreate,
  isOddlySpelledName,
  type CreateAttempt,
} from '../../kinds/recognise/recognise.ts';
import { hasCommandTakenEffect, hasUntoldStatus, isResourceBusy } from '../../kinds/outcome.ts';
import { projectKind } from '../../model/kind-table.ts';
import { maxCreateRequests } from '../../model/state/evidence.ts';
import { getLiveStatus, type LiveResource } from '../../model/account/live.ts';
import { awaitCreatedResource } from '../requests/await-command.ts';
import {
  ChangeFailure,
  makeAmbiguousCreateFailure,
  makeUnseenCreateFailure,
  makePossibleRenameFailure,
} from '../context/failure.ts';
import {
  searchLostCreateResult,
  type LostCreateLookResult,
  type LostCreateSearch,
} from './look-for-created.ts';
import { recordDeposedResource, buildManagedResourceRecord } from '../context/managed.ts';
import {
  addSeenResources,
  explainTakenResourceName,
  findRivalClaimants,
  canClaimBecomeFree,
  prepareCreateAttempt,
} from './prepare-attempt.ts';
import type { ChangeCommandJob, RunContext } from '../context/run-context.ts';
import { learnCommandDuration } from '../pace/learn-duration.ts';
import { isAnsweredResource } from './answered-id.ts';
import { CreateStateRecords } from './create-records.ts';
import { guardResend, CreateResultFoundError } from './created-candidates.ts';
import { sendUntilAccepted, type CommandSendResult } from '../requests/send-command.ts';
import { runLookalikeCreatesInTurn, findLookalikeCreateKind } from '../pace/keyed-mutex.ts';

/**
 * Carries out one create: the intent on disk, the request, the new resource found by listing, bound to its address at
 * once, and awaited until the service is done with it.
 * @throws ChangeFailure, ApiError
 */
export async function runCreate(context: RunContext, job: ChangeCommandJob): Promise<LiveResource> {
  const { found, takenAt } = await runLookalikeCreatesInTurn(context.mutex, job.command, () =>
    new Create(context, job).run(),
  );
  const { store, clock, addresses, history } = context;
  await recordDeposedResource(context, job.change, found);
  addresses.set(found.id, job.change.address);
  history.bound.add(found.id);
  await store.record({
    kind: 'bound',
    resource: buildManagedResourceRecord(context, job.change, found, false),
  });
  const isSettled =
    !isResourceBusy(found) && !hasUntoldStatus(found) && getLiveStatus(found) !== 'failed';
  if (isSettled && hasCommandTakenEffect(job.command, found)) {
    const took = { leastMs: 0, mostMs: clock.now() - takenAt };
    // Every record of a new resource is about its creation.
    const sending = { mark: undefined };
    learnCommandDuration(context, { command: job.command, id: found.id, sending, took });
    return found;
  }
  return (await awaitCreatedResource(context, job, found.id, takenAt)) ?? found;
}

/** A create that was carried out, and when the service took it. */
interface Created {
  readonly found: LiveResource;
  readonly takenAt: number;
}

/** A request that no complete answer came for. */
interface Lost {
  readonly cause: Error;
  /** Tells whether no answer came until our own timeout. */
  readonly hung: boolean;
}

/** The creation of one resource, over all requests that it takes. */
class Create {
  readonly #context: RunContext;
  readonly #job: ChangeCommandJob;
  readonly #records: CreateStateRecords;
  #attempt: CreateAttempt;
  #lost: Lost | undefined;
  /** Set when an operation list and two later lists showed nothing of the lost request. */
  #isSupported = false;
  /** Set when a list has shown a possible result of the lost request. */
  #isShown = false;

  constructor(context: RunContext, job: ChangeCommandJob) {
    this.#context = context;
    this.#job = job;
    this.#records = new CreateStateRecords(context, job);
    this.#attempt = { command: job.command, knownIds: [] };
  }

  async run(): Promise<Created> {
    const { context, change } = { context: this.#context, change: this.#job.change };
    // The last guard: what the service accepted is never asked for again.
    const open = context.store.state.pending.get(change.address);
    if (open?.acceptedAt !== undefined) throw makeUnseenCreateFailure(change.address);
    this.#attempt = await prepareCreateAttempt(context, this.#job);
    for (let count = 0; count < maxCreateRequests && !(count > 0 && this.#isOver()); count += 1) {
      const sent = await this.#send();
      const { clock } = context;
      if (sent.kind === 'accepted') return this.#awaitAccepted(sent);
      if (sent.kind === 'taken' && !this.#lost) {
        await this.#records.abandon(sent.cause);
        throw explainTakenResourceName(context, change.address, sent);
      }
      // Refused because of what a request of Hostwright made whose answer was lost: it is found like that one.
      const { cause } = sent;
      const hung = cause instanceof OutcomeUnknownError && cause.lost === 'timeout';
      this.#lost = { cause, hung };
      const takenAt = clock.now();
      const found = await this.#lookForLost();
      if (found) return { found, takenAt };
    }
    throw makeUnseenCreateFailure(change.address, this.#lost?.cause);
  }

  /** A state that cannot be written takes no further intent, and a change whose time is over sends no more. */
  #isOver(): boolean {
    const { store, clock } = this.#context;
    return store.failure !== undefined || clock.now() >= this.#job.deadline;
  }

  async #send(): Promise<CommandSendResult> {
    const context = this.#context;
    if (this.#lost) return this.#sendAgain(this.#lost);
    this.#attempt = addSeenResources(context, this.#attempt);
    await this.#records.intend(this.#attempt);
    try {
      return await sendUntilAccepted(context, this.#job, {
        findRivals: () => findRivalClaimants(context, this.#job.command),
        mayBeFreed: () => canClaimBecomeFree(context, this.#job.command),
      });
    } catch (error) {
      if (error instanceof ApiError) await this.#records.abandon(error);
      throw error;
    }
  }

  /** Sends it once more, unless a list shows by then what the lost request may have made. */
  async #sendAgain({ cause }: Lost): Promise<CommandSendResult> {
    const context = this.#context;
    const { resent } = context.history;
    const { address } = this.#job.change;
    const wasResent = resent.has(address);
    const guard = guardResend(context, address, this.#attempt);
    try {
      await this.#noteDouble();
      await this.#records.intend(this.#attempt);
      return await sendUntilAccepted(context, this.#job, {
        findRivals: () => findRivalClaimants(context, this.#job.command),
        mayBeFreed: () => canClaimBecomeFree(context, this.#job.command),
        beforeAttempt: guard.beforeAttempt,
      });
    } catch (error) {
      if (error instanceof CreateResultFoundError) {
        this.#isShown = true;
        // The request did not leave this computer, so there is at most one resource.
        if (!wasResent) resent.delete(address);
        return { kind: 'unsure', cause, mark: undefined };
      }
      if (!(error instanceof ApiError)) throw error;
      // The refusal may come from the result of the lost request itself: it may have used the quota up, for example.
      const found = await this.#lookForLost().catch(() => undefined);
      if (!found) throw error;
      const unmarked = { mark: undefined, answeredAt: undefined };
      return { kind: 'accepted', resource: found, at: context.clock.now(), ...unmarked };
    } finally {
      guard.stop();
    }
  }

  async #awaitAccepted({
    resource,
    at,
  }: Extract<CommandSendResult, { kind: 'accepted' }>): Promise<Created> {
    const { client, collectionLooks } = this.#context;
    const { command, change } = this.#job;
    await this.#records.accept();
    const isAnswered =
      resource !== undefined && resource.id !== '' && isPossibleCreateResult(command, resource);
    const isNamed = isNamedCreate(command);
    if (isAnswered && !isNamed) await this.#records.sightAnswered(resource.id);
    if (isAnswered && (isNamed || (await isAnsweredResource(client, this.#attempt, resource.id)))) {
      this.#learnClocks(resource, client.serviceTime());
      // An earlier lost request may have created the project, which then need not be empty.
      if (change.kind === projectKind && !this.#lost)
        collectionLooks.noteNewProject(resource.id, at);
      return { found: resource, takenAt: at };
    }
    // The first of two requests may have made it long before this answer.
    if (!this.#lost) {
      this.#attempt = { ...this.#attempt, acceptedServiceAt: client.serviceTime() };
    }
    const end = await this.#lookForAccepted({
      hung: false,
      isAccepted: true,
      ...(isAnswered && {
        answered: {
          id: resource.id,
          onNamed: (id: string) => this.#records.sightAnswered(id),
        },
      }),
      // Creates of look-alikes wait until this one is recognised, so it is sought at once; any other when its operation has ended.
      ...(!findLookalikeCreateKind(command) && { isEndSought: true }),
    });
    if (end.kind === 'ambiguous') return { found: await this.#pickDoubled(end), takenAt: at };
    if (end.kind === 'absent') throw makeUnseenCreateFailure(change.address);
    const { resources } = this.#context.store.state;
    const isOdd = isOddlySpelledName(command, end.live, resources.values());
    if (!end.isDoubtful && !isOdd) this.#learnClocks(end.live, this.#attempt.acceptedServiceAt);
    const doubt = this.#doubtOf(end.isDoubtful || isOdd);
    if (doubt) this.#context.tell([noteRecognisedCreate(change.address, end.live, doubt)]);
    if (doubt && !this.#lost) await this.#records.watch(this.#attempt, { isSentOnce: true });
    return { found: end.live, takenAt: at };
  }

  /** Learns clock differences from a resource that this request has certainly created. */
  #learnClocks(live: LiveResource, to: number | undefined): void {
    const { serviceAt: from, knownIds } = this.#attempt;
    const { client, tell } = this.#context;
    // The service may answer with a resource that existed before the request.
    if (knownIds.includes(live.id)) return;
    client.clocks.noteMade(live, { from, to });
    const aheadMs = client.clocks.takeNews();
    if (aheadMs !== undefined) tell([noteServiceClockDifference(aheadMs)]);
  }

  /** Why what was recognised after an acceptance may be somebody else's; undefined for what is recognised always. */
  #doubtOf(isDoubtful: boolean): RecognisedCreateReason | undefined {
    // Which of the requests made it, no time of the service tells. What is made at once is named by a whole answer.
    if (this.#lost || !isRecordedAsOperation(this.#job.command.kind)) return 'lost';
    return isDoubtful ? 'doubtful' : undefined;
  }

  /** Looks for as long as it takes to be sure enough. @returns undefined when it may be sent again */
  async #lookForLost(): Promise<LiveResource | undefined> {
    const { address } = this.#job.change;
    const end = await this.#look({ isAccepted: false, hung: this.#lost?.hung === true });
    if (end.kind === 'found') {
      this.#context.tell([noteRecognisedCreate(address, end.live, 'lost')]);
      // A create that was sent once may still be carried out late, although somebody else's resource was taken for its
      // result.
      if (!this.#context.history.resent.has(address))
        await this.#records.watch(this.#attempt, { isSentOnce: true });
      return end.live;
    }
    if (end.kind === 'ambiguous') return this.#pickDoubled(end);
    const hasTrace = end.hasTrace || end.isCutShort || this.#isShown;
    switch (classifyUnseenCreate({ ...end, isAccepted: false, hasTrace })) {
      case 'perhaps':
        await this.#records.sight(end.alike);
        throw makePossibleRenameFailure(address, end.alike, this.#attempt.serviceAt);
      case 'taken':
        throw explainTakenResourceName(this.#context, address, end);
      case 'hidden':
        throw makeUnseenCreateFailure(address, this.#lost?.cause);
      case 'gone':
        this.#isSupported = end.isSupported;
        return undefined;
    }
  }

  /** As `#look`, for what the service accepted; where its operation has made nothing, there is nothing to look for later. */
  async #lookForAccepted(search: Omit<LostCreateSearch, 'attempt'>): Promise<LostCreateLookResult> {
    try {
      return await this.#look(search);
    } catch (error) {
      if (error instanceof ChangeFailure) await this.#records.abandon(error);
      throw error;
    }
  }

  #look(search: Omit<LostCreateSearch, 'attempt'>): Promise<LostCreateLookResult> {
    return searchLostCreateResult(this.#context, this.#job, { ...search, attempt: this.#attempt });
  }

  /** Of what two requests of Hostwright made, either will do: the other is reported at the end. @throws ChangeFailure */
  async #pickDoubled({
    candidates,
  }: Extract<LostCreateLookResult, { kind: 'ambiguous' }>): Promise<LiveResource> {
    const { address } = this.#job.change;
    const ids = candidates.map(({ id }) => id).sort();
    const first = candidates.find(({ id }) => id === ids[0]);
    if (!first || !this.#context.history.resent.has(address)) {
      await this.#records.sight(candidates);
      throw makeAmbiguousCreateFailure(address, ids);
    }
    this.#context.tell([noteRecognisedCreate(address, first, 'lost')]);
    return first;
  }

  /** From here on there may be two: on disk before the request goes out again. */
  async #noteDouble(): Promise<void> {
    const double = await this.#records.watch(this.#attempt);
    this.#context.history.resent.set(double.address, { double, isSupported: this.#isSupported });
  }
}
