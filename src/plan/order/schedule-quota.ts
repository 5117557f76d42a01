import type { LiveSnapshot } from '../../model/account/live.ts';
import { findBlockAddress, type ResourceAddress } from '../../model/address.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { QuotaUse } from '../../model/plan/plan.ts';
import type { Task } from '../../model/plan/task.ts';
import type { ChangeDecision } from '../decide/decision.ts';
import type { MeasuredQuotaUse } from './quota-use.ts';
import { sumReusedQuota } from './sum-handed-on.ts';
import { sortDependencies, sortTasks } from './sort-tasks.ts';
import { readTaskQuotaUses, type TaskQuotaUse, type TaskQuotaUses } from './task-costs.ts';

/** Tasks in an order that no quota blocks, and the peak use of each quota on the way. */
export interface QuotaSchedule {
  readonly tasks: readonly Task[];
  readonly quotas: readonly QuotaUse[];
}

/**
 * Makes creates wait for the deletes that free their room, where there is not room for all at once. A peak that is then still
 * over a limit would be so in any order. Linear: each create waits for just the deletes whose room it uses. A resource that
 * is replaced after its successor is made hands its room on, one after the other. In a rollout what goes waits for what is
 * made, as long as there is room for both.
 */
export function scheduleQuota(
  tasks: readonly Task[],
  decisions: readonly ChangeDecision[],
  quotas: readonly MeasuredQuotaUse[],
  live: LiveSnapshot,
): QuotaSchedule {
  const schedule = scheduleInOrder(tasks, decisions, quotas, live);
  if (isFitting(schedule)) return schedule;
  const goers = listWaitingGoers(tasks, decisions);
  const scheduleWithout = (blocks: ReadonlySet<ResourceAddress>) => {
    const freed = tasks.map((task) => {
      const given = goers.get(task);
      return given && blocks.has(findBlockAddress(task.address))
        ? { ...task, dependsOn: given }
        : task;
    });
    return scheduleInOrder(sortTasks(freed), decisions, quotas, live);
  };
  const freed = new Set([...goers.keys()].map(({ address }) => findBlockAddress(address)));
  let fitting = freed.size > 0 ? scheduleWithout(freed) : schedule;
  if (!isFitting(fitting)) return schedule;
  // Only blocks that cannot do without the room lose a member earlier.
  for (const block of [...freed]) {
    freed.delete(block);
    const other = scheduleWithout(freed);
    if (isFitting(other)) fitting = other;
    else freed.add(block);
  }
  return fitting;
}

function isFitting({ quotas }: QuotaSchedule): boolean {
  return quotas.every(({ peak, limit }) => peak <= limit);
}

/** The deletions that wait for what their rollout makes, each with its other waits. */
function listWaitingGoers(
  tasks: readonly Task[],
  decisions: readonly ChangeDecision[],
): ReadonlyMap<Task, Task['dependsOn']> {
  const actions = new Map(decisions.map(({ change }) => [change.address, change.action]));
  const makers = new Set(
    tasks.flatMap(({ id, address }) => (actions.get(address) === 'create' ? [id] : [])),
  );
  return new Map(
    tasks.flatMap((task) => {
      if (actions.get(task.address) !== 'delete') return [];
      const others = task.dependsOn.filter(
        ({ on, reason }) => reason !== 'rollout' || !makers.has(on),
      );
      return others.length < task.dependsOn.length ? [[task, others] as const] : [];
    }),
  );
}

function scheduleInOrder(
  tasks: readonly Task[],
  decisions: readonly ChangeDecision[],
  quotas: readonly MeasuredQuotaUse[],
  live: LiveSnapshot,
): QuotaSchedule {
  const costs = readTaskQuotaUses(tasks, decisions, live);
  // Only computed where there is not room for all at once, which is rare.
  let known: Map<string, Set<string>> | undefined;
  const waitsOf = () =>
    (known ??= new Map(
      tasks.map((task) => [task.id, new Set(task.dependsOn.map(({ on }) => on))]),
    ));
  const measured = quotas.map((quota) => {
    return { ...quota, ...scheduleOne(quota, tasks, costs, waitsOf) };
  });
  const waits = known;
  const isChanged =
    waits && tasks.some((task) => waits.get(task.id)?.size !== task.dependsOn.length);
  if (!isChanged) return { tasks, quotas: measured };
  const ordered = sortTasks(addWaits(tasks, waits));
  // A wait for the sake of one quota may serve another quota, too.
  const lowered = measured.map((quota) => {
    const { name, peak, unordered } = quota;
    const handedOn = sumReusedQuota(ordered, ({ id }) => costs.get(id)?.[name] ?? noCost);
    return { ...quota, peak: Math.min(peak, unordered - handedOn) };
  });
  return { tasks: ordered, quotas: lowered };
}

