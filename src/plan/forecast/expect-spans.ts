import { assumedMs, findFacts, scaleOf } from '../../kinds/find-facts.ts';
import type { CommandName } from '../../model/account/command.ts';
import type { CommandSpan } from '../../model/plan/downtime.ts';
import type { Task } from '../../model/plan/task.ts';
import type { Durations } from '../../model/state/state.ts';

/** The moments of a task that others wait for. */
interface Expected {
  /** The start of its last command: what needs only its end in the middle may start. */
  readonly acceptedMs: number;
  /** When its end is noticed. */
  readonly endMs: number;
}

/**
 * The commands of a plan at the times at which they would run if each took as long as was learned, and nothing but what
 * they need held them up.
 * @param tasks in an order in which they may run one by one
 */
export function expectSpans(tasks: readonly Task[], known: Durations = {}): readonly CommandSpan[] {
  const means = Object.entries(known).map(
    ([name, { meanMs }]) => [name as CommandName, meanMs] as const,
  );
  // An account that is quicker than others is so in what it was not seen to do, too.
  const scale = scaleOf(means) ?? 1;
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
      const span = { task: id, command: kind, startMs: acceptedMs, isDone: true };
      if (isNeedless) spans.push({ ...span, endMs, isAssumed: false });
      else {
        const { meanMs = assumedMs(kind) * scale, deviationMs = 0 } = known[kind] ?? {};
        spans.push({ ...span, endMs: endMs + meanMs, isAssumed: !known[kind] });
        // Looks come between the usual time and two deviations later, unless everything waits for it.
        endMs += meanMs + deviationMs;
      }
      isPowered ||= takes === 'power' && gives === 'power';
    }
    byTask.set(id, { acceptedMs, endMs });
  }
  return spans;
}
