import { findFacts } from '../../kinds/find-facts.ts';
import type { CommandName } from '../../model/account/command.ts';
import type { Duration, Durations } from '../../model/state/state.ts';
import type { Pace } from '../observe/watch.ts';

/** Seconds that a command is taken to need which is over when it is answered. */
const answeredSeconds = 0.3;

/** Weight of the latest sighting in the mean, and in the deviation from it. */
const meanWeight = 0.2;
const deviationWeight = 0.25;
/** Before a command of its kind was seen to end, the pause between two looks grows with the time waited. */
const unseenShare = 0.2;
/** A look at what is known to take longer than usual comes less and less often, too. */
const overdueShare = 0.05;
const shortestPauseMs = 200;
const longestPauseMs = 5_000;

/** How long commands take here: what earlier runs saw, and what this one sees. */
export interface DurationLog {
  /** Milliseconds that the commands will take together, one after the other. */
  readonly expect: (commands: readonly { readonly kind: CommandName }[]) => number;
  /** When to look for the end of a command that belongs to a task of so many milliseconds. */
  paceOf(command: CommandName, taskMs: number): Pace;
  /** When to look for what a create has made, while it is still being made. */
  appearanceOf(command: CommandName, taskMs: number): Pace;
  /** A command of ours came to its end. */
  note(command: CommandName, elapsedMs: number): void;
  /** An accepted create showed in a list after so many milliseconds. */
  noteAppearance(elapsedMs: number): void;
  /** The longest that an accepted create took to show, here and in earlier runs; undefined before any was awaited. */
  readonly slowestAppearanceMs: number | undefined;
  /** Everything known by now; undefined when this run saw nothing end. */
  readonly learned: Durations | undefined;
}

/** A log that starts from what earlier runs saw. */
export function createDurationLog(
  known: Durations = {},
  slowestAppearanceMs?: number,
): DurationLog {
  const seen: Partial<Record<CommandName, Duration>> = { ...known };
  let slowestMs = slowestAppearanceMs;
  let hasLearned = false;
  const paceOf = (command: CommandName, taskMs: number): Pace => {
    const duration = seen[command];
    const everyMs = pauseMs(taskMs);
    return duration
      ? { firstMs: firstLookMs(duration), everyMs, waitedShare: overdueShare }
      : { firstMs: everyMs, everyMs, waitedShare: unseenShare };
  };
  return {
    expect: (commands) =>
      commands.reduce((sum, { kind }) => sum + (seen[kind]?.meanMs ?? assumedMs(kind)), 0),
    paceOf,
    appearanceOf(command, taskMs) {
      const { firstMs, ...pace } = paceOf(command, taskMs);
      // What is soon over may as well be found by the look that sees it ended.
      const soonMs = pace.everyMs * 3;
      return { ...pace, firstMs: firstMs <= soonMs ? firstMs : pace.everyMs };
    },
    note(command, elapsedMs) {
      seen[command] = blend(seen[command], elapsedMs);
      hasLearned = true;
    },
    noteAppearance(elapsedMs) {
      slowestMs = Math.max(slowestMs ?? 0, Math.round(elapsedMs));
    },
    get slowestAppearanceMs() {
      return slowestMs;
    },
    get learned() {
      return hasLearned ? seen : undefined;
    },
  };
}

/** Before one of its kind was seen to end. */
function assumedMs(command: CommandName): number {
  return (findFacts(command).assumedSeconds ?? answeredSeconds) * 1_000;
}

/** Just before the quick ones end; never so late that one which has become twice as quick goes unnoticed for long. */
function firstLookMs({ meanMs, deviationMs }: Duration): number {
  return Math.max(meanMs / 2, meanMs - 2 * deviationMs);
}

/**
 * Every look costs a request, and every pause the time until the end is noticed. For a given number of requests the
 * least time is lost in all when pauses grow with the root of what they wait for: 1.7 s for half a minute.
 */
function pauseMs(taskMs: number): number {
  return Math.min(longestPauseMs, Math.max(shortestPauseMs, Math.sqrt(taskMs * 100)));
}

function blend(before: Duration | undefined, elapsedMs: number): Duration {
  const ms = Math.max(0, elapsedMs);
  if (!before) return { meanMs: Math.round(ms), deviationMs: Math.round(ms / 4) };
  const { meanMs, deviationMs } = before;
  const away = Math.abs(ms - meanMs);
  return {
    meanMs: Math.round(meanMs + meanWeight * (ms - meanMs)),
    deviationMs: Math.round(deviationMs + deviationWeight * (away - deviationMs)),
  };
}
