// An engine for a day in virtual time: it gives what the engine's port promises and nothing more. It is durable as a database is:
// a worker that dies leaves its runs begun, until another one recovers them. Among workspaces there is no order.
import type {
  DurableRunEngine,
  RunPostponement,
  QueuedRun,
} from '../../../src/server/engine/durable-engine.ts';
import type { DayClock } from './day-clock.ts';

const places = { continued: 4, runs: 4, low: 4, previews: 1 };
type Queue = keyof typeof places;
const queueNames = Object.keys(places) as readonly Queue[];
const retryMs = 4_000;

interface Queued extends QueuedRun {
  readonly queue: Queue;
  readonly rank: number;
  readonly turn: number;
}

interface Begun extends Queued {
  readonly workerId: string;
}

interface Hand {
  readonly carryOut: (runId: string) => Promise<RunPostponement | undefined>;
  /** How many runs of each queue it carries out. */
  readonly busy: Record<Queue, number>;
}

/** The engine of all workers. */
export class EngineDouble {
  /** What must not happen. */
  readonly faults: string[] = [];
  readonly #clock: DayClock;
  readonly #random: () => number;
  #queue: Queued[] = [];
  readonly #begun = new Map<string, Begun>();
  /** Runs that are called for again once it is time. */
  readonly #later = new Map<string, Queued>();
  readonly #ended = new Set<string>();
  readonly #hands = new Map<string, Hand>();
  #turns = 0;

  constructor(clock: DayClock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The end of it that a worker has; a process that carries out no runs has one, too. */
  join(workerId: string, carryOut?: Hand['carryOut']): DurableRunEngine {
    if (carryOut) {
      this.#hands.set(workerId, { carryOut, busy: { continued: 0, runs: 0, low: 0, previews: 0 } });
    }
    return {
      enqueue: (run, queue) => {
        this.#enqueue(run, queue ?? 'runs');
        return Promise.resolve();
      },
      cancel: (id) => {
        this.#queue = this.#queue.filter((one) => one.id !== id);
        this.#later.delete(id);
        return Promise.resolve();
      },
      schedule: () => Promise.resolve(),
      list: () =>
        Promise.resolve(
          [...this.#queue, ...this.#later.values()].map(({ id, workspaceId, queue }) => ({
            id,
            workspaceId,
            isPreview: queue === 'previews',
          })),
        ),
      recover: (gone, begun) => Promise.resolve(this.#recover(gone, begun)),
      adopt: () => Promise.resolve([]),
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
    return this.#queue.length + this.#later.size + this.#begun.size;
  }

  /** How many runs have ended. */
  get ended(): number {
    return this.#ended.size;
  }

  /** The runs that a worker has begun. */
  listBegun(workerId: string): readonly string[] {
    return [...this.#begun.values()].filter((one) => one.workerId === workerId).map(({ id }) => id);
  }

  #enqueue({ id, workspaceId }: QueuedRun, queue: Queue): void {
    if (this.#ended.has(id) || this.#begun.has(id) || this.#later.has(id)) return;
    if (this.#queue.some((one) => one.id === id)) return;
    this.#add({ id, workspaceId, queue, rank: 1 });
  }

  #add(run: Omit<Queued, 'turn'>): void {
    this.#queue.push({ ...run, turn: (this.#turns += 1) });
    this.#take();
  }

  #recover(gone: string, begun: ReadonlySet<string>): readonly string[] {
    if (this.#hands.has(gone)) this.faults.push(`The worker ${gone} lives, and was held for gone.`);
    const ids = this.listBegun(gone);
    for (const id of ids) {
      const { workspaceId, queue } = this.#begun.get(id) as Begun;
      const isAhead = begun.has(id) && queue !== 'previews';
      this.#begun.delete(id);
      this.#add({ id, workspaceId, queue: isAhead ? 'continued' : queue, rank: 0 });
    }
    return ids;
  }

  #take(): void {
    for (const [workerId, hand] of this.#hands) {
      for (const queue of queueNames) {
        while (hand.busy[queue] < places[queue]) {
          const next = this.#pick(queue);
          if (!next) break;
          void this.#carryOut(workerId, hand, next);
        }
      }
    }
  }

  /** One of any workspace that has nothing begun in the queue: the first one there. */
  #pick(queue: Queue): Queued | undefined {
    const begun = [...this.#begun.values()].filter((one) => one.queue === queue);
    const busy = new Set(begun.map(({ workspaceId }) => workspaceId));
    const first = new Map<string, Queued>();
    for (const one of this.#queue) {
      if (one.queue !== queue || busy.has(one.workspaceId)) continue;
      const known = first.get(one.workspaceId);
      if (!known || one.rank < known.rank || (one.rank === known.rank && one.turn < known.turn))
        first.set(one.workspaceId, one);
    }
    const all = [...first.values()];
    const next = all[Math.floor(this.#random() * all.length)];
    if (next) this.#queue = this.#queue.filter((one) => one !== next);
    return next;
  }

  async #carryOut(workerId: string, hand: Hand, run: Queued): Promise<void> {
    const { id, queue } = run;
    this.#begun.set(id, { ...run, workerId });
    hand.busy[queue] += 1;
    const later = await hand.carryOut(id).catch((): RunPostponement => ({ afterMs: retryMs }));
    // What a worker that is gone has begun is left to whoever recovers it.
    if (this.#hands.get(workerId) !== hand) return;
    hand.busy[queue] -= 1;
    if (this.#begun.get(id)?.workerId === workerId) {
      this.#begun.delete(id);
      if (later) void this.#callAgain(run, later);
      else this.#ended.add(id);
    }
    this.#take();
  }

  async #callAgain(run: Queued, { afterMs }: RunPostponement): Promise<void> {
    this.#later.set(run.id, run);
    await this.#clock.sleep(afterMs);
    if (this.#later.delete(run.id)) this.#add({ ...run, rank: 0 });
  }
}
