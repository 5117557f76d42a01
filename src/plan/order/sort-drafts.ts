import { addTo } from '../../model/group-by.ts';
import type { BrokenDependency, DependencyReason, Task } from '../../model/plan/task.ts';
import type { Decision } from '../decide/decision.ts';
import { findCircles, sortDependencies, sortTasks } from './sort-tasks.ts';

/** What a task waits for, by id, with the reason. */
export type Waits = Map<string, DependencyReason>;

/** A task under way to an order, with what it waits for. */
export interface Draft {
  readonly decision: Decision;
  readonly task: Omit<Task, 'dependsOn'>;
  /** Waits that the service insists on. */
  readonly hard: Waits;
  /** Waits that only spare the service a refusal: let go of where they would close a circle. */
  readonly soft: Waits;
}

/** By the id of the task that does not wait. */
type Broken = Map<string, BrokenDependency[]>;

/**
 * The tasks in address order where nothing waits. Of each circle the soft dependencies are broken, and no others.
 * @throws CircleError when hard dependencies alone make a circle
 */
export function sortDrafts(drafts: ReadonlyMap<string, Draft>): readonly Task[] {
  const broken: Broken = new Map();
  for (;;) {
    const tasks = [...drafts.values()].map((draft) => layOut(draft, broken));
    const circles = findCircles(tasks);
    if (circles.length === 0) return sortTasks(tasks);
    if (circles.every((circle) => breakCircle(circle, drafts, broken))) continue;
    // Told by what nothing can be done about.
    return sortTasks([...drafts.values()].map((draft) => layOut({ ...draft, soft: new Map() })));
  }
}

/** Notes the soft dependencies of a circle as broken; false when it has none. */
function breakCircle(
  tasks: readonly Task[],
  drafts: ReadonlyMap<string, Draft>,
  broken: Broken,
): boolean {
  const circle = tasks.map(({ id }) => id);
  const soft = circle.flatMap((id, at) => {
    const on = circle[(at + 1) % circle.length] ?? id;
    const draft = drafts.get(id);
    const reason = draft?.hard.has(on) === true ? undefined : draft?.soft.get(on);
    return reason === undefined ? [] : [{ id, dependency: { on, reason, circle } }];
  });
  for (const { id, dependency } of soft) addTo(broken, id, dependency);
  return soft.length > 0;
}

function layOut({ task, hard, soft }: Draft, broken: Broken = new Map()): Task {
  const own = broken.get(task.id) ?? [];
  const waits = new Map([...soft, ...hard]);
  for (const { on } of own) waits.delete(on);
  return {
    ...task,
    dependsOn: sortDependencies([...waits].map(([on, reason]) => ({ on, reason }))),
    ...(own.length > 0 && { broken: own }),
  };
}
