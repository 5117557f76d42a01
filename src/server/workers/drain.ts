// Things to do that are rows of a table: each process claims one after the other.
import type { Tracing } from '../traces/tracing.ts';

/** A row that a worker has claimed, with the number of attempts at it. */
interface Claimed {
  readonly attempts: number;
}

/** A database table of tasks that workers do once they are due. */
export interface DueTaskQueue<T extends Claimed> {
  claim(worker: string): Promise<T | undefined>;
  end(task: T): Promise<void>;
  retry(task: T, delayMs: number, reason: string): Promise<void>;
  /** Stores a task that failed for good; it is just ended when absent. */
  giveUp?(task: T, reason: string): Promise<void>;
}

/** The worker that does due tasks, with its log and signals. */
export interface TaskQueueWorker {
  readonly workerId: string;
  readonly warn: (text: string) => void;
  readonly tracing: Tracing;
  /** After how many milliseconds a task is tried again; undefined where it is given up. */
  readonly findDelay: (error: unknown, attempts: number) => number | undefined;
}

/** Handles one claimed row of a task table. */
interface Work<T> {
  /** Names a row for a line of the log. */
  readonly what: (task: T) => string;
  /** Name of the span that traces have for the work. */
  readonly span: string;
  readonly work: (task: T) => Promise<void>;
  /** Advice to an administrator where a row fails; undefined where there is none. */
  readonly advise?: (error: unknown) => string | undefined;
}

/** Does all tasks that are due. `stopping` ends it after the task at hand. */
export async function drainTaskQueue<T extends Claimed>(
  { workerId, warn, tracing, findDelay }: TaskQueueWorker,
  stopping: AbortSignal,
  tasks: DueTaskQueue<T>,
  { what, span, work, advise }: Work<T>,
): Promise<void> {
  while (!stopping.aborted) {
    const task = await tasks.claim(workerId);
    if (!task) return;
    try {
      const facts = { 'hostwright.attempt': task.attempts };
      await tracing.span(span, facts, () => work(task));
      await tasks.end(task);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      // A sentence in a line of the log, which ends it itself.
      const reason = said.replace(/\.$/, '');
      const advice = advise?.(error);
      const hint = advice === undefined ? '' : ` ${advice}`;
      const delayMs = findDelay(error, task.attempts);
      if (delayMs === undefined) {
        warn(`${what(task)} came to nothing, and is given up: ${reason}.${hint}`);
        await (tasks.giveUp ? tasks.giveUp(task, said) : tasks.end(task));
        continue;
      }
      // The first failures are usual, as a host is busy for a moment, and are not logged.
      if (task.attempts === 4) warn(`${what(task)} has come to nothing so far: ${reason}.${hint}`);
      await tasks.retry(task, delayMs, said);
    }
  }
}
