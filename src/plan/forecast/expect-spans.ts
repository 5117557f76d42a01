import {
  getAssumedDurationMs,
  findCommandFacts,
  calculateDurationScale,
} from '../../kinds/find-facts.ts';
import type { CommandName } from '../../model/account/command.ts';
import { findBlockAddress } from '../../model/address.ts';
import type { CommandTimeSpan } from '../../model/plan/downtime.ts';
import type { Task } from '../../model/plan/task.ts';
import type { UsualCommandDurations, State } from '../../model/state/state.ts';
import { tableEntries } from '../../model/tables.ts';

/** Expected times of a task for which other tasks wait. */
interface Expected {
  /** The start of its last command: a task that only needs the earlier ones may start. */
  readonly acceptedMs: number;
  /** The expected time at which the end of the task is noticed. */
  readonly endMs: number;
}

/** The usual course of a command, by its name. */
interface Usual {
  readonly meanMs: number;
  readonly deviationMs: number;
  readonly isAssumed: boolean;
  /** Set for a command after which a VM runs again, if it ran before. */
  readonly isCycle: boolean;
  /** Set for a command that is skipped where the VM runs already. */
  readonly isStart: boolean;
}

/**
 * Expected times of a plan's commands, if each takes as long as was learned, and waits for its dependencies alone. A command
 * that will be skipped has none.
 * @param tasks in an order in which they may run one by one
 */
export function estimateCommandTimes(
  tasks: readonly Task[],
  state: Pick<State, 'durations' | 'readyTimes'> = {},
): readonly CommandTimeSpan[] {
  return estimateTasks(tasks, state).spans;
}

/** Expected time of a whole apply, in milliseconds: the end of its last command. */
export function estimateApplyMs(
  tasks: readonly Task[],
  state: Pick<State, 'durations' | 'readyTimes'>,
): number {
  return estimateTasks(tasks, state).lastMs;
}

/** The expected times of tasks, and the end of the last command or probe. */
function estimateTasks(
  tasks: readonly Task[],
  { durations, readyTimes = {} }: Pick<State, 'durations' | 'readyTimes'>,
): { readonly spans: readonly CommandTimeSpan[]; readonly lastMs: number } {
  const usualOf = expectCommands(durations);
  const spans: CommandTimeSpan[] = [];
  let lastMs = 0;
  const awaited = new Set<string>();
  for (const { dependsOn } of tasks) for (const { on } of dependsOn) awaited.add(on);
  const byTask = new Map<string, Expected>();
  const endOf = (on: string) => byTask.get(on)?.endMs ?? 0;
  for (const { id, address, commands, dependsOn, ready, gate } of tasks) {
    let endMs = 0;
    for (const { on, fromCommand } of dependsOn) {
      const isLate = fromCommand !== undefined;
      endMs = Math.max(endMs, isLate ? (byTask.get(on)?.acceptedMs ?? 0) : endOf(on));
    }
    endMs += gate?.waitMs ?? 0;
    let startMs = endMs;
    let isPowered = false;
    let index = 0;
    for (const { kind: command } of commands) {
      for (const { on, fromCommand } of dependsOn) {
        if (fromCommand === index) endMs = Math.max(endMs, endOf(on));
      }
      startMs = endMs;
      const { meanMs, deviationMs, isAssumed, isCycle, isStart } = usualOf(command);
      index += 1;
      if (isPowered && isStart) {
        lastMs = Math.max(lastMs, endMs);
        continue;
      }
      endMs += meanMs;
      spans.push({ address, command, startMs, endMs, isDone: true, isAssumed });
      lastMs = Math.max(lastMs, endMs);
      // The end is noticed between the usual time and two deviations later, unless everything waits for it.
      endMs += deviationMs;
      isPowered ||= isCycle;
    }
    if (ready) {
      // Before any was seen to, nobody knows how long programs take to start.
      const usual = readyTimes[findBlockAddress(address)];
      endMs += (usual?.meanMs ?? 0) + ready.settleMs;
      spans.push({ address, command: null, startMs, endMs, isDone: true, isAssumed: !usual });
      lastMs = Math.max(lastMs, endMs);
    }
    if (awaited.has(id)) byTask.set(id, { acceptedMs: startMs, endMs });
  }
  return { spans, lastMs };
}

function expectCommands(known: UsualCommandDurations = {}): (command: CommandName) => Usual {
  const means = tableEntries(known).map(([name, { meanMs }]) => [name, meanMs] as const);
  // A faster account than usual is expected to be faster at commands that it was not seen to run, too.
  const scale = calculateDurationScale(means) ?? 1;
  const usual = new Map<CommandName, Usual>();
  return (command) => {
    const before = usual.get(command);
    if (before) return before;
    const { takes, gives } = findCommandFacts(command);
    const { meanMs = getAssumedDurationMs(command) * scale, deviationMs = 0 } =
      known[command] ?? {};
    const made = {
      meanMs,
      deviationMs,
      isAssumed: !known[command],
      isCycle: takes === 'power' && gives === 'power',
      isStart: takes === undefined && gives === 'power',
    };
    usual.set(command, made);
    return made;
  };
}
