import type { Task } from '../../model/plan/task.ts';

type ExpectMs = (commands: Task['commands']) => number;

/** Expected time of the probes of a task, in milliseconds. */
type ExpectReadyMs = (task: Task) => number;

const noProbes: ExpectReadyMs = () => 0;

/**
 * For each task, how long the longest chain of what waits for it will take.
 * @param tasks in an order in which they could run one by one
 * @param expectMs how long the commands of one task take
 */
export function estimateDependentChainMs(
  tasks: readonly Task[],
  expectMs: ExpectMs,
  expectReadyMs = noProbes,
): ReadonlyMap<string, number> {
  const behind = new Map<string, number>();
  for (const task of [...tasks].reverse()) {
    const { id, commands, dependsOn, gate } = task;
    const after = behind.get(id) ?? 0;
    const path = expectMs(commands) + expectReadyMs(task) + (gate?.waitMs ?? 0) + after;
    for (const { on, fromCommand } of dependsOn) {
      const own = fromCommand === undefined ? path : expectMs(commands.slice(fromCommand)) + after;
      behind.set(on, Math.max(behind.get(on) ?? 0, own));
    }
  }
  return behind;
}

/**
 * For each task that waves of a rollout wait for, how many of them, one after the other.
 * @param tasks in an order in which they could run one by one
 */
export function countDependentRolloutWaves(tasks: readonly Task[]): ReadonlyMap<string, number> {
  const waves = new Map<string, number>();
  for (const { id, dependsOn } of [...tasks].reverse()) {
    const after = waves.get(id) ?? 0;
    for (const { on, reason } of dependsOn) {
      const count = reason === 'rollout' ? after + 1 : after;
      if (count > (waves.get(on) ?? 0)) waves.set(on, count);
    }
  }
  return waves;
}

/**
 * Makes a function that estimates how long a task, from one of its commands on, and the longest chain of tasks that wait for it
 * will take: what has most before it goes first. Durations count as known when the function is made.
 */
export function estimateRemainingChainMs(
  tasks: readonly Task[],
  expectMs: ExpectMs,
  expectReadyMs = noProbes,
) {
  const behind = estimateDependentChainMs(tasks, expectMs, expectReadyMs);
  return (task: Task, fromCommand = 0): number => {
    const { id, commands } = task;
    const left = fromCommand === 0 ? commands : commands.slice(fromCommand);
    return expectMs(left) + expectReadyMs(task) + (behind.get(id) ?? 0);
  };
}
