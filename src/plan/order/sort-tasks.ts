import { InternalError } from '../../model/errors.ts';
import { addTo } from '../../model/group-by.ts';
import type { Task } from '../../model/plan/plan.ts';

/** Tasks that wait for one another. */
export class CircleError extends InternalError {
  readonly tasks: readonly Task[];

  constructor(tasks: readonly Task[]) {
    super('the planned tasks wait for one another in a circle');
    this.name = 'CircleError';
    this.tasks = tasks;
  }
}

/**
 * Puts tasks in an order in which they may run one by one, keeping theirs where nothing waits.
 * @throws CircleError when tasks wait for one another in a circle
 */
export function sortTasks(tasks: readonly Task[]): readonly Task[] {
  const ordered = peelTasks(tasks);
  if (ordered.length < tasks.length) throw new CircleError(tasks);
  return ordered;
}

/** The same without those that stand in a circle, or wait for one (Kahn's algorithm). */
export function peelTasks(tasks: readonly Task[]): readonly Task[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const open = new Map<string, number>();
  const unblocks = new Map<string, string[]>();
  for (const { id, dependsOn } of tasks) {
    open.set(id, dependsOn.length);
    for (const wait of dependsOn) {
      addTo(unblocks, wait, id);
    }
  }
  const ordered = tasks.filter(({ dependsOn }) => dependsOn.length === 0);
  for (let at = 0; at < ordered.length; at += 1) {
    for (const next of unblocks.get(ordered[at]?.id ?? '') ?? []) {
      const left = (open.get(next) ?? 0) - 1;
      open.set(next, left);
      const task = byId.get(next);
      if (left === 0 && task) ordered.push(task);
    }
  }
  return ordered;
}
