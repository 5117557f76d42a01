import { quotaNames, type LiveSnapshot, type QuotaName } from '../model/live.ts';
import type { QuotaUse, Task } from '../model/plan.ts';
import type { Decision } from './decision.ts';
import { costAfter } from './quota-use.ts';
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
  const claim = shareOut(freeing.map((task) => ({ id: task.id, amount: -costOf(task) })));
  // Above the limit nothing can be made at all: what brings it down goes before every create. Then the first creates
  // share the room that is left, and every further unit is paired with one that a delete frees.
  const overdraft = claim(used - limit);
  let room = Math.max(0, limit - used);
  for (const task of taking) {
    const shared = Math.min(room, costOf(task));
    room -= shared;
    for (const id of [...overdraft, ...claim(costOf(task) - shared)]) waits.get(task.id)?.add(id);
  }
  return { peak: unordered - Math.min(freed, missing), unordered };
}

/** Gives out amounts: each call names the next ones that cover what it asks for, as far as there are any. */
function shareOut(amounts: readonly { readonly id: string; readonly amount: number }[]) {
  let at = 0;
  let spent = 0;
  return (wanted: number): string[] => {
    const ids: string[] = [];
    for (let missing = wanted, next = amounts[at]; missing > 0 && next; next = amounts[at]) {
      const part = Math.min(missing, next.amount - spent);
      ids.push(next.id);
      missing -= part;
      spent += part;
      if (spent < next.amount) continue;
      at += 1;
      spent = 0;
    }
    return ids;
  };
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
    if (phase === 'apply' && isMade) costs.set(id, costAfter(kind, change, catalog));
    if (phase !== 'destroy') continue;
    const given: Partial<Record<QuotaName, number>> = {};
    const held = live && change.before ? kind.quota(change.before, catalog) : {};
    for (const name of quotaNames) if (held[name]) given[name] = -held[name];
    if (leftPublicIpId !== undefined) given.publicIps = (given.publicIps ?? 0) - 1;
    costs.set(id, given);
  }
  return costs;
}
