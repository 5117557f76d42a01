import type { Address } from '../../model/address.ts';
import { InternalError } from '../../model/errors.ts';
import { addTo } from '../../model/group-by.ts';
import type { Task } from '../../model/plan/plan.ts';

/** A task that will not run because of another that failed. */
export interface SkippedTask {
  readonly task: Task;
  /** The change whose failure it comes from, not merely the next one on the way. */
  readonly causedBy: Address;
}

/** Which tasks may start now: those whose every predecessor is done. Pure bookkeeping; it starts nothing itself. */
export interface Frontier {
  /** Tasks that have become ready since the last call, in plan order. */
  takeReady(): readonly Task[];
  /** The task is done: what waited for it alone becomes ready. */
  complete(id: string): void;
  /** The task failed: everything that depends on it, directly or not, is skipped and returned. */
  fail(id: string): readonly SkippedTask[];
  /** True when every task was completed, failed or skipped. */
  readonly isFinished: boolean;
}

/** A frontier over tasks that are in an order in which they could run one by one. */
export function createFrontier(tasks: readonly Task[]): Frontier {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const waiting = new Map<string, number>();
  const unblocks = new Map<string, string[]>();
  const open = new Set(byId.keys());
  let ready: Task[] = [];
  for (const task of tasks) {
    waiting.set(task.id, task.dependsOn.length);
    if (task.dependsOn.length === 0) ready.push(task);
    for (const id of task.dependsOn) {
      addTo(unblocks, id, task.id);
    }
  }

  const close = (id: string): Task => {
    const task = byId.get(id);
    if (!task || !open.delete(id)) throw new InternalError(`task ${id} ended twice`);
    return task;
  };

  return {
    takeReady() {
      const taken = ready.filter((task) => open.has(task.id));
      ready = [];
      return taken;
    },
    complete(id) {
      close(id);
      for (const next of unblocks.get(id) ?? []) {
        const left = (waiting.get(next) ?? 0) - 1;
        waiting.set(next, left);
        const task = byId.get(next);
        if (left === 0 && task && open.has(next)) ready.push(task);
      }
    },
    fail(id) {
      const causedBy = close(id).address;
      const skipped: SkippedTask[] = [];
      const reached = [...(unblocks.get(id) ?? [])];
      for (let at = 0; at < reached.length; at += 1) {
        const next = reached[at] as string;
        if (!open.has(next)) continue;
        skipped.push({ task: close(next), causedBy });
        reached.push(...(unblocks.get(next) ?? []));
      }
      return skipped;
    },
    get isFinished() {
      return open.size === 0;
    },
  };
}
