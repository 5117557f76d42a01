import { elementAt } from '../../model/group-by.ts';

/** A sleep until a moment of virtual time. */
export interface VirtualClockSleeper {
  /** Time to wake up, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Order among sleepers that are due at one moment: the first to go to sleep wakes up first. */
  readonly turn: number;
  readonly wake: () => void;
  /** Set once the sleep was aborted: the sleeper is skipped when its time comes. */
  isGone: boolean;
}

/** Queue of sleepers in the order of their times (a binary heap). Aborted sleepers stay in it until their time comes. */
export class VirtualClockSleepers {
  readonly #heap: VirtualClockSleeper[] = [];

  push(sleeper: VirtualClockSleeper): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(sleeper);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(sleeper, heap[parent])) break;
      heap[at] = elementAt(heap, parent);
      at = parent;
    }
    heap[at] = sleeper;
  }

  /** The sleeper that is due next; undefined when there is none. */
  peek(): VirtualClockSleeper | undefined {
    while (this.#heap[0]?.isGone) this.#take();
    return this.#heap[0];
  }

  /** Takes out the sleeper that is due next; undefined when nobody sleeps. */
  pop(): VirtualClockSleeper | undefined {
    return this.peek() && this.#take();
  }

  #take(): VirtualClockSleeper | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child += 1;
      if (child >= heap.length || !isBefore(heap[child], last)) break;
      heap[at] = elementAt(heap, child);
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(
  one: VirtualClockSleeper | undefined,
  other: VirtualClockSleeper | undefined,
): boolean {
  if (!one || !other) return false;
  return one.at < other.at || (one.at === other.at && one.turn < other.turn);
}
