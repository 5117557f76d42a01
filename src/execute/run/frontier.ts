import type { ResourceAddress } from '../../model/address.ts';
import { InternalError } from '../../model/errors.ts';
import { addToGroup, elementAt } from '../../model/group-by.ts';
import type { Task } from '../../model/plan/task.ts';

/** A task that is skipped because one that it depends on failed. */
export interface SkippedTask {
  readonly task: Task;
  /** The change whose failure it comes from, not merely the next one on the way. */
  readonly causedBy: ResourceAddress;
}

/** A task that depends on another one. */
interface Next {
  readonly id: string;
  /** Set where only the later commands wait for the end: the first may be sent once the predecessor is accepted. */
  readonly isLate: boolean;
  /** Tells whether the task only waits for the other one's end, be it a failure. */
  readonly mayFail: boolean;
}

/** Keeps track of the tasks that may start: those whose every predecessor is done. It starts nothing itself. */
export class TaskFrontier {
  /** Tasks that have not ended, by id. */
  readonly #open: Map<string, Task>;
  readonly #started = new Set<string>();
  readonly #accepted = new Set<string>();
  readonly #rankOf: (task: Task) => number;
  /** Number of predecessors that the start of each task still waits for. */
  readonly #waiting = new Map<string, number>();
  readonly #unblocks = new Map<string, Next[]>();
  /** The highest rank first, equal ones in the order in which they became ready. */
  #ready: Task[] = [];

  /**
   * @param tasks in an order in which they could run one by one
   * @param rankOf of the tasks that are ready, that of the highest rank starts first; in plan order unless given
   */
  constructor(tasks: readonly Task[], rankOf: (task: Task) => number = () => 0) {
    this.#open = new Map(tasks.map((task) => [task.id, task]));
    this.#rankOf = rankOf;
    for (const task of tasks) {
      this.#waiting.set(task.id, task.dependsOn.length);
      if (task.dependsOn.length === 0) this.#addReady(task);
      for (const { on, fromCommand, mayFail = false } of task.dependsOn) {
        addToGroup(this.#unblocks, on, { id: task.id, isLate: fromCommand !== undefined, mayFail });
      }
    }
  }

  /** Takes tasks that are ready to run; each is given out once. */
  takeReady(atMost = Number.POSITIVE_INFINITY): readonly Task[] {
    const taken = this.#ready.splice(0, Math.min(atMost, this.#ready.length));
    for (const { id } of taken) this.#started.add(id);
    return taken;
  }

  /**
   * Notes that the service has accepted the last command of a task: tasks that need its end only for a later command become
   * ready.
   */
  accept(id: string): void {
    if (!this.#open.has(id) || this.#accepted.has(id)) return;
    this.#accepted.add(id);
    for (const next of this.#unblocks.get(id) ?? []) if (next.isLate) this.#unblock(next.id);
  }

  /** Notes that a task is done: tasks that only waited for it become ready. */
  complete(id: string): void {
    this.#close(id);
    const isAccepted = this.#accepted.has(id);
    for (const next of this.#unblocks.get(id) ?? []) {
      if (!(next.isLate && isAccepted)) this.#unblock(next.id);
    }
  }

  /**
   * The task failed: everything that depends on it, directly or not, is skipped and returned; but for what has started, and
   * will fail by itself.
   */
  fail(id: string): readonly SkippedTask[] {
    const causedBy = this.#close(id).address;
    const skipped: SkippedTask[] = [];
    const reached = [...(this.#unblocks.get(id) ?? [])];
    for (let at = 0; at < reached.length; at += 1) {
      const { id: next, mayFail } = elementAt(reached, at);
      if (mayFail) this.#unblock(next);
      else if (this.#open.has(next) && !this.#started.has(next)) {
        skipped.push({ task: this.#close(next), causedBy });
        reached.push(...(this.#unblocks.get(next) ?? []));
      }
    }
    // Skipped tasks that waited only for a free place are not ready any more.
    if (skipped.length > 0) this.#ready = this.#ready.filter((task) => this.#open.has(task.id));
    return skipped;
  }

  /** The highest rank of the tasks that are ready and were not taken; undefined where there is none. */
  get nextRank(): number | undefined {
    const next = this.#ready[0];
    return next && this.#rankOf(next);
  }

  /** Tells whether every task was completed, failed or skipped. */
  get isFinished(): boolean {
    return this.#open.size === 0;
  }

  #unblock(id: string): void {
    const left = (this.#waiting.get(id) ?? 0) - 1;
    this.#waiting.set(id, left);
    const task = this.#open.get(id);
    if (left === 0 && task) this.#addReady(task);
  }

  #close(id: string): Task {
    const task = this.#open.get(id);
    if (!task || !this.#open.delete(id)) throw new InternalError(`task ${id} ended twice`);
    return task;
  }

  #addReady(task: Task): void {
    const rank = this.#rankOf(task);
    let low = 0;
    let high = this.#ready.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#ready[middle];
      if (other && this.#rankOf(other) >= rank) low = middle + 1;
      else high = middle;
    }
    this.#ready.splice(low, 0, task);
  }
}