/** The tasks with their present waits: the added ones are for the sake of a quota. */
function addWaits(
  tasks: readonly Task[],
  waits: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Task[] {
  return tasks.map((task) => {
    const known = new Set(task.dependsOn.map(({ on }) => on));
    const added = [...(waits.get(task.id) ?? [])].filter((on) => !known.has(on));
    if (added.length === 0) return task;
    const room = added.map((on) => ({ on, reason: 'quota' as const }));
    return { ...task, dependsOn: sortDependencies([...task.dependsOn, ...room]) };
  });
}

/** Makes tasks wait for others where one quota has no room for all at once. */
function scheduleOne(
  { name, limit, used }: MeasuredQuotaUse,
  tasks: readonly Task[],
  costs: TaskQuotaUses,
  waitsOf: () => ReadonlyMap<string, Set<string>>,
): Pick<QuotaUse, 'peak' | 'unordered'> {
  const costOf = (task: Pick<Task, 'id'>) => costs.get(task.id)?.[name] ?? noCost;
  const taking = tasks.filter((task) => costOf(task).needs > 0);
  const taken = taking.reduce((sum, task) => sum + costOf(task).needs, 0);
  const unordered = used + taken;
  const peak = unordered - sumReusedQuota(tasks, costOf);
  if (peak <= limit || taken === 0) return { peak, unordered };
  const waits = waitsOf();
  const takers = lendersFirst(taking, (task) => isLender(task, costOf, waits), tasks, waits);
  const freeing = groupByTaker(takers, tasks, waits);
  const { add, claim } = shareOut();
  const release = (taker: number) => {
    for (const task of freeing.get(taker) ?? []) add(task.id, costOf(task).frees);
  };
  release(waitsForNone);
  // Above the limit nothing can be made at all: the deletes that get below it come before every create. Then the first
  // creates share the room that is left, and every further unit is paired with one that a delete frees.
  const overdraft = claim(used - limit);
  let room = Math.max(0, limit - used);
  let missing = overdraft.missing;
  for (const [at, task] of takers.entries()) {
    const { needs } = costOf(task);
    const shared = Math.min(room, needs);
    room -= shared;
    const claimed = claim(needs - shared);
    missing += claimed.missing;
    for (const id of [...overdraft.ids, ...claimed.ids]) waits.get(task.id)?.add(id);
    release(at);
  }
  return { peak: limit + missing, unordered };
}

const noCost: TaskQuotaUse = { needs: 0, frees: 0 };

/** Tells whether a task's room is given back: by itself, or by the destruction of the replaced resource, which waits for it. */
function isLender(
  { id, address }: Task,
  costOf: (task: Pick<Task, 'id'>) => TaskQuotaUse,
  waits: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const destroy = `${address}#destroy`;
  const follows = waits.get(destroy)?.has(id) === true;
  return costOf({ id }).frees > 0 || (follows && costOf({ id: destroy }).frees > 0);
}

/** Stands for the index of the taker of freed quota where a task waits for none. */
const waitsForNone = -1;

/**
 * Groups tasks by the last taker of freed quota that each waits for, directly or not; a taker is in the group of its
 * own.
 */
function groupByTaker(
  takers: readonly Task[],
  tasks: readonly Task[],
  waits: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<number, readonly Task[]> {
  const last = new Map(takers.map(({ id }, at) => [id, at]));
  const groups = new Map<number, Task[]>();
  for (const task of sortTasks(addWaits(tasks, waits))) {
    const taker = task.dependsOn.reduce(
      (latest, { on }) => Math.max(latest, last.get(on) ?? waitsForNone),
      last.get(task.id) ?? waitsForNone,
    );
    last.set(task.id, taker);
    addToGroup(groups, taker, task);
  }
  return groups;
}

/** Puts tasks that give their room back first, so that others can use it, as far as they wait for none of the others. */
function lendersFirst(
  taking: readonly Task[],
  isLender: (task: Task) => boolean,
  tasks: readonly Task[],
  waits: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Task[] {
  const keepers = taking.filter((task) => !isLender(task));
  if (keepers.length === taking.length) return taking;
  const late = findDependents(keepers, tasks, waits);
  return [...taking.filter(({ id }) => !late.has(id)), ...taking.filter(({ id }) => late.has(id))];
}

/** Hands out amounts: each claim returns the next ones that cover it, and the part that stays uncovered. */
function shareOut() {
  const amounts: { readonly id: string; readonly amount: number }[] = [];
  let at = 0;
  let spent = 0;
  return {
    add: (id: string, amount: number) => {
      if (amount > 0) amounts.push({ id, amount });
    },
    claim: (wanted: number) => {
      const ids: string[] = [];
      let missing = Math.max(0, wanted);
      for (let next = amounts[at]; missing > 0 && next; next = amounts[at]) {
        const part = Math.min(missing, next.amount - spent);
        ids.push(next.id);
        missing -= part;
        spent += part;
        if (spent < next.amount) continue;
        at += 1;
        spent = 0;
      }
      return { ids, missing };
    },
  };
}

/** Ids of the tasks that wait for one of these, directly or not. */
function findDependents(
  from: readonly Task[],
  tasks: readonly Task[],
  waits: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const unblocks = new Map<string, string[]>();
  for (const { id } of tasks) {
    for (const wait of waits.get(id) ?? []) {
      addToGroup(unblocks, wait, id);
    }
  }
  const reached = new Set(from.map((task) => task.id));
  for (const id of reached) for (const next of unblocks.get(id) ?? []) reached.add(next);
  return reached;
}
