// When a run will end, as far as that can be told: what is noticed late delays nobody while something else takes longer.
import { findCommandFacts } from '../../kinds/find-facts.ts';
import type { CommandName } from '../../model/account/command.ts';
import { groupBy, elementAt } from '../../model/group-by.ts';
import type { Clock } from '../../model/runtime.ts';
import type { Task } from '../../model/plan/task.ts';
import {
  unknownDurationPauseShare,
  pollPauseShare,
  type ToleratedLateness,
} from '../observe/watch.ts';
import { shortestPollPauseMs } from '../observe/next-look.ts';
import type { DurationLog } from './durations.ts';
import type { RunConcurrencySlots } from './places.ts';
import { countDependentRolloutWaves, estimateDependentChainMs } from './remaining-path.ts';

/** The share of its slack for which the end of something may go unnoticed: the closer the end of the run, the less. */
const slackShare = 0.4;
/**
 * Share of the run for which the end of a command may go unnoticed that is of the kind that ends last: any of them may be the
 * last, sooner than the slowest was expected.
 */
const mostLastShare = 0.04;
/** However short the run, it may go unnoticed for so many milliseconds. */
const leastLastMs = 150;
/** The pause while something that is ready waits for the place of another, as a share of the time that this one has taken. */
const crowdedShare = 0.015;
/** The shortest pause then, in milliseconds. */
const shortestCrowdedMs = 10;
/** The same while waves wait for its end: what each of them is noticed late by adds up. */
const waveShare = 0.01;
/** So many waits pay for the looks of a wave for each wave behind it. */
const payersPerWave = 4;
/** Factor of doubt: a kind never seen to end may take so many times its assumed duration, and everything else that much less. */
const doubtTimes = 1.4;
/** A run is not taken to last more than so many times what it has taken so far: the estimate may be wrong. */
const mostTimes = 10;
/** Share of its time that a command is expected to take yet, once it is slower than the slowest known. */
const overdueShare = 0.1;
/** Growth of that share where several are overdue: the longest of several chances grows with the logarithm of their number. */
const overdueGrowth = 0.75;
/** While no more than so many go on, looks are few, and what is noticed late delays the whole run: it is looked for more often. */
const fewRunning = 4;
/** Then a pause is so much shorter, be it a share of the run, of the slack or of what is overdue. */
const fewRunShare = pollPauseShare / 4;
const fewSlackShare = slackShare / 2;
const fewOverdueShare = overdueShare / 2;
/** So many tasks of the run pay for the looks of the last ones as one does that waits. */
const tasksPerPayer = 256;
/** Milliseconds for which an estimate of the run's end is used again, as computing it takes time. */
const freshMs = 250;

/** A command that is under way and whose end is awaited. */
interface Running {
  readonly command: CommandName;
  readonly since: number;
  /** Number of waves of commands that can only follow this one, each after the other. */
  readonly wavesBehind: number;
  /** Time of everything that follows the command, in milliseconds, known or assumed; infinite before any command has ended. */
  readonly tailMs: () => number;
}

/** The estimated end of a run, by what is under way and what waits for it. */
export class RunEndEstimate {
  readonly #tasks: readonly Task[];
  readonly #durations: DurationLog;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #running = new Set<Running>();
  readonly #wavesBehind: ReadonlyMap<string, number>;
  #behind: ReadonlyMap<string, number> = new Map();
  #behindCount = -1;
  #isKnown = false;
  #endAt = Number.NEGATIVE_INFINITY;
  /** The command with the estimated end, by what follows it; undefined before there is an estimate. */
  #last: Running | undefined;
  /** Time of everything that follows that command, in milliseconds. */
  #endTailMs = 0;
  #estimatedAt = Number.NEGATIVE_INFINITY;
  /** Number of kinds of commands whose duration was known at the last estimate. */
  #estimatedBy = 0;
  readonly #places: Pick<RunConcurrencySlots, 'isCrowded'>;
  /** Tells whether a task changes a resource that serves, and is to serve again. */
  readonly #isServing: (task: Task) => boolean;

