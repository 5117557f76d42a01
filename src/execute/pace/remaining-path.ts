import type { Task } from '../../model/plan/task.ts';

type ExpectMs = (commands: Task['commands']) => number;

/**
 * For each task, how long the longest chain of what waits for it will take.
 * @param tasks in an order in which they could run one by one
 * @param expectMs how long the commands of one task take
 */
export function findBehind(
  tasks: readonly Task[],
  expectMs: ExpectMs,
): ReadonlyMap<string, number> {
  const behind = new Map<string, number>();
  for (const { id, commands, dependsOn } of [...tasks].reverse()) {
    const after = behind.get(id) ?? 0;
    const path = expectMs(commands) + after;
    for (const { on, fromCommand } of dependsOn) {
      const own = fromCommand === undefined ? path : expectMs(commands.slice(fromCommand)) + after;
      behind.set(on, Math.max(behind.get(on) ?? 0, own));
    }
  }
  return behind;
}

/** The same with the task itself: what has most behind it goes first. */
export function findRemainingPaths(
  tasks: readonly Task[],
  expectMs: ExpectMs,
): ReadonlyMap<string, number> {
  const behind = findBehind(tasks, expectMs);
  return new Map(tasks.map(({ id, commands }) => [id, expectMs(commands) + (behind.get(id) ?? 0)]));
}
