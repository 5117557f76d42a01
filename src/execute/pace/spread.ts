import { elementAt } from '../../model/group-by.ts';
import type { UsualCommandDuration } from '../../model/state/state.ts';
import type { CommandDurationBounds } from '../observe/took.ts';

/** Weight of the durations of earlier runs, in sightings of this run; it falls with each sighting, to none at `enough`. */
const knownWeight = 4;
const enough = 20;
/** Durations are taken to differ by this share, in the weight of one sighting: the first few may be alike by chance. */
const assumedDeviation = 0.25;
/** The slowest is not taken to need more than so many times the mean of those that have ended. */
const mostMeans = 2;

/** Durations of the commands of one kind. Each counts the same: the slow ones are always the last to be seen. */
export class DurationSpread {
  readonly #known: UsualCommandDuration | undefined;
  /** Milliseconds of the commands that this run saw end, in ascending order. */
  readonly #endedMs: number[] = [];
  #meanMs = 0;
  /**
   * Upper bound of the shortest duration: a command that ended long before it was looked at must not make the others seem
   * slow.
   */
  #quickestMs: number | undefined;
  /** The sum of the squared distances from the mean, from which the deviation is computed. */
  #squares = 0;
  /** The computed summary, kept until the next duration is added. */
  #summary: UsualCommandDuration | undefined;

  /** @param known the summary of durations that earlier runs saw. */
  constructor(known?: UsualCommandDuration) {
    this.#known = known;
  }

  add(took: CommandDurationBounds): void {
    const ms = this.#choose(took);
    this.#summary = undefined;
    this.#endedMs.splice(countUpTo(this.#endedMs, ms), 0, ms);
    this.#quickestMs = Math.min(this.#quickestMs ?? took.mostMs, took.mostMs);
    const before = this.#meanMs;
    this.#meanMs += (ms - before) / this.#endedMs.length;
    // As if it could have ended in any moment between the two looks.
    const doubt = Math.max(0, took.mostMs - took.leastMs) ** 2 / 12;
    this.#squares += (ms - before) * (ms - this.#meanMs) + doubt;
  }

  /** Mean and deviation by now; undefined when no duration is known. */
  summarize(): UsualCommandDuration | undefined {
    return (this.#summary ??= this.#summarize());
  }

  #summarize(): UsualCommandDuration | undefined {
    const count = this.#endedMs.length;
    const known = this.#known;
    if (!known) {
      const meanMs = this.#meanMs;
      const squares = this.#squares + (meanMs * assumedDeviation) ** 2;
      return count === 0 ? undefined : { meanMs, deviationMs: Math.sqrt(squares / count) };
    }
    const weight = knownWeight * Math.max(0, 1 - count / enough);
    const all = weight + count;
    const meanMs = (weight * known.meanMs + count * this.#meanMs) / all;
    const variance =
      weight * (known.deviationMs ** 2 + (known.meanMs - meanMs) ** 2) +
      this.#squares +
      count * (this.#meanMs - meanMs) ** 2;
    return { meanMs, deviationMs: Math.sqrt(variance / all) };
  }

  /**
   * Expected duration of the slowest command, in milliseconds, given how long the ones under way have taken: the quickest are
   * seen first, so that the rest will end at the rate at which those did. Undefined when no duration is known.
   */
  findSlowest(underWayMs: readonly number[]): number | undefined {
    const usual = this.summarize();
    if (!usual) return undefined;
    const quickestMs = this.#quickestMs;
    if (quickestMs === undefined) return slowestOf(usual);
    const reachedMs = underWayMs.reduce((a, b) => Math.max(a, b), this.#endedMs.at(-1) ?? 0);
    const sinceMs = Math.max(0, reachedMs - quickestMs);
    const steadyMs = quickestMs + sinceMs / shareEnded(this.#endedMs, underWayMs);
    const before = this.#known ? slowestOf(this.#known) : 0;
    return Math.min(Math.max(before, steadyMs), mostMeans * usual.meanMs);
  }

  /** A duration known only between two looks counts as the usual one where that lies between them, else as the nearer bound. */
  #choose({ leastMs, mostMs }: CommandDurationBounds): number {
    const usualMs = this.summarize()?.meanMs ?? (leastMs + mostMs) / 2;
    return Math.max(0, leastMs, Math.min(mostMs, usualMs));
  }
}

const slowestOf = ({ meanMs, deviationMs }: UsualCommandDuration) => meanMs + 2 * deviationMs;

/** Counts the numbers of an ascending list that are at most `largest`. */
function countUpTo(ordered: readonly number[], largest: number): number {
  let [from, to] = [0, ordered.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (elementAt(ordered, middle) <= largest) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The share that has ended by the time that the slowest one has reached, as Kaplan and Meier estimate it. */
function shareEnded(endedMs: readonly number[], underWayMs: readonly number[]): number {
  if (underWayMs.length === 0) return 1;
  const underWay = [...underWayMs].sort((a, b) => a - b);
  let left = 1;
  let younger = 0;
  endedMs.forEach((ms, index) => {
    while (younger < underWay.length && elementAt(underWay, younger) < ms) younger += 1;
    left *= 1 - 1 / (endedMs.length - index + underWay.length - younger);
  });
  return 1 - left;
}
