import type { ResourceAddress } from '../../model/address.ts';
import type { Task } from '../../model/plan/task.ts';

/** Ids of an apply's tasks, by their progress. */
export interface ApplyTaskStates {
  readonly running: ReadonlySet<string>;
  readonly done: ReadonlySet<string>;
  /** Tasks that failed: their dependants are skipped, and do not count as waiting. */
  readonly failed: ReadonlySet<string>;
}

/** Waiting tasks, grouped by the change that they wait for; the largest group first. */
export interface WaitingTasks {
  readonly count: number;
  /** Number of tasks that are skipped, since a task that they need failed. */
  readonly skipped: number;
  /**
   * Groups of the waiting tasks by the running change `on` that has to end first; `on` is undefined where a task waits
   * only for its turn.
   */
  readonly groups: readonly { readonly on: ResourceAddress | undefined; readonly count: number }[];
}

/** Finds the tasks of an apply that wait, and why. @param tasks in an order in which they could run one by one */
export function findWaitingTasks(
  tasks: readonly Task[],
  { running, done, failed }: ApplyTaskStates,
): WaitingTasks {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const gone = new Set(failed);
  const blockers = new Map<string, ResourceAddress | undefined>();
  const counts = new Map<ResourceAddress | undefined, number>();
  for (const { id, dependsOn } of tasks) {
    if (done.has(id) || running.has(id) || failed.has(id)) continue;
    if (dependsOn.some(({ on, mayFail }) => gone.has(on) && !mayFail)) {
      gone.add(id);
      continue;
    }
    const open = dependsOn.flatMap(({ on }) => (done.has(on) || gone.has(on) ? [] : [on]));
    const next = open.find((other) => running.has(other));
    // A dependency that waits itself: both tasks then wait for the same change.
    const on =
      next === undefined
        ? open.map((other) => blockers.get(other)).find((one) => one !== undefined)
        : byId.get(next)?.address;
    blockers.set(id, on);
    counts.set(on, (counts.get(on) ?? 0) + 1);
  }
  const groups = [...counts].map(([on, count]) => ({ on, count }));
  return {
    count: groups.reduce((sum, group) => sum + group.count, 0),
    skipped: gone.size - failed.size,
    groups: groups.sort((a, b) => b.count - a.count),
  };
}
