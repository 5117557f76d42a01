import type { ServiceClient } from '../api/client.ts';
import type { Place } from '../api/decode.ts';
import type { LiveOperation } from '../api/operation.ts';
import type { LiveResource } from '../model/live.ts';
import type { KindName } from '../model/resource.ts';
import type { Clock } from '../model/runtime.ts';

/** The resources of one look. */
export interface Seen {
  /** Every resource of the watched kind and place; only the watched one where a single id is watched. */
  readonly resources: readonly LiveResource[];
  /** The one with this id; undefined when it is not there. */
  readonly find: (id: string) => LiveResource | undefined;
  readonly at: number;
}

/** What one look at the service showed. */
export interface Sighting extends Seen {
  /** The newest operation records of the project; empty when no watcher asked for them. */
  readonly operations: readonly LiveOperation[];
}

/** When to look, in milliseconds: first, counted from the start of the wait, and then again and again. */
export interface Pace {
  readonly firstMs: number;
  /** The shortest pause between two looks. */
  readonly everyMs: number;
  /** The pause grows with the time already waited, by this share of it. */
  readonly waitedShare: number;
}

/** One wait for something to show. */
export interface Watch<V> {
  readonly kind: KindName;
  readonly place: Place;
  /** The only resource that the verdict is about; absent when it may be any. */
  readonly id?: string;
  /** Whether the verdict needs operation records too, by the resources as they were just seen. */
  readonly needsOperations: boolean | ((seen: Seen) => boolean);
  /** When it began to take its time, by the clock; now unless given. */
  readonly since?: number | undefined;
  /** Asked before every look, since what is known of durations grows. */
  readonly pace?: () => Pace;
  /** Decides by one sighting; undefined when it takes longer. */
  judge(sighting: Sighting): V | undefined;
  /** What to answer when the time is over. */
  expire(): V;
  /** By the clock, in milliseconds since the Unix epoch. */
  readonly deadline: number;
}

/** The part of the client that looks. */
type Reader = Pick<ServiceClient, 'list' | 'get' | 'listOperations'>;

/** Waits for many things with few requests: one list a tick settles every watcher of the same kind and place. */
export interface Observer {
  /** Looks until the watch has a verdict. Rejects when the service cannot be read at all. */
  await<V>(watch: Watch<V>): Promise<V>;
}

const shortestWaitMs = 200;
const longestWaitMs = 5_000;

interface Waiter extends Pick<Watch<unknown>, 'deadline' | 'needsOperations'> {
  readonly since: number;
  readonly id: string | undefined;
  readonly pace: (() => Pace) | undefined;
  /** True when it has come to its end. */
  look(sighting: Sighting): boolean;
  expire(): void;
  fail(error: unknown): void;
}

/** A share of the time already waited: quick things are seen quickly, slow ones cost few requests. */
const blindPace: Pace = { firstMs: shortestWaitMs, everyMs: shortestWaitMs, waitedShare: 0.1 };

/** When a waiter wants to look, after a look at `lookedAt`. */
function nextLookAt({ since, pace }: Waiter, lookedAt: number): number {
  const { firstMs, everyMs, waitedShare } = pace?.() ?? blindPace;
  const waitedMs = Math.max(0, lookedAt - since);
  const pauseMs = Math.min(longestWaitMs, Math.max(everyMs, waitedMs * waitedShare));
  return Math.max(since + firstMs, lookedAt + pauseMs);
}

/** An observer over one client. `random` spreads the looks of several runs. */
export function createObserver(client: Reader, clock: Clock, random: () => number): Observer {
  const pollers = new Map<string, Poller>();
  return {
    await: (watch) =>
      new Promise((resolve, reject) => {
        const { kind, place } = watch;
        const key = [kind, place.projectId, place.publicIpId ?? ''].join(' ');
        let poller = pollers.get(key);
        if (!poller) {
          poller = new Poller(client, clock, random, kind, place);
          pollers.set(key, poller);
        }
        poller.add({
          since: watch.since ?? clock.now(),
          deadline: watch.deadline,
          needsOperations: watch.needsOperations,
          pace: watch.pace,
          id: watch.id,
          look(sighting) {
            const verdict = watch.judge(sighting);
            if (verdict === undefined) return false;
            resolve(verdict);
            return true;
          },
          expire: () => resolve(watch.expire()),
          fail: reject,
        });
      }),
  };
}

/** Looks at one kind in one place for as long as anybody waits there. */
class Poller {
  readonly #client: Reader;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #kind: KindName;
  readonly #place: Place;
  readonly #waiters = new Set<Waiter>();
  #isRunning = false;
  #pause: AbortController | undefined;

  constructor(client: Reader, clock: Clock, random: () => number, kind: KindName, place: Place) {
    this.#client = client;
    this.#clock = clock;
    this.#random = random;
    this.#kind = kind;
    this.#place = place;
  }

  add(waiter: Waiter): void {
    this.#waiters.add(waiter);
    // A newcomer wants to look sooner than those who have waited long.
    this.#pause?.abort();
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      let lookedAt = this.#clock.now();
      while (this.#waiters.size > 0) {
        const dueMs = this.#nextLookAt(lookedAt) - this.#clock.now();
        if (dueMs > 0 && !(await this.#sleep(dueMs))) continue;
        lookedAt = this.#clock.now();
        await this.#look();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #nextLookAt(lookedAt: number): number {
    let next = Number.POSITIVE_INFINITY;
    let deadline = Number.POSITIVE_INFINITY;
    for (const waiter of this.#waiters) {
      next = Math.min(next, nextLookAt(waiter, lookedAt));
      deadline = Math.min(deadline, waiter.deadline);
    }
    const spread = (next - lookedAt) * (0.95 + 0.1 * this.#random());
    return Math.min(lookedAt + spread, Math.max(lookedAt + shortestWaitMs, deadline));
  }

  /** False when it was cut short by a newcomer. */
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
    // Those who join while the lists are under way are judged by the next ones, which are younger than their wish.
    const waiters = [...this.#waiters];
    try {
      const resources = await this.#read(waiters);
      const byId = new Map(resources.map((resource) => [resource.id, resource]));
      const seen = { resources, find: (id: string) => byId.get(id), at: this.#clock.now() };
      const needsOperations = waiters.some(({ needsOperations: needs }) =>
        typeof needs === 'function' ? needs(seen) : needs,
      );
      const operations = needsOperations
        ? await this.#client.listOperations(this.#place.projectId)
        : [];
      const sighting = { ...seen, operations, at: this.#clock.now() };
      for (const waiter of waiters) {
        if (waiter.look(sighting)) this.#waiters.delete(waiter);
        else if (sighting.at >= waiter.deadline) {
          this.#waiters.delete(waiter);
          waiter.expire();
        }
      }
    } catch (error) {
      for (const waiter of waiters) {
        this.#waiters.delete(waiter);
        waiter.fail(error);
      }
    }
  }

  /** One that waits alone for a resource that it knows reads that one; all others share the list. */
  async #read([waiter, ...others]: readonly Waiter[]): Promise<readonly LiveResource[]> {
    if (waiter?.id === undefined || others.some(({ id }) => id !== waiter.id)) {
      return this.#client.list(this.#kind, this.#place);
    }
    const live = await this.#client.get(this.#kind, this.#place, waiter.id);
    return live ? [live] : [];
  }
}
