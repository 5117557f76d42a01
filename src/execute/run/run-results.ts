import type { ResourceAddress } from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import { listEffects, type ChangeEffect } from '../../model/effects.ts';
import type { Plan } from '../../model/plan/plan.ts';
import {
  isRestoredAfterFailedRebuild,
  type AppliedChange,
  type ApplySummary,
  type ChangeResult,
} from '../../model/plan/result.ts';
import type { Task } from '../../model/plan/task.ts';
import type { RunContext } from '../context/run-context.ts';

/** Ends of the tasks of a run, gathered to one result for each change. */
export class RunResults {
  readonly #results = new Map<ResourceAddress, { result: ChangeResult; elapsedMs: number }>();
  readonly #completed = new Set<Task['id']>();

  /** One result a change: of its two tasks, the one that went wrong, else the later one. */
  note({ id, address }: Task, result: ChangeResult, elapsedMs: number): void {
    if (result.kind === 'applied') this.#completed.add(id);
    const earlier = this.#results.get(address);
    const total = elapsedMs + (earlier?.elapsedMs ?? 0);
    const isWorse = !earlier || earlier.result.kind === 'applied';
    const ended: ChangeResult =
      result.kind === 'interrupted' && earlier ? { ...result, isBegun: true } : result;
    this.#results.set(address, { result: isWorse ? ended : earlier.result, elapsedMs: total });
  }

  summarize(plan: Plan, { history: { resolved }, interrupted, store }: RunContext): ApplySummary {
    const tasks = groupBy(plan.tasks, ({ address }) => address);
    const changes: AppliedChange[] = plan.changes
      .filter((change) => listEffects(change).length > 0 || this.#results.has(change.address))
      .map((planned) => {
        const { address, id } = planned;
        // Expressions that are resolved meanwhile may ask for less than was planned.
        const change = resolved.get(address)?.change ?? planned;
        const own = tasks.get(address) ?? [];
        const ended = this.#results.get(address) ?? {
          result: endWithout(own.length > 0, id),
          elapsedMs: 0,
        };
        // A rebuild that was undone by a restore has no effect to report.
        const effects = isRestoredAfterFailedRebuild(ended.result) ? [] : listEffects(change);
        return {
          address,
          action: change.action,
          done: effects.filter((effect) => this.#isDone(effect, own)),
          ...ended,
        };
      });
    const known = new Set(plan.changes.map(({ address }) => address));
    // A gate belongs to no change; where it was not passed, what follows it was not done.
    const held = [...this.#results].flatMap(([address, end]): AppliedChange[] =>
      known.has(address) || !('diagnostic' in end.result)
        ? []
        : [{ address, action: 'no-op', done: [], ...end }],
    );
    return {
      changes: [...changes, ...held],
      isInterrupted: interrupted.aborted,
      ...(store.failure !== undefined && { isUnwritten: true }),
    };
  }

  /** Changes of the state alone were carried out before the first task. A destroyed resource may have a task of its own. */
  #isDone(effect: ChangeEffect, tasks: readonly Task[]): boolean {
    if (effect === 'import' || effect === 'forget') return true;
    const destroying = tasks.find(({ phase }) => phase === 'destroy');
    const applying = tasks.find(({ phase }) => phase === 'apply');
    const task = effect === 'destroy' ? (destroying ?? applying) : applying;
    return task === undefined || this.#completed.has(task.id);
  }
}

/** A change without a task was one of the state alone, and is done; one with a task and without a result was never reached. */
function endWithout(hasTask: boolean, id: string | null): ChangeResult {
  return hasTask ? { kind: 'interrupted' } : { kind: 'applied', id };
}
