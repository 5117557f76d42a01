import type { Task } from '../../model/plan/task.ts';

/**
 * For each task, how long it and the longest chain of what waits for it will take: what has most behind it goes first.
 * @param tasks in an order in which they could run one by one
 * @param expectMs how long the commands of one task take
 */
export function findRemainingPaths(
  tasks: readonly Task[],
  expectMs: (commands: Task['commands']) => number,
): ReadonlyMap<string, number> {
  const behind = new Map<string, number>();
  const paths = new Map<string, number>();
  for (const { id, commands, dependsOn } of [...tasks].reverse()) {
    const path = expectMs(commands) + (behind.get(id) ?? 0);
    paths.set(id, path);
    for (const { on } of dependsOn) behind.set(on, Math.max(behind.get(on) ?? 0, path));
  }
  return paths;
}
