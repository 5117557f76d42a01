import { assumedMs, findFacts } from '../../kinds/find-facts.ts';
import type { CommandSpan } from '../../model/plan/downtime.ts';
import type { Task } from '../../model/plan/task.ts';
import type { Durations } from '../../model/state/state.ts';

/** The moments of a task that others wait for. */
interface Expected {
  /** The start of its last command: what needs only its end in the middle may start. */
  readonly acceptedMs: number;
  readonly endMs: number;
}

/**
 * The commands of a plan at the times at which they would run if each took as long as was learned, and nothing but what
 * they need held them up.
 * @param tasks in an order in which they may run one by one
 */
export function expectSpans(tasks: readonly Task[], known: Durations = {}): readonly CommandSpan[] {
  const spans: CommandSpan[] = [];
  const byTask = new Map<string, Expected>();
  const endOf = (on: string) => byTask.get(on)?.endMs ?? 0;
  for (const { id, commands, dependsOn } of tasks) {
    let endMs = 0;
    for (const { on, fromCommand } of dependsOn) {
      const isLate = fromCommand !== undefined;
      endMs = Math.max(endMs, isLate ? (byTask.get(on)?.acceptedMs ?? 0) : endOf(on));
    }
    let acceptedMs = endMs;
    let isPowered = false;
    for (const [index, { kind }] of commands.entries()) {
      for (const { on, fromCommand } of dependsOn) {
        if (fromCommand === index) endMs = Math.max(endMs, endOf(on));
      }
      acceptedMs = endMs;
      const { takes, gives } = findFacts(kind);
      // A start behind a rebuild is skipped, since a VM that ran runs again.
      const isNeedless = isPowered && takes === undefined && gives === 'power';
      const learned = known[kind];
      endMs += isNeedless ? 0 : (learned?.meanMs ?? assumedMs(kind));
      const isAssumed = !learned && !isNeedless;
      spans.push({ task: id, index, startMs: acceptedMs, endMs, isDone: true, isAssumed });
      isPowered ||= takes === 'power' && gives === 'power';
    }
    byTask.set(id, { acceptedMs, endMs });
  }
  return spans;
}
