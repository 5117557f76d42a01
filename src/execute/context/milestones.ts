import { nameCommandWork } from '../../kinds/words/describe-underway.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { ChangeResult } from '../../model/plan/result.ts';
import type { Task } from '../../model/plan/task.ts';
import type { CommandJob } from './command-context.ts';
import { ChangeFailure, TaskInterruptedError } from './failure.ts';

type End = ChangeResult['kind'];

/** Progress of the tasks of a run, for tasks that wait for a command in the middle of another task. */
export class TaskMilestones {
  readonly #ends = new Map<string, End>();
  readonly #waiting = new Map<string, ((end: End) => void)[]>();
  /** Hears of each task whose last command the service has accepted. */
  onAccepted: (id: string) => void = () => undefined;

  /** Notes that a task has ended, and wakes those that wait for it. */
  noteEnd(id: string, end: End): void {
    this.#ends.set(id, end);
    for (const wake of this.#waiting.get(id) ?? []) wake(end);
    this.#waiting.delete(id);
  }

  /**
   * Waits for what one command of a task needs and those before it did not.
   * @throws ChangeFailure where that was not made, TaskInterruptedError where it was left unfinished
   */
  async awaitNeeded(task: Task, index: number, report: CommandJob['report']): Promise<void> {
    for (const { on, fromCommand } of task.dependsOn) {
      if (fromCommand !== index) continue;
      const needed = on.replace(/#[a-z]+$/, '');
      if (!this.#ends.has(on)) report({ kind: 'running', status: `waiting for ${needed}` });
      const end = await this.#awaitEnd(on);
      if (end === 'interrupted') throw new TaskInterruptedError(true);
      if (end !== 'applied') throw leftUnfinished(task, index, needed);
    }
  }

  #awaitEnd(id: string): Promise<End> {
    const end = this.#ends.get(id);
    if (end !== undefined) return Promise.resolve(end);
    return new Promise((resolve) => {
      addToGroup(this.#waiting, id, resolve);
    });
  }
}

function leftUnfinished({ address, commands }: Task, index: number, needed: ResourceAddress) {
  const [done, left] = [commands.slice(0, index), commands.slice(index)].map((some) =>
    some.map(({ kind }) => nameCommandWork(kind)).join(', '),
  );
  return new ChangeFailure({
    severity: 'error',
    code: 'needed-failed',
    summary: `The rest was skipped, because ${needed} was not applied`,
    detail: `Done: ${done}. Not done: ${left}.`,
    hint: 'Apply again: the next plan has the rest.',
    address,
  });
}
