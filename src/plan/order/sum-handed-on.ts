import type { Task } from '../../model/plan/task.ts';
import { sortTasks } from './sort-tasks.ts';
import type { TaskQuotaUse } from './task-costs.ts';

/** A task, as far as it passes room on: its own, or that of the tasks it waits for. */
interface Giver {
  /** Amount of quota that the task frees and no other has taken yet. */
  free: number;
  readonly waitsFor: readonly Giver[];
  /** Room that was passed on from here, by the waiting task that it went to. */
  readonly given: Map<Giver, number>;
  /** Tells whether a search has come here: another one would find no more. */
  isSeen: boolean;
  /** Givers that a search may go on to from here, and the number of them that it has tried. */
  ways: readonly Giver[];
  tried: number;
}

/**
 * Units of a quota that are never used in addition, in any order, since their task waits for one that frees as much, directly
 * or not: a rename waits for the name, a replacement for its place. Each unit is handed on once: the most that can be handed
 * on is a maximum flow, and what remains is the peak. Units go the first way that is found. Only then, a task that found none
 * has those that were served take theirs from elsewhere, which is rare. Linear but for these.
 */
export function sumReusedQuota(
  tasks: readonly Task[],
  costOf: (task: Task) => TaskQuotaUse,
): number {
  const isTaken = tasks.some((task) => costOf(task).needs > 0);
  if (!isTaken || !tasks.some((task) => costOf(task).frees > 0)) return 0;
  const givers = new Map<string, Giver>();
  const takers: { readonly giver: Giver; missing: number }[] = [];
  for (const task of sortTasks(tasks)) {
    const { needs, frees } = costOf(task);
    // A task that only later commands wait for has not freed anything when room is needed.
    const ended = task.dependsOn.filter(({ fromCommand }) => fromCommand === undefined);
    const waitsFor = ended.flatMap(({ on }) => skipIdle(givers.get(on)) ?? []);
    givers.set(task.id, createGiver(frees, waitsFor));
    // A task cannot use the quota that it frees itself, as it needs its own before.
    if (needs > 0) takers.push({ giver: createGiver(0, waitsFor), missing: needs });
  }
  let sum = 0;
  for (const isDiverting of [false, true]) {
    for (const giver of [...givers.values(), ...takers.map((taker) => taker.giver)]) {
      Object.assign(giver, { isSeen: false, tried: 0 });
    }
    for (const taker of takers) {
      for (let part = 1; part > 0 && taker.missing > 0; taker.missing -= part) {
        part = take(taker.giver, taker.missing, isDiverting);
        sum += part;
      }
    }
  }
  return sum;
}

function createGiver(free: number, waitsFor: readonly Giver[]): Giver {
  return { free, waitsFor, given: new Map(), isSeen: false, ways: waitsFor, tried: 0 };
}

/** The first giver at or behind this one that frees something or has more than one way on, so that chains are walked once. */
function skipIdle(giver: Giver | undefined): Giver | undefined {
  const [only, another] = giver?.waitsFor ?? [];
  return giver?.free === 0 && only && !another ? only : giver;
}

/** Takes up to this much room along one path, and returns the amount: 0 where there is none left. */
function take(taker: Giver, missing: number, isDiverting: boolean): number {
  const path = findPath(taker, isDiverting);
  const steps = path.slice(1).map((to, at) => {
    const from = path[at] ?? taker;
    return { from, to, taken: from.given.get(to) };
  });
  const last = path.at(-1);
  if (!last) return 0;
  const part = Math.min(missing, last.free, ...steps.flatMap(({ taken }) => taken ?? []));
  last.free -= part;
  for (const { from, to, taken } of steps) {
    if (taken === undefined) to.given.set(from, (to.given.get(from) ?? 0) + part);
    else if (taken > part) from.given.set(to, taken - part);
    else from.given.delete(to);
  }
  return part;
}

/**
 * Path to a giver with room, or nothing. It follows what is waited for and, when diverting, also goes back to a task that was
 * served from here and may be served from elsewhere.
 */
function findPath(taker: Giver, isDiverting: boolean): readonly Giver[] {
  const path: Giver[] = [];
  const seen: Giver[] = [];
  const enter = (giver: Giver) => {
    giver.isSeen = true;
    if (isDiverting)
      Object.assign(giver, { ways: [...giver.waitsFor, ...giver.given.keys()], tried: 0 });
    path.push(giver);
    seen.push(giver);
  };
  enter(taker);
  for (let at = path.at(-1); at && at.free === 0; at = path.at(-1)) {
    const next = at.ways[at.tried];
    if (!next) path.pop();
    else if (next.isSeen) at.tried += 1;
    else enter(next);
  }
  // Behind a giver that was left without a find there is nothing, unless the path that was found leads there.
  for (const giver of path.length > 0 && isDiverting ? seen : path) giver.isSeen = false;
  return path;
}
