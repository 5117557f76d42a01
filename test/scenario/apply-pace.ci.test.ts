// The time and the requests of an apply beside what its operations must take, and beside polling each of them.
import { fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import type { UsualCommandDurations } from '../../src/model/state/state.ts';
import { createSeededRandom } from '../../src/sandbox/clock/seeded-random.ts';
import { countRuns, drawNumber, drawSome } from '../support/budget/budget.ts';
import {
  measurePace,
  noticeAtOnce,
  pollEach,
  boundOf,
  type PaceCourse,
} from '../support/bench/pace.ts';

/** Durations of a kind of operation: the mean, and how far each may be from it. */
interface Took {
  readonly meanMs: number;
  readonly spread: number;
  readonly isKnown: boolean;
}

const anyTook: fc.Arbitrary<Took> = fc.record({
  meanMs: fc
    .double({ min: Math.log(20), max: Math.log(60_000), noNaN: true })
    .map((log) => Math.round(Math.exp(log))),
  spread: fc.double({ min: 0, max: 0.4, noNaN: true }),
  isKnown: fc.boolean(),
});

const anyCourse: fc.Arbitrary<PaceCourse> = fc
  .record({
    vms: fc.integer({ min: 30, max: 60 }),
    networks: fc.integer({ min: 0, max: 2 }),
    places: fc.integer({ min: 5, max: 50 }),
    latencyMs: fc.integer({ min: 0, max: 50 }),
    took: fc.record({ createVm: anyTook, attachVm: anyTook, createNetwork: anyTook }),
    chances: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
      ...{ minLength: 50, maxLength: 50 },
    }),
  })
  .map(({ took, chances, ...course }) => {
    const known = Object.entries(took).flatMap(([kind, { meanMs, spread, isKnown }]) =>
      isKnown
        ? [[kind, { meanMs, deviationMs: Math.round((meanMs * spread) / Math.sqrt(3)) }]]
        : [],
    );
    let drawn = 0;
    return {
      ...course,
      known: Object.fromEntries(known) as UsualCommandDurations,
      planDuration: (type) => {
        const { createVm, attachVm, createNetwork } = took;
        const { meanMs, spread } =
          type === 'Provision' ? createVm : type === 'CreateNetwork' ? createNetwork : attachVm;
        const chance = chances[drawn++ % chances.length]!;
        return { queueMs: 0, runMs: Math.ceil(meanMs * (1 + spread * chance)) };
      },
    };
  });

/** What an apply took, beside the least that it can take and beside polling. */
async function compare(course: PaceCourse) {
  const { places, latencyMs } = course;
  const { makespanMs, changingMs, requests, chains } = await measurePace(course);
  // Each operation is asked for, and seen to have ended by a look that begins after its answer.
  const besidesMs = 2 * latencyMs;
  const boundMs = Math.max(
    boundOf(chains, places, besidesMs),
    noticeAtOnce(chains, places, besidesMs),
  );
  const polled = pollEach(chains, places, latencyMs);
  return {
    ...{ makespanMs, changingMs, requests, boundMs, polled },
    changes: chains.flatMap(({ tookMs }) => tookMs).length,
    leastMs: boundOf(chains, places, 0),
  };
}

const startMs = 300;
const runs = countRuns(300, { short: 1, ci: 8 });

test(`${runs} applies take little longer than they must, with fewer requests than polling`, async () => {
  const property = fc.asyncProperty(fc.noBias(anyCourse), async (course) => {
    const { makespanMs, changingMs, requests, boundMs, polled, changes } = await compare(course);
    expect(makespanMs).toBeLessThanOrEqual(1.08 * boundMs + startMs);
    expect(changingMs).toBeLessThanOrEqual(1.05 * polled.makespanMs + startMs);
    // Each change has to be asked for. Where it ends within one pause of polling, that takes one look for each: of those some
    // are saved, as long as no place waits for it.
    expect(requests).toBeLessThanOrEqual(Math.max((polled.requests * 2) / 3, changes * 1.8));
  });
  const options = { numRuns: runs, seed: drawNumber(2 ** 31, 'apply pace'), endOnFailure: true };
  await fc.assert(property, options);
});

/** VMs of 9 to 15 s with two attachments of 2 to 3 s each, at so many times that speed. */
const quickCourse = (places: number, speed: number, latencyMs: number): PaceCourse => {
  const chance = createSeededRandom(7);
  return {
    ...{ vms: 100, networks: 2, places, latencyMs, known: {} },
    planDuration: (type) => {
      const [least, most] = type === 'Provision' ? [9, 15] : [2, 3];
      const seconds = least + (most - least) * chance();
      return { queueMs: 0, runMs: Math.ceil((seconds * 1_000) / speed) };
    },
  };
};

const corners = [10, 25, 50].flatMap((places) =>
  [5, 20, 100].flatMap((speed) => [0, 30].map((latencyMs) => [places, speed, latencyMs] as const)),
);

test.each(drawSome(corners, { short: 1, ci: 4 }, 'quick operations with few places'))(
  '%i places at speed %i, %i ms away, are kept busier than by polling each operation',
  async (...corner) => {
    const { makespanMs, requests, boundMs, leastMs, polled } = await compare(
      quickCourse(...corner),
    );
    if (corner[2] === 0) expect(makespanMs).toBeLessThanOrEqual(1.08 * leastMs + startMs);
    expect(makespanMs).toBeLessThanOrEqual(1.08 * boundMs + startMs);
    expect(makespanMs).toBeLessThanOrEqual(polled.makespanMs);
    expect(requests).toBeLessThanOrEqual((polled.requests * 2) / 3);
  },
);
