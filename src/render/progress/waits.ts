import type { Address } from '../../model/address.ts';
import type { Task } from '../../model/plan/task.ts';

/** How far an apply is, by the ids of its tasks. */
export interface TaskStates {
  readonly running: ReadonlySet<string>;
  readonly done: ReadonlySet<string>;
  /** What waits for one of these is skipped: it does not wait. */
  readonly failed: ReadonlySet<string>;
}

/** What waits, by what it waits for; the most first. */
export interface Waits {
  readonly count: number;
  /** How many tasks are skipped, since what they wait for failed. */
  readonly skipped: number;
  /** `on` is the change that runs now and has to end first; undefined where only a turn is waited for. */
  readonly groups: readonly { readonly on: Address | undefined; readonly count: number }[];
}

/** Finds what of an apply waits and why. @param tasks in an order in which they could run one by one */
export function findWaits(tasks: readonly Task[], { running, done, failed }: TaskStates): Waits {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const gone = new Set(failed);
  const blockers = new Map<string, Address | undefined>();
  const counts = new Map<Address | undefined, number>();
  for (const { id, dependsOn } of tasks) {
    if (done.has(id) || running.has(id) || failed.has(id)) continue;
    if (dependsOn.some(({ on, mayFail }) => gone.has(on) && !mayFail)) {
      gone.add(id);
      continue;
    }
    const open = dependsOn.flatMap(({ on }) => (done.has(on) || gone.has(on) ? [] : [on]));
    const next = open.find((other) => running.has(other));
    // What it waits for may itself wait: then both wait for the same.
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
