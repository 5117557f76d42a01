import type { RehearsedCommandRun, CriticalPathStep } from '../../model/plan/rehearsal.ts';
import type { Task } from '../../model/plan/task.ts';
import { groupBy } from '../../model/group-by.ts';

/** Commands that ran in a rehearsal, indexed for the critical path. */
interface Ran {
  readonly tasks: ReadonlyMap<string, Task>;
  /** Commands of each task in their order, by the task's id. */
  readonly runs: ReadonlyMap<string, readonly RehearsedCommandRun[]>;
}

/**
 * The critical path: the chain of commands that decides how long a plan takes, its first command first. It is found from the
 * last end backwards, over the command that each waited for longest. `startedAt`: of the whole run. Empty where no command
 * ran.
 */
export function findCriticalPath(
  tasks: readonly Task[],
  runs: readonly RehearsedCommandRun[],
  startedAt: number,
): readonly CriticalPathStep[] {
  const ran = {
    tasks: new Map(tasks.map((task) => [task.id, task])),
    runs: groupBy(runs, ({ task }) => task),
  };
  const path: CriticalPathStep[] = [];
  const seen = new Set<RehearsedCommandRun>();
  let run = pickLast(runs);
  while (run && !seen.has(run)) {
    seen.add(run);
    const before = pickLast(listAwaited(ran, run));
    const { task, command, startedAt: at, endedAt } = run;
    path.push({
      address: ran.tasks.get(task)?.address ?? task,
      command,
      startedAt: at,
      endedAt,
      waitedMs: Math.max(0, at - (before?.endedAt ?? startedAt)),
    });
    run = before;
  }
  return path.reverse();
}

function pickLast(runs: readonly RehearsedCommandRun[]): RehearsedCommandRun | undefined {
  return runs.reduce<RehearsedCommandRun | undefined>(
    (last, run) => (!last || run.endedAt > last.endedAt ? run : last),
    undefined,
  );
}

/** Commands that a command waited for: the one before it, and the last of each task that it needs. */
function listAwaited(
  ran: Ran,
  { task: id, index }: RehearsedCommandRun,
): readonly RehearsedCommandRun[] {
  const earlier = (ran.runs.get(id) ?? []).filter((run) => run.index < index);
  const needed = ran.tasks.get(id)?.dependsOn.filter(({ fromCommand = 0 }) => fromCommand <= index);
  const ends = (needed ?? []).flatMap(({ on }) => listEnds(ran, on, new Set([id])));
  return [...earlier, ...ends];
}

/** The commands of a task; for a task without commands, those that it waited for itself. */
function listEnds(ran: Ran, id: string, passed: Set<string>): readonly RehearsedCommandRun[] {
  const runs = ran.runs.get(id) ?? [];
  if (runs.length > 0 || passed.has(id)) return runs;
  passed.add(id);
  return (ran.tasks.get(id)?.dependsOn ?? []).flatMap(({ on }) => listEnds(ran, on, passed));
}