  constructor(
    tasks: readonly Task[],
    durations: DurationLog,
    clock: Clock,
    places: Pick<RunConcurrencySlots, 'isCrowded'>,
    isServing: (task: Task) => boolean = () => false,
  ) {
    this.#isServing = isServing;
    this.#places = places;
    this.#tasks = tasks;
    this.#wavesBehind = countDependentRolloutWaves(tasks);
    this.#durations = durations;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /**
   * A command of a task begins, with others that follow it there. @returns how long its end may go unnoticed, and what is to be
   * called once it has ended
   */
  begin(task: Task, index: number): ToleratedLateness & { readonly end: () => void } {
    const since = this.#clock.now();
    const following = task.commands.slice(index + 1);
    const tailMs = () => this.#expect(following) + this.#behindOf(task);
    const command = elementAt(task.commands, index).kind;
    // A VM that is out of service waits like a wave: late looks make its outage longer than the plan has told.
    const { takes, gives } = findCommandFacts(command);
    const isOutage = this.#isServing(task) && (takes === 'power' || gives === 'power');
    const wavesBehind = Math.max(this.#wavesBehind.get(task.id) ?? 0, isOutage ? 1 : 0);
    const running = { command, since, wavesBehind, tailMs };
    this.#running.add(running);
    // An estimate from before it may be that of a run that was over.
    if (this.#areFew) this.#estimatedAt = Number.NEGATIVE_INFINITY;
    return {
      mayWaitMs: () => this.#mayWaitMs(running),
      payers: () =>
        Math.max(
          wavesBehind * payersPerWave,
          this.#delaysAll ? this.#tasks.length / tasksPerPayer : 0,
        ),
      shortestMs: () => (this.#places.isCrowded ? shortestCrowdedMs : shortestPollPauseMs),
      end: () => this.#running.delete(running),
    };
  }

  /** When the run will end, by how long its commands took so far; undefined before any was seen to end. */
  get expectedEnd(): number | undefined {
    const now = this.#clock.now();
    const endAt = this.#findEnd(now);
    return this.#durations.knownCount > 0 && endAt > now ? endAt : undefined;
  }

  #mayWaitMs(running: Running): number {
    const { since, wavesBehind, tailMs } = running;
    const now = this.#clock.now();
    if (wavesBehind > 0) return (now - since) * waveShare;
    if (this.#places.isCrowded) return (now - since) * crowdedShare;
    const endAt = this.#findEnd(now);
    const ageMs = now - this.#startedAt;
    if (endAt <= now) return ageMs * unknownDurationPauseShare;
    const lengthMs = Math.min(endAt - this.#startedAt, mostTimes * ageMs);
    const shareMs = Math.max(ageMs, lengthMs) * (this.#areFew ? fewRunShare : pollPauseShare);
    // The command that ends last decides when the run ends, so its end is looked for often.
    if (this.#areFew && running === this.#last) return shareMs;
    // Without measured durations, that of this command may be too short and those of all others too long, so that the
    // time to spare is divided by the doubt.
    const doubt = this.#isKnown ? 1 : doubtTimes;
    // The successors of the slowest command may be the successors of this one, too: only the difference is in doubt.
    const lessMs = this.#endTailMs - tailMs();
    const slowestMs = Math.max(0, endAt - this.#endTailMs - now);
    const spareMs = slowestMs / doubt + (lessMs < 0 ? lessMs * doubt : lessMs / doubt);
    const slackMs = spareMs * (this.#areFew ? fewSlackShare : slackShare);
    if (!Number.isFinite(slackMs)) return shareMs;
    const mayBeLast = running.command === this.#last?.command && lessMs <= 0;
    const lastMs = Math.max(leastLastMs, Math.max(ageMs, lengthMs) * mostLastShare);
    const mostMs = mayBeLast ? lastMs : Infinity;
    return Math.max(shareMs, Math.min(slackMs, mostMs));
  }

  /** Tells whether little goes on, and nothing waits for a place: what is noticed late delays the whole run. */
  get #delaysAll(): boolean {
    return this.#areFew && !this.#places.isCrowded;
  }

  get #areFew(): boolean {
    return this.#running.size <= fewRunning;
  }

  #findEnd(now: number): number {
    const { knownCount } = this.#durations;
    const isFresh = now - this.#estimatedAt < freshMs && knownCount === this.#estimatedBy;
    if (isFresh) return this.#endAt;
    this.#estimatedAt = now;
    this.#estimatedBy = knownCount;
    this.#endAt = now;
    this.#endTailMs = 0;
    this.#last = undefined;
    for (const [command, running] of groupBy(this.#running, (one) => one.command)) {
      const elapsed = running.map(({ since }) => now - since);
      const slowestMs = this.#durations.slowestOf(command, elapsed);
      const overdue = elapsed.filter((ms) => ms >= slowestMs).length;
      const share = this.#areFew
        ? fewOverdueShare
        : overdueShare * (1 + overdueGrowth * Math.log(Math.max(1, overdue)));
      for (const one of running) {
        const { since, tailMs } = one;
        const leftMs = Math.max(slowestMs - (now - since), (now - since) * share);
        const endTailMs = tailMs();
        const end = now + leftMs + endTailMs;
        if (!Number.isFinite(end) || end <= this.#endAt) continue;
        this.#endAt = end;
        this.#endTailMs = endTailMs;
        this.#last = one;
      }
    }
    return this.#endAt;
  }

  #expect(commands: readonly { readonly kind: CommandName }[]): number {
    return commands.reduce((sum, { kind }) => sum + this.#durations.slowestOf(kind), 0);
  }

  #behindOf({ id }: Task): number {
    const count = this.#durations.knownCount;
    if (count !== this.#behindCount) {
      this.#behindCount = count;
      this.#isKnown = this.#tasks.every(({ commands }) =>
        commands.every(({ kind }) => this.#durations.isKnown(kind)),
      );
      this.#behind = estimateDependentChainMs(
        this.#tasks,
        (commands) => this.#expect(commands),
        (task) => this.#durations.expectReady(task),
      );
    }
    return this.#behind.get(id) ?? 0;
  }
}
