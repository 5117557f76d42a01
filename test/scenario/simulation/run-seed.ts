import { drawCourse, dropFrom, type Course, type Leg } from './course.ts';
import type { FaultKind } from './fault-kinds.ts';
import { simulate, type Report } from './simulate.ts';

/** A part of what a seed brings; all of it where nothing is said. */
export interface Narrowing {
  /** Only these points are struck. */
  readonly only?: readonly string[];
  /** Only these configurations of the course, counted from 0. */
  readonly configurations?: readonly number[];
  /** Left out of every configuration, e.g. `shop.vms.web`. */
  readonly drop?: readonly string[];
  /** Only these kinds of faults, whatever the seed brings. */
  readonly kinds?: readonly FaultKind[];
  /** The service keeps names as they are given, and all clocks agree. */
  readonly isPlain?: boolean;
}

/** The course of a seed, or what is left of it; undefined when something needs what was dropped. */
export function narrowCourse(
  seed: number,
  { configurations, drop = [], kinds, isPlain }: Narrowing,
): Course | undefined {
  const course = drawCourse(seed);
  const legs: Leg[] = [];
  for (const [index, leg] of course.legs.entries()) {
    if (configurations && !configurations.includes(index)) continue;
    let { config } = leg;
    for (const path of drop) {
      const dropped = dropFrom(config, path);
      if (!dropped) return undefined;
      config = dropped;
    }
    legs.push({ ...leg, config });
  }
  return {
    ...course,
    legs,
    ...(kinds && { kinds: new Set(kinds) }),
    ...(isPlain && { names: 'as-given', areNamesMixed: false, areClocksApart: false }),
  };
}

/** Runs a seed, or a part of it. What it throws is a violation, too. */
export async function runSeed(
  seed: number,
  narrowing: Narrowing = {},
  log?: (line: string) => void,
): Promise<Report> {
  const course = narrowCourse(seed, narrowing);
  if (!course) throw new Error('what is dropped is needed');
  const only = narrowing.only && new Set(narrowing.only);
  try {
    return await simulate(course, { only, log });
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { violations: [text], strikes: [], runs: 0, requests: 0 };
  }
}
