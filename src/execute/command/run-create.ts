import { ApiError, OutcomeUnknownError } from '../../api/errors/errors.ts';
import { isOddlySpelled } from '../../kinds/recognise/respelled.ts';
import { isRecorded } from '../../kinds/operation-types.ts';
import { noteRecognised, type RecognisedCreate } from '../../kinds/recognise/create-findings.ts';
import { couldHaveMade, type CreateAttempt } from '../../kinds/recognise/recognise.ts';
import { hasComeTrue, isBusy } from '../../kinds/outcome.ts';
import { statusOf, type LiveResource } from '../../model/account/live.ts';
import { watchCreate, type PossibleDouble } from '../../model/state/state.ts';
import { awaitCommand } from './await-command.ts';
import { ambiguousCreate, neverAppeared, perhapsOurs } from '../run/failure.ts';
import { lookForCreated, type LookEnd, type LookFor } from '../observe/look-for-created.ts';
import { depose, managedFrom } from '../run/managed.ts';
import { addSeen, explainTaken, findRivals, prepareAttempt } from './prepare-attempt.ts';
import type { Job, RunContext } from '../run/run-context.ts';
import { learnDuration } from '../pace/learn-duration.ts';
import { sendCommand, type Sent } from './send-command.ts';
import { createExclusively, mistakableKind } from '../pace/keyed-mutex.ts';

/** How often a create is sent at most. Between two of them lies the whole time of evidence. */
const attempts = 3;

/**
 * Carries out one create: the intent on disk, the request, the new resource found by listing, bound to its address at
 * once, and awaited until the service is done with it.
 * @throws ChangeFailure, ApiError
 */
export async function runCreate(context: RunContext, job: Job): Promise<LiveResource> {
  const { found, takenAt } = await createExclusively(context.mutex, job.command, () =>
    new Create(context, job).run(),
  );
  const { store, clock, addresses, history } = context;
  await depose(context, job.change, found);
  addresses.set(found.id, job.change.address);
  history.bound.add(found.id);
  await store.record({ kind: 'bound', resource: managedFrom(context, job.change, found) });
  if (!isBusy(found) && hasComeTrue(job.command, found) && statusOf(found) !== 'failed') {
    const took = { leastMs: 0, mostMs: clock.now() - takenAt };
    // Every record of a new resource is about its creation.
    const sending = { mark: undefined };
    learnDuration(context, { command: job.command, id: found.id, sending, took });
    return found;
  }
  return (await awaitCommand(context, job, found.id, takenAt)) ?? found;
}

/** A create that was carried out, and when the service took it. */
interface Created {
  readonly found: LiveResource;
  readonly takenAt: number;
}

/** A request of which no whole answer came. */
interface Lost {
  readonly cause: Error;
  /** True: it hung until our timeout. */
  readonly hung: boolean;
}

/** One create, over all its requests. */
class Create {
  readonly #context: RunContext;
  readonly #job: Job;
  #attempt: CreateAttempt;
  #lost: Lost | undefined;
  /** True: an operation list and two later lists showed nothing of the lost request. */
  #isSupported = false;

  constructor(context: RunContext, job: Job) {
    this.#context = context;
    this.#job = job;
    this.#attempt = { command: job.command, knownIds: [] };
  }

