import { findFacts } from '../../kinds/find-facts.ts';
import type { CommandName } from '../../model/account/command.ts';
import type { Duration, Durations } from '../../model/state/state.ts';
import type { Took } from '../observe/took.ts';
import type { Pace } from '../observe/watch.ts';
import { Spread } from './spread.ts';

/** Seconds that a command is taken to need which is over when it is answered. */
const answeredSeconds = 0.3;

/** How long commands take here: what earlier runs saw, and what this one sees. */
export interface DurationLog {
  /** Milliseconds that the commands will take together, one after the other. */
  readonly expect: (commands: readonly { readonly kind: CommandName }[]) => number;
  /** True where one of its kind was seen to end. */
  isKnown(command: CommandName): boolean;
  /** How many kinds were seen to end. */
  readonly knownCount: number;
  /**
   * How long the slowest of a kind will take, where others of it have taken so many milliseconds and go on: those that have
   * ended are the quick ones. Where none was seen to end, as long as is assumed, made longer or shorter like those that were;
   * infinite before any was.
   */
  slowestOf(command: CommandName, underWayMs?: readonly number[]): number;
  /** When to look for the end of a command. */
  paceOf(command: CommandName): Pace;
  /** True for the first who asks for a kind: its record is worth a request. */
  claimRecord(command: CommandName): boolean;
  /** A command of ours came to its end. */
  note(command: CommandName, took: Took): void;
  /** An accepted create showed in a list after so many milliseconds. */
  noteAppearance(elapsedMs: number): void;
  /** The longest that an accepted create took to show, here and in earlier runs; undefined before any was awaited. */
  readonly slowestAppearanceMs: number | undefined;
  /** Everything known by now; undefined when this run saw nothing end. */
  readonly learned: Durations | undefined;
}

/** A log that starts from what earlier runs saw. `onFirst`: a command was seen to end of whose kind nothing was known. */
export function createDurationLog(
  known: Durations = {},
  slowestAppearanceMs?: number,
  onFirst: () => void = () => undefined,
): DurationLog {
  const seen = new Map<CommandName, Spread>();
  for (const [command, duration] of Object.entries(known)) {
    seen.set(command as CommandName, new Spread(duration));
  }
  const claimed = new Set<CommandName>();
  let slowestMs = slowestAppearanceMs;
  let hasLearned = false;
  const meanOf = (command: CommandName) =>
    seen.get(command)?.summarize()?.meanMs ?? assumedMs(command);
  return {
    expect: (commands) => commands.reduce((sum, { kind }) => sum + meanOf(kind), 0),
    isKnown: (command) => seen.has(command),
    get knownCount() {
      return seen.size;
    },
    slowestOf: (command, underWayMs = []) =>
      seen.get(command)?.findSlowest(underWayMs) ?? assumedMs(command) * scaleOf(seen),
    paceOf(command) {
      const usual = seen.get(command)?.summarize();
      return usual ? expectEnd(usual) : { firstMs: 0, guessOf: command };
    },
    claimRecord(command) {
      if (claimed.has(command)) return false;
      claimed.add(command);
      return true;
    },
    note(command, took) {
      const isFirst = !seen.has(command);
      const spread = seen.get(command) ?? new Spread();
      seen.set(command, spread);
      spread.add(took);
      if (isFirst) onFirst();
      hasLearned = true;
    },
    noteAppearance(elapsedMs) {
      slowestMs = Math.max(slowestMs ?? 0, Math.round(elapsedMs));
    },
    get slowestAppearanceMs() {
      return slowestMs;
    },
    get learned() {
      if (!hasLearned) return undefined;
      const all = [...seen].map(([command, spread]) => [command, round(spread.summarize())]);
      return Object.fromEntries(all) as Durations;
    },
  };
}

/** Before one of its kind was seen to end. */
function assumedMs(command: CommandName): number {
  return (findFacts(command).assumedSeconds ?? answeredSeconds) * 1_000;
}

/** From just before the quick ones end; never so late that one which has become twice as quick goes unnoticed for long. */
function expectEnd({ meanMs, deviationMs }: Duration): Pace {
  return {
    firstMs: Math.max(meanMs / 2, meanMs - 2 * deviationMs),
    byMs: meanMs + 2 * deviationMs,
  };
}

function round({ meanMs, deviationMs }: Duration = nothing): Duration {
  return { meanMs: Math.round(meanMs), deviationMs: Math.round(deviationMs) };
}

const nothing: Duration = { meanMs: 0, deviationMs: 0 };

/** How many times as long as assumed those take that were seen to end; infinite before any was. */
function scaleOf(seen: ReadonlyMap<CommandName, Spread>): number {
  const known = [...seen].filter(([command]) => findFacts(command).assumedSeconds !== undefined);
  const assumed = known.reduce((sum, [command]) => sum + assumedMs(command), 0);
  const actual = known.reduce((sum, [, spread]) => sum + (spread.summarize()?.meanMs ?? 0), 0);
  return assumed === 0 ? Number.POSITIVE_INFINITY : actual / assumed;
}
