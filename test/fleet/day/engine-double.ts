// An engine for a day in virtual time: it gives what the engine's port promises and nothing more. It is durable as a database is:
// a worker that dies leaves its runs begun, until another one recovers them. Among workspaces there is no order.
import type { Engine, QueuedRun } from '../../../src/server/engine/engine.ts';
import type { DayClock } from './day-clock.ts';

const atOnce = 4;
const retryMs = 2_000;

interface Queued extends QueuedRun {
  readonly rank: number;
  readonly turn: number;
}

interface Begun extends QueuedRun {
  readonly workerId: string;
}

interface Hand {
  readonly carryOut: (runId: string) => Promise<void>;
  busy: number;
}

/** The engine of all workers. */
export class EngineDouble {
  /** What must not happen. */
  readonly faults: string[] = [];
  readonly #clock: DayClock;
  readonly #random: () => number;
  #queue: Queued[] = [];
  readonly #begun = new Map<string, Begun>();
  readonly #ended = new Set<string>();
  readonly #hands = new Map<string, Hand>();
  #turns = 0;

  constructor(clock: DayClock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The end of it that a worker has; a process that carries out no runs has one, too. */
  join(workerId: string, carryOut?: Hand['carryOut']): Engine {
    if (carryOut) this.#hands.set(workerId, { carryOut, busy: 0 });
    return {
      enqueue: (run, priority) => {
        this.#enqueue(run, priority === 'low' ? 1 : 0);
        return Promise.resolve();
      },
      cancel: (id) => {
        this.#queue = this.#queue.filter((one) => one.id !== id);
        return Promise.resolve();
      },
      schedule: () => Promise.resolve(),
      list: () => Promise.resolve([...this.#queue]),
      recover: (gone) => Promise.resolve(this.#recover(gone)),
      // What has ended is kept for whoever counts it.
      forget: () => Promise.resolve(0),
      close: () => Promise.resolve(),
    };
  }

  /** A worker takes nothing any more, and what it has begun is left as it is. */
  leave(workerId: string): void {
    this.#hands.delete(workerId);
  }

  /** How many runs wait, and how many are begun. */
  get open(): number {
    return this.#queue.length + this.#begun.size;
  }

  /** How many runs have ended. */
  get ended(): number {
    return this.#ended.size;
  }

  /** The runs that a worker has begun. */
  listBegun(workerId: string): readonly string[] {
    return [...this.#begun.values()].filter((one) => one.workerId === workerId).map(({ id }) => id);
  }

  #enqueue({ id, workspaceId }: QueuedRun, rank: number): void {
    if (this.#ended.has(id) || this.#begun.has(id)) return;
    if (this.#queue.some((one) => one.id === id)) return;
    this.#queue.push({ id, workspaceId, rank, turn: (this.#turns += 1) });
    this.#take();
  }

  #recover(gone: string): readonly string[] {
    if (this.#hands.has(gone)) this.faults.push(`The worker ${gone} lives, and was held for gone.`);
    const ids = this.listBegun(gone);
    for (const id of ids) {
      const { workspaceId } = this.#begun.get(id) as Begun;
      this.#begun.delete(id);
      this.#queue.push({ id, workspaceId, rank: -1, turn: (this.#turns += 1) });
    }
    this.#take();
    return ids;
  }

  #take(): void {
    for (const [workerId, hand] of this.#hands) {
      while (hand.busy < atOnce) {
        const next = this.#pick();
        if (!next) return;
        void this.#carryOut(workerId, hand, next);
      }
    }
  }

  /** One of any workspace that has nothing begun: the first one there. */
  #pick(): Queued | undefined {
    const busy = new Set([...this.#begun.values()].map(({ workspaceId }) => workspaceId));
    const first = new Map<string, Queued>();
    for (const one of this.#queue) {
      if (busy.has(one.workspaceId)) continue;
      const known = first.get(one.workspaceId);
      if (!known || one.rank < known.rank || (one.rank === known.rank && one.turn < known.turn))
        first.set(one.workspaceId, one);
    }
    const all = [...first.values()];
    const next = all[Math.floor(this.#random() * all.length)];
    if (next) this.#queue = this.#queue.filter((one) => one !== next);
    return next;
  }

  async #carryOut(workerId: string, hand: Hand, { id, workspaceId }: Queued): Promise<void> {
    this.#begun.set(id, { id, workspaceId, workerId });
    hand.busy += 1;
    const isOurs = () =>
      this.#hands.get(workerId) === hand && this.#begun.get(id)?.workerId === workerId;
    while (isOurs()) {
      try {
        await hand.carryOut(id);
        if (!isOurs()) return;
        this.#begun.delete(id);
        this.#ended.add(id);
        break;
      } catch {
        // The database was out of reach: the next attempt continues.
        await this.#clock.sleep(retryMs);
      }
    }
    hand.busy -= 1;
    this.#take();
  }
}
