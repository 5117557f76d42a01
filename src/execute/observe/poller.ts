import { readRecordsIfTold } from '../../api/operation-records.ts';
import { defaultOperationRecordCount } from '../../api/reader.ts';
import { hasUnknownStatus, isResourceBusy, mayHaveOlderRecord } from '../../kinds/outcome.ts';
import type { LiveResource, ResourcePlace } from '../../model/account/live.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Clock } from '../../model/runtime.ts';
import type { UnknownDurationWaits } from './guessing.ts';
import { usualListPageSize } from './batched-read.ts';
import {
  calculateNextPollTime,
  shortestPollPauseMs,
  type LastPoll,
  type PollWaiter,
} from './next-look.ts';
import type { ObservationReader, PollResult, ResourceWatch } from './watch.ts';

/** Time after its deadline that a watch still waits for a look under way, in milliseconds. */
const lateMs = 10_000;

/** A watch for the end of a command, as the poller sees it. */
export interface PolledWatch
  extends Pick<ResourceWatch<unknown>, 'deadline' | 'needsOperations'>, PollWaiter {
  readonly id: string | undefined;
  readonly wasSeen: (() => boolean) | undefined;
  readonly needsList: boolean;
  readonly endsInTime: boolean;
  /** Takes one look; true when the wait has come to its end. */
  look(sighting: PollResult): boolean;
  expire(): void;
  fail(error: unknown): void;
}

/** Resources that were read, and the ids that the service does not have. */
interface Found {
  readonly resources: readonly LiveResource[];
  readonly missing: ReadonlySet<string>;
  /** Ids of resources that a list has shown. */
  readonly listed: ReadonlySet<string>;
  /** True for a result that a lagging replica gave, so that it shows the past. */
  readonly isFromPast: boolean;
}

/** Given as a reason, since one that is made for each of many looks takes time. */
const ended = new Error('the look has ended');

const withheld = 'withheld';

/** Operation records, or the mark of a service that tells none of them. */
type ReadRecords = readonly LiveOperation[] | typeof withheld;

interface PollerOptions {
  readonly client: ObservationReader;
  readonly clock: Clock;
  /** Random numbers that spread the looks in several places over time. */
  readonly random: () => number;
  readonly kind: KindName;
  readonly place: ResourcePlace;
  readonly guessing: UnknownDurationWaits;
}

/** Looks at one kind in one place for as long as anybody waits there. */
export class ResourcePoller {
  readonly #client: ObservationReader;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #kind: KindName;
  readonly #place: ResourcePlace;
  readonly #guessing: UnknownDurationWaits;
  readonly #waiters = new Set<PolledWatch>();
  #last: LastPoll = { at: Number.NEGATIVE_INFINITY, tookMs: 0, pages: 1, chance: 0 };
  /** Number of pages of the last list. */
  #pages = 1;
  /** Duration of the last look, in milliseconds. */
  #tookMs = 0;
  /** Time at which the next look is to begin, by this computer's clock. */
  #dueAt = 0;
  #neededOperations = false;
  /** True while the service withholds the records of a project and those of each resource in it that were asked for. */
  #areAllWithheld = false;
  #isRunning = false;
  #pause: AbortController | undefined;

  constructor({ client, clock, random, kind, place, guessing }: PollerOptions) {
    this.#client = client;
    this.#clock = clock;
    this.#random = random;
    this.#kind = kind;
    this.#place = place;
    this.#guessing = guessing;
  }

