import type { ServiceClient } from '../api/client.ts';
import type { Place } from '../api/decode.ts';
import type { LiveOperation } from '../api/operation.ts';
import type { LiveResource } from '../model/live.ts';
import type { KindName } from '../model/resource.ts';
import type { Clock } from '../model/runtime.ts';

/** What one look at the service showed. */
export interface Sighting {
  /** Every resource of the watched kind and place. */
  readonly resources: readonly LiveResource[];
  /** The newest operation records of the project; empty when no watcher asked for them. */
  readonly operations: readonly LiveOperation[];
  readonly at: number;
}

/** One wait for something to show. */
export interface Watch<V> {
  readonly kind: KindName;
  readonly place: Place;
  /** True while the verdict needs operation records too. */
  readonly needsOperations: boolean;
  /** Decides by one sighting; undefined when it takes longer. */
  judge(sighting: Sighting): V | undefined;
  /** What to answer when the time is over. */
  expire(): V;
  /** By the clock, in milliseconds since the Unix epoch. */
  readonly deadline: number;
}

/** Waits for many things with few requests: one list a tick settles every watcher of the same kind and place. */
export interface Observer {
  /** Looks until the watch has a verdict. Rejects when the service cannot be read at all. */
  await<V>(watch: Watch<V>): Promise<V>;
}

const shortestWaitMs = 200;
const longestWaitMs = 5_000;

interface Waiter {
  readonly since: number;
  readonly deadline: number;
  readonly needsOperations: boolean;
  /** True when it has come to its end. */
  look(sighting: Sighting): boolean;
  expire(): void;
  fail(error: unknown): void;
}

/** A share of the time already waited: quick things are seen quickly, slow ones cost few requests. */
function nextLookMs(waitedMs: number): number {
  return Math.min(longestWaitMs, Math.max(shortestWaitMs, waitedMs / 10));
}

/** An observer over one client. `random` spreads the looks of several runs. */
export function createObserver(
  client: ServiceClient,
  clock: Clock,
  random: () => number,
): Observer {
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
          since: clock.now(),
          deadline: watch.deadline,
          needsOperations: watch.needsOperations,
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
  readonly #client: ServiceClient;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #kind: KindName;
  readonly #place: Place;
  readonly #waiters = new Set<Waiter>();
  #isRunning = false;
  #pause: AbortController | undefined;

  constructor(
    client: ServiceClient,
    clock: Clock,
    random: () => number,
    kind: KindName,
    place: Place,
  ) {
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
    let waitMs = longestWaitMs;
    for (const { since } of this.#waiters) {
      waitMs = Math.min(waitMs, nextLookMs(lookedAt - since));
    }
    return lookedAt + waitMs * (0.9 + 0.2 * this.#random());
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
      const { projectId } = this.#place;
      const needsOperations = waiters.some((waiter) => waiter.needsOperations);
      const [resources, operations] = await Promise.all([
        this.#client.list(this.#kind, this.#place),
        needsOperations ? this.#client.listOperations(projectId) : [],
      ]);
      const sighting = { resources, operations, at: this.#clock.now() };
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
}