  async run(): Promise<Created> {
    const { context, change } = { context: this.#context, change: this.#job.change };
    // The last guard: what the service accepted is never asked for again.
    const open = context.store.state.pending.get(change.address);
    if (open?.acceptedAt !== undefined) throw neverAppeared(change.address);
    this.#attempt = await prepareAttempt(context, this.#job);
    for (let count = 0; count < attempts && !(count > 0 && this.#isOver()); count += 1) {
      const sent = await this.#send();
      const { clock } = context;
      if (sent.kind === 'accepted') return this.#awaitAccepted(sent);
      if (sent.kind === 'taken' && !this.#lost) {
        await this.#abandon(sent.cause);
        throw explainTaken(context, change.address, sent);
      }
      // Refused because of what a request of Hostwright made whose answer was lost: it is found like that one.
      const { cause } = sent;
      const hung = cause instanceof OutcomeUnknownError && cause.lost === 'timeout';
      this.#lost = { cause, hung };
      const takenAt = clock.now();
      const found = await this.#lookForLost();
      if (found) return { found, takenAt };
    }
    throw neverAppeared(change.address, this.#lost?.cause);
  }

  /** A state that cannot be written takes no further intent, and a change whose time is over sends no more. */
  #isOver(): boolean {
    const { store, clock } = this.#context;
    return store.failure !== undefined || clock.now() >= this.#job.deadline;
  }

  async #send(): Promise<Sent> {
    const context = this.#context;
    const { change, command } = this.#job;
    if (this.#lost) await this.#noteDouble();
    else this.#attempt = addSeen(context, this.#attempt);
    const { knownIds, isAllKnown, serviceAt } = this.#attempt;
    await context.store.record({
      ...{ kind: 'intent', address: change.address, command, knownIds, at: context.clock.now() },
      configured: change.configured,
      ...(isAllKnown && { isAllKnown }),
      ...(serviceAt !== undefined && { serviceAt }),
    });
    try {
      return await sendCommand(context, this.#job, {
        findRivals: () => findRivals(context, this.#attempt),
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!this.#lost) {
        await this.#abandon(error);
        throw error;
      }
      // What refuses it now may be what the lost request made: a quota that is used up, for one.
      const found = await this.#lookForLost().catch(() => undefined);
      if (!found) throw error;
      const unmarked = { mark: undefined, answeredAt: undefined };
      return { kind: 'accepted', resource: found, at: context.clock.now(), ...unmarked };
    }
  }

  async #awaitAccepted({ resource, at }: Extract<Sent, { kind: 'accepted' }>): Promise<Created> {
    const { client } = this.#context;
    const { command, change } = this.#job;
    await this.#recordAcceptance();
    const isAnswered =
      resource !== undefined && resource.id !== '' && couldHaveMade(command, resource);
    if (isAnswered) return { found: resource, takenAt: at };
    // The first of two requests may have made it long before this answer.
    if (!this.#lost) {
      this.#attempt = { ...this.#attempt, acceptedServiceAt: client.serviceTime() };
    }
    const end = await this.#look({
      isAccepted: true,
      hung: false,
      // Others wait for their turn until it is known; all else may be found when it has ended.
      ...(!mistakableKind(command) && { isEndSought: true }),
    });
    if (end.kind === 'ambiguous') return { found: await this.#pickDoubled(end), takenAt: at };
    if (end.kind === 'absent') throw neverAppeared(change.address);
    const { resources } = this.#context.store.state;
    const isOdd = isOddlySpelled(command, end.live, resources.values());
    const doubt = this.#doubtOf(end.isDoubtful || isOdd);
    if (doubt) this.#context.tell([noteRecognised(change.address, end.live, doubt)]);
    if (doubt && !this.#lost) await this.#watch({ isSentOnce: true });
    return { found: end.live, takenAt: at };
  }

  /** Why what was recognised after an acceptance may be somebody else's; undefined for what is recognised always. */
  #doubtOf(isDoubtful: boolean): RecognisedCreate | undefined {
    // Which of the requests made it, no time of the service tells. What is made at once is named by a whole answer.
    if (this.#lost || !isRecorded(this.#job.command.kind)) return 'lost';
    return isDoubtful ? 'doubtful' : undefined;
  }

  /** Looks for as long as it takes to be sure enough. @returns undefined when it may be sent again */
  async #lookForLost(): Promise<LiveResource | undefined> {
    const { address } = this.#job.change;
    const end = await this.#look({ isAccepted: false, hung: this.#lost?.hung === true });
    if (end.kind === 'found') {
      this.#context.tell([noteRecognised(address, end.live, 'lost')]);
      // What was sent once may have been carried out later all the same, beside somebody else's.
      if (!this.#context.history.resent.has(address)) await this.#watch({ isSentOnce: true });
      return end.live;
    }
    if (end.kind === 'ambiguous') return this.#pickDoubled(end);
    const { cause } = this.#lost ?? {};
    if (end.alike.length > 0) {
      await this.#noteSighted(end.alike);
      throw perhapsOurs(address, end.alike);
    }
    if (end.rivals.length > 0) throw explainTaken(this.#context, address, end);
    // Something made it, and nothing shows it; or there was no time to be sure.
    if (end.hasTrace || end.isCutShort) throw neverAppeared(address, cause);
    this.#isSupported = end.isSupported;
    return undefined;
  }

  #look(search: Omit<LookFor, 'attempt'>): Promise<LookEnd> {
    return lookForCreated(this.#context, this.#job, { ...search, attempt: this.#attempt });
  }

  /** Of what two requests of Hostwright made, either will do: the other is reported at the end. @throws ChangeFailure */
  async #pickDoubled({
    candidates,
  }: Extract<LookEnd, { kind: 'ambiguous' }>): Promise<LiveResource> {
    const { address } = this.#job.change;
    const ids = candidates.map(({ id }) => id).sort();
    const first = candidates.find(({ id }) => id === ids[0]);
    if (!first || !this.#context.history.resent.has(address)) {
      await this.#noteSighted(candidates);
      throw ambiguousCreate(address, ids);
    }
    this.#context.tell([noteRecognised(address, first, 'lost')]);
    return first;
  }

  /** What a later run must not overlook, when its lists lag. */
  async #noteSighted(resources: readonly LiveResource[]): Promise<void> {
    const ids = resources.map(({ id }) => id);
    await this.#context.store.record({ kind: 'sighted', address: this.#job.change.address, ids });
  }

  /** From here on there may be two: on disk before the request goes out again. */
  async #noteDouble(): Promise<void> {
    const double = await this.#watch({});
    this.#context.history.resent.set(double.address, { double, isSupported: this.#isSupported });
  }

  async #watch(how: Pick<PossibleDouble, 'isSentOnce'>): Promise<PossibleDouble> {
    const { store, clock, client } = this.#context;
    const double = watchCreate(
      { ...this.#attempt, address: this.#job.change.address },
      { now: clock.now(), serviceNow: client.serviceTime(), ...how },
    );
    await store.record({ kind: 'possibleDouble', double });
    return double;
  }

  async #recordAcceptance(): Promise<void> {
    const { store, clock, client } = this.#context;
    const { change, command, onAccepted } = this.#job;
    const serviceAt = client.serviceTime();
    await store.record({
      ...{ kind: 'accepted', address: change.address, commandName: command.kind, at: clock.now() },
      ...(serviceAt !== undefined && { serviceAt }),
    });
    onAccepted?.();
  }

  /** Nothing of it can have been carried out: there is nothing to look for later. */
  async #abandon(cause: Error): Promise<void> {
    const { store } = this.#context;
    const { address } = this.#job.change;
    await store.record({ kind: 'abandoned', address, reason: String(cause) });
  }
}