  add(waiter: PolledWatch): void {
    this.#waiters.add(waiter);
    if (!this.#isRunning) void this.#run();
    // A newcomer may want to look sooner than those who have waited long.
    else if (this.#wantedAt(waiter) < this.#dueAt) this.#pause?.abort();
  }

  /** Decides anew when to look next, as something was learned meanwhile. */
  reconsider(): void {
    this.#pause?.abort();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      this.#last = { ...this.#last, chance: this.#random() };
      while (this.#waiters.size > 0) {
        const wanted = [...this.#waiters].map((waiter) => this.#wantedAt(waiter));
        this.#dueAt = wanted.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
        const leftMs = this.#dueAt - this.#clock.now();
        if (leftMs > 0 && !(await this.#sleep(leftMs))) continue;
        const at = this.#clock.now();
        await this.#look();
        const tookMs = this.#clock.now() - at;
        // One answer that hung says nothing of the next; where looks are held back, two in a row are late.
        this.#last = {
          at,
          tookMs: Math.min(tookMs, this.#tookMs),
          pages: this.#pages,
          chance: this.#random(),
        };
        this.#tookMs = tookMs;
      }
    } finally {
      this.#isRunning = false;
      this.#guessing.leave(this);
    }
  }

  #wantedAt(waiter: PolledWatch): number {
    const wantedAt = calculateNextPollTime(waiter, this.#last, {
      guessing: this.#guessing,
      place: this,
      waiters: this.#waiters.size,
      isHeldBack: this.#client.isHeldBack(),
      now: this.#clock.now(),
    });
    return Math.min(wantedAt, Math.max(this.#last.at + shortestPollPauseMs, waiter.deadline));
  }

  /** Sleeps; false when a new waiter or `reconsider` cut the sleep short. */
  async #sleep(ms: number): Promise<boolean> {
    const pause = new AbortController();
    this.#pause = pause;
    try {
      await this.#clock.sleep(ms, pause.signal);
      return true;
    } catch (error) {
      if (pause.signal.aborted) return false;
      throw error;
    } finally {
      this.#pause = undefined;
    }
  }

  async #look(): Promise<void> {
    // Those who join while the lists are under way wait for the next ones, which are younger than their question.
    const waiters = [...this.#waiters];
    const look = new AbortController();
    void this.#expireInTime(waiters, look);
    try {
      // Operation records that the look before needed are asked for at once, as a guess: one that fails is none.
      const guessed = this.#neededOperations
        ? this.#askOperations(look.signal).catch(() => undefined)
        : Promise.resolve(undefined);
      const { resources, missing, listed, isFromPast } = await this.#read(waiters, look.signal);
      const byId = new Map(resources.map((resource) => [resource.id, resource]));
      const seen = {
        resources,
        find: (id: string) => byId.get(id),
        isMissing: (id: string) => missing.has(id),
        isListed: (id: string) => listed.has(id),
        isFromPast,
        at: this.#clock.now(),
      };
      const needsOperations = waiters.some(({ needsOperations: needs }) =>
        typeof needs === 'function' ? needs(seen) : needs,
      );
      this.#neededOperations = needsOperations;
      const waited = new Set(waiters.flatMap(({ id }) => byId.get(id ?? '') ?? []));
      const operations = needsOperations
        ? await this.#readOperations(guessed, [...waited], look.signal)
        : [];
      const areRecordsWithheld = this.#areAllWithheld;
      const sighting = { ...seen, operations, areRecordsWithheld, at: this.#clock.now() };
      for (const waiter of waiters) {
        if (!this.#waiters.has(waiter)) continue;
        if (waiter.look(sighting)) this.#waiters.delete(waiter);
        else if (sighting.at >= waiter.deadline) {
          this.#waiters.delete(waiter);
          waiter.expire();
        }
      }
    } catch (error) {
      for (const waiter of waiters) if (this.#waiters.delete(waiter)) waiter.fail(error);
    } finally {
      look.abort(ended);
    }
  }

  /**
   * The newest operation records of the project, and those of each resource to which they do not reach. Records that the
   * service withholds are none: then the resources show what has ended.
   */
  async #readOperations(
    guessed: Promise<ReadRecords | undefined>,
    waited: readonly LiveResource[],
    signal: AbortSignal,
  ): Promise<readonly LiveOperation[]> {
    const newest = (await guessed) ?? (await this.#askOperations(signal));
    const unnamed = waited.filter((one) =>
      newest === withheld
        ? !this.#areAllWithheld
        : mayHaveOlderRecord(one, newest, defaultOperationRecordCount),
    );
    this.#pages += unnamed.length;
    const older = await Promise.all(unnamed.map(({ id }) => this.#askOperations(signal, id)));
    // One withheld record says nothing of the others, and records that are answered again are withheld no more.
    const isEachWithheld = older.length > 0 && older.every((records) => records === withheld);
    this.#areAllWithheld = newest === withheld && (this.#areAllWithheld || isEachWithheld);
    return [newest, ...older].flatMap((records) => (records === withheld ? [] : records));
  }

  async #askOperations(signal: AbortSignal, resourceId?: string): Promise<ReadRecords> {
    const { projectId } = this.#place;
    const told = await readRecordsIfTold(this.#client, projectId, { resourceId }, { signal });
    return told ?? withheld;
  }

  /** Ends what must not wait any longer for a look, and the look with the last of those who wait for it. */
  async #expireInTime(waiters: readonly PolledWatch[], look: AbortController): Promise<void> {
    const timed = waiters.filter(({ endsInTime }) => endsInTime);
    const inTurn = timed.sort((a, b) => a.deadline - b.deadline);
    for (const waiter of inTurn) {
      try {
        const leftMs = waiter.deadline + lateMs - this.#clock.now();
        await this.#clock.sleep(Math.max(0, leftMs), look.signal);
      } catch {
        return; // The look came to its end first.
      }
      if (this.#waiters.delete(waiter)) waiter.expire();
    }
    if (waiters.every((one) => !this.#waiters.has(one))) look.abort(ended);
  }

  /**
   * One that waits alone for a resource that it knows reads that one; all others share the list.
   */
  async #read(waiters: readonly PolledWatch[], signal: AbortSignal): Promise<Found> {
    const [waiter, ...others] = waiters;
    let notFound: ReadonlySet<string> = new Set();
    if (waiter?.id !== undefined && others.every(({ id }) => id === waiter.id)) {
      this.#pages = 1;
      const found = await this.#ask([waiter.id], signal);
      notFound = found.missing;
      if (notFound.size === 0 || !waiters.some(({ needsList }) => needsList)) return found;
    }
    // A resource that is still busy is not read singly, as its entry in the list says enough.
    const waitedFor = new Set(waiters.map(({ id }) => id));
    const needsWhole = (live: LiveResource) =>
      waitedFor.has(live.id) && (hasUnknownStatus(live) || !isResourceBusy(live));
    const listed = await this.#client.list(this.#kind, this.#place, { signal, needsWhole });
    this.#pages = Math.max(1, Math.ceil(listed.length / usualListPageSize));
    const ids = new Set(listed.map(({ id }) => id));
    const sought = waiters.flatMap(({ id, wasSeen }) =>
      id !== undefined && !ids.has(id) && !notFound.has(id) && wasSeen?.() ? [id] : [],
    );
    const { resources, missing } = await this.#ask([...new Set(sought)], signal);
    return {
      resources: [...listed, ...resources],
      missing: new Set([...notFound, ...missing]),
      listed: ids,
      isFromPast: this.#client.isFromPast(listed),
    };
  }

  /** Reads single resources by their ids. */
  async #ask(ids: readonly string[], signal: AbortSignal): Promise<Found> {
    const read = await Promise.all(
      ids.map((id) => this.#client.get(this.#kind, this.#place, id, { signal })),
    );
    const resources = read.filter((live) => live !== undefined);
    const missing = new Set(ids.filter((_, index) => !read[index]));
    return { resources, missing, listed: new Set(), isFromPast: false };
  }
}
