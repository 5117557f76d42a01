import { quotaNames, type LiveSnapshot, type QuotaName } from '../model/live.ts';
import type { QuotaUse, Task } from '../model/plan.ts';
import type { Decision } from './decision.ts';
import { sortTasks } from './sort-tasks.ts';

/** Tasks in an order that no quota stands in the way of, and what each quota comes to on the way. */
export interface Room {
  readonly tasks: readonly Task[];
  readonly quotas: readonly QuotaUse[];
}

/** A quota before anything was ordered for it. */
export type MeasuredQuota = Omit<QuotaUse, 'peak' | 'unordered'>;

/** What a task takes of a quota, or gives back when it is negative. */
type Costs = ReadonlyMap<string, Readonly<Partial<Record<QuotaName, number>>>>;

/**
 * Makes creates wait for the deletes that free what they need, where there is not room for all at once. What is left
 * over a limit then cannot be helped by any order: it stands in `peak`. Linear: each create waits for just the deletes
 * whose room it takes.
 */
export function makeRoom(
  tasks: readonly Task[],
  decisions: readonly Decision[],
  quotas: readonly MeasuredQuota[],
  live: LiveSnapshot,
): Room {
  const costs = readCosts(tasks, decisions, live);
  const waits = new Map(tasks.map((task) => [task.id, new Set(task.dependsOn)]));
  const measured = quotas.map((quota) => {
    return { ...quota, ...makeRoomIn(quota, tasks, costs, waits) };
  });
  const isChanged = tasks.some((task) => waits.get(task.id)?.size !== task.dependsOn.length);
  const waiting = tasks.map((task) => ({
    ...task,
    dependsOn: [...(waits.get(task.id) ?? [])].sort(),
  }));
  return { tasks: isChanged ? sortTasks(waiting) : tasks, quotas: measured };
}

/** Adds the waits that one quota needs. */
function makeRoomIn(
  { name, limit, used }: MeasuredQuota,
  tasks: readonly Task[],
  costs: Costs,
  waits: ReadonlyMap<string, Set<string>>,
): Pick<QuotaUse, 'peak' | 'unordered'> {
  const costOf = (task: Task) => costs.get(task.id)?.[name] ?? 0;
  const taking = tasks.filter((task) => costOf(task) > 0);
  const taken = taking.reduce((sum, task) => sum + costOf(task), 0);
  const unordered = used + taken;
  const missing = unordered - limit;
  if (missing <= 0 || taken === 0) return { peak: unordered, unordered };
  const late = findDependents(taking, tasks, waits);
  const freeing = tasks.filter((task) => costOf(task) < 0 && !late.has(task.id));
  const freed = -freeing.reduce((sum, task) => sum + costOf(task), 0);
  // The first creates share the room that is left; every further unit is paired with one that a delete frees.
  let ahead = Math.min(taken, Math.max(0, limit - used));
  let at = 0;
  let left = freeing[0] ? -costOf(freeing[0]) : 0;
  for (const task of taking) {
    let wanted = costOf(task) - ahead;
    ahead = Math.max(0, -wanted);
    while (wanted > 0) {
      const delete_ = freeing[at];
      if (!delete_) break;
      if (delete_.id !== task.id) waits.get(task.id)?.add(delete_.id);
      const paired = Math.min(wanted, left);
      wanted -= paired;
      left -= paired;
      if (left > 0) continue;
      at += 1;
      left = freeing[at] ? -costOf(freeing[at] as Task) : 0;
    }
  }
  return { peak: unordered - Math.min(freed, missing), unordered };
}

/** Everything that waits for one of these tasks, directly or not. */
function findDependents(
  from: readonly Task[],
  tasks: readonly Task[],
  waits: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const unblocks = new Map<string, string[]>();
  for (const { id } of tasks) {
    for (const wait of waits.get(id) ?? []) {
      const list = unblocks.get(wait);
      if (list) list.push(id);
      else unblocks.set(wait, [id]);
    }
  }
  const reached = new Set(from.map((task) => task.id));
  for (const id of reached) for (const next of unblocks.get(id) ?? []) reached.add(next);
  return reached;
}

function readCosts(
  tasks: readonly Task[],
  decisions: readonly Decision[],
  { catalog }: LiveSnapshot,
): Costs {
  const byAddress = new Map(decisions.map((one) => [one.change.address, one]));
  const costs = new Map<string, Partial<Record<QuotaName, number>>>();
  for (const { id, address, phase } of tasks) {
    const decision = byAddress.get(address);
    if (!decision) continue;
    const { change, kind, live, leftPublicIpId } = decision;
    const isMade = change.action === 'create' || change.action === 'replace';
    if (phase === 'apply' && isMade && change.after)
      costs.set(id, kind.quota(change.after, catalog));
    if (phase !== 'destroy') continue;
    const given: Partial<Record<QuotaName, number>> = {};
    const held = live && change.before ? kind.quota(change.before, catalog) : {};
    for (const name of quotaNames) if (held[name]) given[name] = -held[name];
    if (leftPublicIpId !== undefined) given.publicIps = (given.publicIps ?? 0) - 1;
    costs.set(id, given);
  }
  return costs;
}
