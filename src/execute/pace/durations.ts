import { getAssumedDurationMs, calculateDurationScale } from '../../kinds/find-facts.ts';
import type { CommandName } from '../../model/account/command.ts';
import { findBlockAddress, type ResourceAddress } from '../../model/address.ts';
import type { Task } from '../../model/plan/task.ts';
import type {
  UsualCommandDuration,
  UsualCommandDurations,
  UsualReadyDurations,
  State,
} from '../../model/state/state.ts';
import { makeExactDurationBounds, type CommandDurationBounds } from '../observe/took.ts';
import { tableEntries } from '../../model/tables.ts';
import type { ExpectedResultTimes } from '../observe/watch.ts';
import { DurationSpread } from './spread.ts';

/** Durations that a state has from earlier runs: of commands, until the probes of a block hold, and until a resource appears. */
export type KnownDurations = Pick<State, 'durations' | 'readyTimes' | 'slowestAppearanceMs'>;

/** Durations of the commands of this account: as earlier runs saw them, and as this run does. */
export class DurationLog {
  readonly #seen = new Map<CommandName, DurationSpread>();
  /** Times until the probes of a block held. */
  readonly #ready = new Map<ResourceAddress, DurationSpread>();
  readonly #claimed = new Set<CommandName>();
  readonly #onFirst: () => void;
  #slowestAppearanceMs: number | undefined;
  #hasLearned = false;
  #hasLearnedReady = false;
  /** See `calculateDurationScale`, infinite before any was seen to end; until the next end is noted. */
  #scale: number | undefined;

  /** Starts from what earlier runs saw. `onFirst`: a command was seen to end of whose kind nothing was known. */
  constructor(
    { durations = {}, readyTimes = {}, slowestAppearanceMs }: KnownDurations = {},
    onFirst: () => void = () => undefined,
  ) {
    for (const [command, duration] of tableEntries(durations)) {
      this.#seen.set(command, new DurationSpread(duration));
    }
    for (const [block, time] of Object.entries(readyTimes)) {
      this.#ready.set(block, new DurationSpread(time));
    }
    this.#slowestAppearanceMs = slowestAppearanceMs;
    this.#onFirst = onFirst;
  }

  /** Milliseconds that the commands will take together, one after the other. */
  expect(commands: readonly { readonly kind: CommandName }[]): number {
    return commands.reduce((sum, { kind }) => sum + this.#meanOf(kind), 0);
  }

  /** Milliseconds from the change of a member until it is ready, by a task that probes it; 0 for any other task. */
  expectReady({ address, ready }: Pick<Task, 'address' | 'ready'>): number {
    if (!ready) return 0;
    return (this.#ready.get(findBlockAddress(address))?.summarize()?.meanMs ?? 0) + ready.settleMs;
  }

  #meanOf(command: CommandName): number {
    return this.#seen.get(command)?.summarize()?.meanMs ?? getAssumedDurationMs(command);
  }

  #measureScale(): number {
    const means = [...this.#seen].map(([command, spread]) => {
      return [command, spread.summarize()?.meanMs ?? 0] as const;
    });
    return calculateDurationScale(means) ?? Number.POSITIVE_INFINITY;
  }

  /** Tells whether a command of this kind was seen to end. */
  isKnown(command: CommandName): boolean {
    return this.#seen.has(command);
  }

  /** Number of kinds of commands that were seen to end. */
  get knownCount(): number {
    return this.#seen.size;
  }

  /**
   * Expected duration of the slowest command of a kind, in milliseconds, given how long the ones under way have taken: those
   * that have ended are the quick ones. Of a kind that none was seen to end of, the assumed duration, scaled as the known
   * kinds differ from their assumptions; infinite before any command has ended.
   */
  slowestOf(command: CommandName, underWayMs: readonly number[] = []): number {
    const seen = this.#seen.get(command);
    const slowestMs = seen?.findSlowest(underWayMs);
    return slowestMs ?? getAssumedDurationMs(command) * (this.#scale ??= this.#measureScale());
  }

  /** Tells when to look for the end of a command. */
  paceOf(command: CommandName): ExpectedResultTimes {
    const usual = this.#seen.get(command)?.summarize();
    return usual ? expectEnd(usual) : { firstMs: 0, guessOf: command };
  }

  /** True for the first who asks for a kind: its record is worth a request. */
  claimRecord(command: CommandName): boolean {
    if (this.#claimed.has(command)) return false;
    this.#claimed.add(command);
    return true;
  }

  /** Learns from a command of this program that has ended. */
  note(command: CommandName, took: CommandDurationBounds): void {
    const before = this.#seen.get(command);
    const spread = before ?? new DurationSpread();
    this.#seen.set(command, spread);
    spread.add(took);
    this.#scale = undefined;
    if (!before) this.#onFirst();
    this.#hasLearned = true;
  }

  /** The probes of a member held first so many milliseconds after its change. */
  noteReady(address: ResourceAddress, elapsedMs: number): void {
    const block = findBlockAddress(address);
    const spread = this.#ready.get(block) ?? new DurationSpread();
    this.#ready.set(block, spread);
    spread.add(makeExactDurationBounds(elapsedMs));
    this.#hasLearnedReady = true;
  }

  /** An accepted create showed in a list after so many milliseconds. */
  noteAppearance(elapsedMs: number): void {
    this.#slowestAppearanceMs = Math.max(this.#slowestAppearanceMs ?? 0, Math.round(elapsedMs));
  }

  /** The longest that an accepted create took to show, here and in earlier runs; undefined before any was awaited. */
  get slowestAppearanceMs(): number | undefined {
    return this.#slowestAppearanceMs;
  }

  /** Everything known by now; undefined when this run saw nothing end. */
  get learned(): UsualCommandDurations | undefined {
    if (!this.#hasLearned) return undefined;
    return summarizeAll(this.#seen);
  }

  /** The times until the probes of blocks hold, as known by now; undefined when this run saw none hold. */
  get learnedReady(): UsualReadyDurations | undefined {
    return this.#hasLearnedReady ? summarizeAll(this.#ready) : undefined;
  }
}

/** From just before the quick ones end; never so late that one which has become twice as quick goes unnoticed for long. */
function expectEnd({ meanMs, deviationMs }: UsualCommandDuration): ExpectedResultTimes {
  return {
    firstMs: Math.max(meanMs / 2, meanMs - 2 * deviationMs),
    byMs: meanMs + 2 * deviationMs,
  };
}

function summarizeAll<K extends string>(
  spreads: ReadonlyMap<K, DurationSpread>,
): Readonly<Record<K, UsualCommandDuration>> {
  const all = [...spreads].map(([key, spread]) => [key, round(spread.summarize())]);
  return Object.fromEntries(all) as Record<K, UsualCommandDuration>;
}

function round({ meanMs, deviationMs }: UsualCommandDuration = nothing): UsualCommandDuration {
  return { meanMs: Math.round(meanMs), deviationMs: Math.round(deviationMs) };
}

const nothing: UsualCommandDuration = { meanMs: 0, deviationMs: 0 };
