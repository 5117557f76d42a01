import type { ResourceAddress } from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import type { Task } from '../../model/plan/task.ts';
import type { ApplyEvent, ChangeResult } from '../../model/plan/result.ts';
import type { Timeline, TimelineEntry } from '../../model/plan/timeline.ts';

/** A task that was started, on the timeline of an apply. */
interface Run {
  readonly task: Task;
  readonly entry: Omit<TimelineEntry, 'isCritical' | 'endedAt' | 'result'>;
  endedAt?: number;
  result: ChangeResult['kind'];
}

/** Listens to the events of an apply and returns its timeline afterwards. */
export interface TimelineRecorder {
  note(event: ApplyEvent): void;
  /** A task that never ended was interrupted; one that never started is left out. */
  finish(startedAt: number, endedAt: number): Timeline;
}

/** Makes a recorder for the tasks of a plan. The tasks of one address run one after the other, in the plan's order. */
export function createTimelineRecorder(tasks: readonly Task[]): TimelineRecorder {
  const waiting = groupBy(tasks, ({ address }) => address);
  const running = new Map<ResourceAddress, Run>();
  const runs = new Map<string, Run>();

  return {
    note(event) {
      const { address, step, at } = event;
      if (event.kind === 'started') {
        const task = waiting.get(address)?.shift();
        if (!task) return;
        const run: Run = { task, entry: { address, step, startedAt: at }, result: 'interrupted' };
        running.set(address, run);
        runs.set(task.id, run);
      } else if (event.kind !== 'progress') {
        const run = running.get(address);
        if (!run) return;
        run.endedAt = at;
        run.result = event.kind === 'completed' ? 'applied' : 'failed';
      }
    },
    finish(startedAt, endedAt) {
      const critical = findCriticalPath(runs, endedAt);
      const entries = [...runs.values()].map(({ task, entry, result, endedAt: at = endedAt }) => ({
        ...entry,
        endedAt: at,
        result,
        isCritical: critical.has(task.id),
      }));
      return { startedAt, endedAt, entries };
    },
  };
}

/** The tasks of the critical path: from the last end backwards, over the task that each waited for longest. */
function findCriticalPath(runs: ReadonlyMap<string, Run>, endedAt: number): ReadonlySet<string> {
  const path = new Set<string>();
  const pickLast = (candidates: readonly Run[]) =>
    candidates.reduce<Run | undefined>(
      (last, run) => (!last || (run.endedAt ?? endedAt) > (last.endedAt ?? endedAt) ? run : last),
      undefined,
    );
  let link = pickLast([...runs.values()]);
  while (link && !path.has(link.task.id)) {
    path.add(link.task.id);
    // A task that only later commands need did not delay the start.
    const { dependsOn } = link.task;
    link = pickLast(
      dependsOn.flatMap(({ on, fromCommand }) =>
        fromCommand === undefined ? (runs.get(on) ?? []) : [],
      ),
    );
  }
  return path;
}
