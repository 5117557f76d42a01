import type { Address } from '../../model/address.ts';
import type { Task } from '../../model/plan/task.ts';
import type { ApplyEvent } from '../../model/plan/result.ts';
import { findWaitingTasks, type WaitingTasks } from '../../render/progress/waits.ts';

/** Running and ended tasks of a plan, as its events tell. */
export class TaskProgress {
  readonly #tasks: readonly Task[];
  readonly #byAddress = new Map<Address, Task[]>();
  readonly #running = new Map<Address, string>();
  readonly #done = new Set<string>();
  readonly #failed = new Set<string>();

  constructor(tasks: readonly Task[]) {
    this.#tasks = tasks;
    for (const task of tasks) {
      const own = this.#byAddress.get(task.address);
      if (own) own.push(task);
      else this.#byAddress.set(task.address, [task]);
    }
  }

  get total(): number {
    return this.#tasks.length;
  }

  get done(): number {
    return this.#done.size;
  }

  get failed(): number {
    return this.#failed.size;
  }

  note({ kind, address, step }: ApplyEvent): void {
    if (kind === 'progress') return;
    if (kind === 'started') {
      const next = this.#byAddress
        .get(address)
        ?.find(
          ({ id, phase }) => !this.#done.has(id) && (phase === 'destroy') === (step === 'delete'),
        );
      if (next) this.#running.set(address, next.id);
      return;
    }
    const id = this.#running.get(address);
    if (id === undefined) return;
    this.#running.delete(address);
    (kind === 'completed' ? this.#done : this.#failed).add(id);
  }

  findWaits(): WaitingTasks {
    const running = new Set(this.#running.values());
    return findWaitingTasks(this.#tasks, { running, done: this.#done, failed: this.#failed });
  }
}
