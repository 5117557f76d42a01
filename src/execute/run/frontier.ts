import type { Address } from '../../model/address.ts';
import { InternalError } from '../../model/errors.ts';
import { addTo } from '../../model/group-by.ts';
import type { Task } from '../../model/plan/task.ts';

/** A task that will not run because of another that failed. */
export interface SkippedTask {
  readonly task: Task;
  /** The change whose failure it comes from, not merely the next one on the way. */
  readonly causedBy: Address;
}

/** Which tasks may start now: those whose every predecessor is done. Pure bookkeeping; it starts nothing itself. */
export class Frontier {
  readonly #open: Map<string, Task>;
  readonly #rankOf: (task: Task) => number;
  /** How many predecessors each task still waits for. */
  readonly #waiting = new Map<string, number>();
  readonly #unblocks = new Map<string, string[]>();
  /** The highest rank first, equal ones in the order in which they became ready. */
  readonly #ready: Task[] = [];

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
      for (const { on } of task.dependsOn) addTo(this.#unblocks, on, task.id);
    }
  }

  /** Takes tasks that are ready; each is given out once. */
  takeReady(atMost = Number.POSITIVE_INFINITY): readonly Task[] {
    return this.#ready.splice(0, Math.min(atMost, this.#ready.length));
  }

  /** The task is done: what waited for it alone becomes ready. */
  complete(id: string): void {
    this.#close(id);
    for (const next of this.#unblocks.get(id) ?? []) {
      const left = (this.#waiting.get(next) ?? 0) - 1;
      this.#waiting.set(next, left);
      const task = this.#open.get(next);
      if (left === 0 && task) this.#addReady(task);
    }
  }

  /** The task failed: everything that depends on it, directly or not, is skipped and returned. */
  fail(id: string): readonly SkippedTask[] {
    const causedBy = this.#close(id).address;
    const skipped: SkippedTask[] = [];
    const reached = [...(this.#unblocks.get(id) ?? [])];
    for (let at = 0; at < reached.length; at += 1) {
      const next = reached[at] as string;
      if (!this.#open.has(next)) continue;
      skipped.push({ task: this.#close(next), causedBy });
      reached.push(...(this.#unblocks.get(next) ?? []));
    }
    return skipped;
  }

  /** True while a task is ready and was not taken. */
  get hasReady(): boolean {
    return this.#ready.length > 0;
  }

  /** True when every task was completed, failed or skipped. */
  get isFinished(): boolean {
    return this.#open.size === 0;
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
