import { addToGroup } from '../../model/group-by.ts';
import type { BrokenDependency, Dependency, Task } from '../../model/plan/task.ts';
import type { ChangeDecision } from '../decide/decision.ts';
import { findTaskCycles, sortDependencies, sortTasks } from './sort-tasks.ts';

/** Dependencies of a task, by the id of the task that is waited for. */
export type TaskDependencies = Map<string, Dependency>;

/** Adds a dependency: of several reasons the first counts, and of several commands that wait the earliest. */
export function addTaskWait(waits: TaskDependencies, added: Dependency): void {
  const known = waits.get(added.on);
  if (!known) waits.set(added.on, added);
  else if (known.fromCommand !== undefined) {
    const { fromCommand: earlier, ...rest } = known;
    const from = Math.min(earlier, added.fromCommand ?? 0);
    waits.set(added.on, from > 0 ? { ...rest, fromCommand: from } : rest);
  }
}

/** A task that is being ordered, with its dependencies. */
export interface TaskDraft {
  readonly task: Omit<Task, 'dependsOn'>;
  /** Dependencies on other tasks that the service requires, so that none can be dropped. */
  readonly hard: TaskDependencies;
  /** Waits that only avoid a refusal of the service: dropped where they would close a circle. */
  readonly soft: TaskDependencies;
}

/** A task that carries out a change, other than a gate between instances. */
export interface ChangeTaskDraft extends TaskDraft {
  readonly decision: ChangeDecision;
}

/** Broken dependencies by the id of the task that no longer waits. */
type Broken = Map<string, BrokenDependency[]>;

/**
 * The tasks in address order where nothing waits. Of each circle the soft dependencies are broken, and no others.
 * @throws TaskCycleError when hard dependencies alone make a circle
 */
export function sortTaskDrafts(drafts: ReadonlyMap<string, TaskDraft>): readonly Task[] {
  const broken: Broken = new Map();
  for (;;) {
    const tasks = [...drafts.values()].map((draft) => layOut(draft, broken));
    const circles = findTaskCycles(tasks);
    if (circles.length === 0) return sortTasks(tasks);
    if (circles.every((circle) => breakCircle(circle, drafts, broken))) continue;
    // The error names the circle of hard dependencies, about which nothing can be done.
    return sortTasks([...drafts.values()].map((draft) => layOut({ ...draft, soft: new Map() })));
  }
}

/** Notes the soft dependencies of a circle as broken; false when it has none. */
function breakCircle(
  tasks: readonly Task[],
  drafts: ReadonlyMap<string, TaskDraft>,
  broken: Broken,
): boolean {
  const circle = tasks.map(({ id }) => id);
  const soft = circle.flatMap((id, at) => {
    const on = circle[(at + 1) % circle.length] ?? id;
    const draft = drafts.get(id);
    const soft = draft?.hard.has(on) === true ? undefined : draft?.soft.get(on);
    return soft ? [{ id, dependency: { ...soft, circle } }] : [];
  });
  for (const { id, dependency } of soft) addToGroup(broken, id, dependency);
  return soft.length > 0;
}

function layOut({ task, hard, soft }: TaskDraft, broken: Broken = new Map()): Task {
  const own = broken.get(task.id) ?? [];
  const waits: TaskDependencies = new Map(hard);
  for (const one of soft.values()) addTaskWait(waits, one);
  for (const { on } of own) waits.delete(on);
  return {
    ...task,
    dependsOn: sortDependencies([...waits.values()]),
    ...(own.length > 0 && { broken: own }),
  };
}
