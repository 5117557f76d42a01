import { InternalError } from '../../model/errors.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { Dependency, Task } from '../../model/plan/task.ts';

/** Error for tasks that wait for one another in a cycle. */
export class TaskCycleError extends InternalError {
  readonly tasks: readonly Task[];

  constructor(tasks: readonly Task[]) {
    super('the planned tasks wait for one another in a circle');
    this.name = 'TaskCycleError';
    this.tasks = tasks;
  }
}

/**
 * Puts tasks in an order in which they may run one by one, keeping the given order where nothing waits.
 * @throws TaskCycleError when tasks wait for one another in a circle
 */
export function sortTasks(tasks: readonly Task[]): readonly Task[] {
  const ordered = peelTasks(tasks);
  if (ordered.length < tasks.length) throw new TaskCycleError(tasks);
  return ordered;
}

/** The ordered tasks, without those in a circle, and those that wait for one (Kahn's algorithm). */
function peelTasks(tasks: readonly Task[]): readonly Task[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const open = new Map<string, number>();
  const unblocks = new Map<string, string[]>();
  for (const { id, dependsOn } of tasks) {
    open.set(id, dependsOn.length);
    for (const { on } of dependsOn) addToGroup(unblocks, on, id);
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

/** Circles of tasks, each of which waits for the next, and the last for the first. No two circles share a task. */
export function findTaskCycles(tasks: readonly Task[]): readonly (readonly Task[])[] {
  const free = new Set(peelTasks(tasks));
  const stuck = new Map(
    tasks.flatMap((task) => (free.has(task) ? [] : [[task.id, task] as const])),
  );
  const circles: Task[][] = [];
  const done = new Set<Task>();
  for (const start of stuck.values()) {
    const path = new Set<Task>();
    let at: Task | undefined = start;
    while (at && !done.has(at) && !path.has(at)) {
      path.add(at);
      const next: string | undefined = at.dependsOn.find(({ on }) => stuck.has(on))?.on;
      at = next === undefined ? undefined : stuck.get(next);
    }
    if (at && path.has(at)) circles.push([...path].slice([...path].indexOf(at)));
    for (const passed of path) done.add(passed);
  }
  return circles;
}

/** Sorts dependencies by the id of the task that is waited for: one order, however they were found. */
export function sortDependencies(all: readonly Dependency[]): readonly Dependency[] {
  return [...all].sort((a, b) => (a.on < b.on ? -1 : 1));
}
