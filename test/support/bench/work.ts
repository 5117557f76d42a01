// What the service had to do for an apply, and what no schedule of it can beat.
import type { ServiceClient } from '../../../src/api/client.ts';
import { groupBy } from '../../../src/model/group-by.ts';
import type { LiveOperation } from '../../../src/model/account/operation.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import type { State } from '../../../src/model/state/state.ts';

/** A task with the time that the service took for it. */
interface Work {
  readonly id: string;
  /** Its commands: what is known of how long it will take before it begins. */
  readonly sort: string;
  readonly ownMs: number;
  readonly dependsOn: readonly string[];
}

/** All that the service has done for the account. */
export async function readHistory(
  client: Pick<ServiceClient, 'listProjects' | 'listOperations'>,
): Promise<readonly LiveOperation[]> {
  const projects = await client.listProjects();
  const lists = projects.map(({ id }) => client.listOperations(id, { newest: 1e6 }));
  return (await Promise.all(lists)).flat();
}

/** The tasks of a plan with what the service took for each, and when it was done with them, by address. */
export function layOutWork(plan: Plan, state: State, history: readonly LiveOperation[]) {
  const spent = new Map<string, number>();
  const lastAt = new Map<string, number>();
  for (const { resourceId, createdAt, completedAt } of history) {
    if (resourceId === null || createdAt === null || completedAt === null) continue;
    spent.set(resourceId, (spent.get(resourceId) ?? 0) + completedAt - createdAt);
    lastAt.set(resourceId, Math.max(lastAt.get(resourceId) ?? 0, completedAt));
  }
  const idOf = (address: string) => state.resources.get(address)?.id ?? '';
  const tasks: Work[] = plan.tasks.map(({ id, address, commands, dependsOn }) => ({
    id,
    sort: commands.map(({ kind }) => kind).join(' '),
    ownMs: spent.get(idOf(address)) ?? 0,
    dependsOn: dependsOn.map(({ on }) => on),
  }));
  const completedAt = new Map(
    plan.tasks.map(({ address }) => [address, lastAt.get(idOf(address))] as const),
  );
  return { tasks, completedAt };
}

/** No schedule is shorter: the longest path through the tasks, or all work over what may run at once. */
export function findBound(tasks: readonly Work[], parallelism: number): number {
  const ends = new Map<string, number>();
  let total = 0;
  for (const { id, ownMs, dependsOn } of tasks) {
    total += ownMs;
    ends.set(id, ownMs + Math.max(0, ...dependsOn.map((wait) => ends.get(wait) ?? 0)));
  }
  return Math.max(total / parallelism, ...ends.values());
}

/**
 * Of those that are ready, the one with the longest way before it takes the next free place, by how long its sort takes on
 * average: more cannot be known of what has not begun.
 */
export function scheduleGreedily(tasks: readonly Work[], parallelism: number): number {
  const ways = estimateWays(tasks);
  const wayOf = ({ id }: Work) => ways.get(id) ?? 0;
  const waiting = new Map(tasks.map((task) => [task.id, new Set(task.dependsOn)]));
  const ready = tasks.filter(({ dependsOn }) => dependsOn.length === 0);
  let running: { id: string; at: number }[] = [];
  let now = 0;
  while (ready.length > 0 || running.length > 0) {
    ready.sort((a, b) => wayOf(b) - wayOf(a));
    for (const { id, ownMs } of ready.splice(0, parallelism - running.length)) {
      running.push({ id, at: now + ownMs });
    }
    now = Math.min(...running.map(({ at }) => at));
    const ended = new Set(running.filter(({ at }) => at <= now).map(({ id }) => id));
    running = running.filter(({ id }) => !ended.has(id));
    for (const task of tasks) {
      const waits = waiting.get(task.id);
      if (!waits || waits.size === 0) continue;
      for (const id of ended) waits.delete(id);
      if (waits.size === 0) ready.push(task);
    }
  }
  return now;
}

/** How long each task and the longest chain behind it take on average: without the estimates of the program, which is judged. */
function estimateWays(tasks: readonly Work[]): ReadonlyMap<string, number> {
  const averages = new Map(
    [...groupBy(tasks, ({ sort }) => sort)].map(([sort, alike]) => [
      sort,
      alike.reduce((sum, { ownMs }) => sum + ownMs, 0) / alike.length,
    ]),
  );
  const behind = new Map<string, number>();
  for (const { id, sort, dependsOn } of [...tasks].reverse()) {
    const way = (averages.get(sort) ?? 0) + (behind.get(id) ?? 0);
    behind.set(id, way);
    for (const on of dependsOn) behind.set(on, Math.max(behind.get(on) ?? 0, way));
  }
  return behind;
}
