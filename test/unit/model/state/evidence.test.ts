import { describe, expect, it, test } from 'vitest';
import {
  duplicateWatchMs,
  findLookupDurationMs,
  LookupTimeCounter,
  untimedDuplicateWatchMs,
} from '../../../../src/model/state/evidence.ts';
import { isCreateStillWatched } from '../../../../src/model/state/state.ts';

const minute = 60_000;

it.each<[string, boolean, boolean, number | undefined, number]>([
  ['a minute where no answer came', false, false, undefined, minute],
  ['twice that where the request hung', false, true, undefined, 2 * minute],
  ['two minutes where it was accepted', true, false, undefined, 2 * minute],
  ['no less where resources show at once', true, false, 1_000, 2 * minute],
  ['twenty times the slowest that was seen here', false, false, 10_000, 200_000],
  ['a quarter of an hour at most', true, true, 10 * minute, 15 * minute],
])('how long a create is looked for: %s', (_what, isAccepted, hung, slowestAppearanceMs, ms) => {
  expect(findLookupDurationMs({ isAccepted, hung, slowestAppearanceMs })).toBe(ms);
});

describe('time spent looking', () => {
  test('adds up the steps, and counts none for more than 10 s', () => {
    const time = new LookupTimeCounter();
    expect([0, 4_000, 9_000, 3_609_000].map((at) => time.note(at))).toEqual([
      0, 4_000, 9_000, 19_000,
    ]);
    expect(time.elapsedMs).toBe(19_000);
  });

  test('goes on from what passed before, and not backwards with a clock', () => {
    const time = new LookupTimeCounter(30_000);
    expect([5_000, 1_000, 2_000].map((at) => time.note(at))).toEqual([30_000, 30_000, 31_000]);
    expect(new LookupTimeCounter(-1).elapsedMs).toBe(0);
  });
});

describe('a create that was sent again is watched', () => {
  const double = {
    ...{ address: 'projects.p.networks.lan', knownIds: [], at: 0 },
    command: { kind: 'createNetwork', project: 'p', name: 'lan' } as const,
  };
  it.each<[string, number | undefined, number, number | undefined, boolean]>([
    ['for an hour of the service', 0, 0, duplicateWatchMs - 1, true],
    ['no longer, whatever our clock says', 0, 0, duplicateWatchMs, false],
    ['for a day of our clock where the service told no time', undefined, duplicateWatchMs, 0, true],
    ['as long where it tells none now', 0, duplicateWatchMs, undefined, true],
    ['and not for longer than that', undefined, untimedDuplicateWatchMs, undefined, false],
  ])('%s', (_what, watchedServiceAt, now, serviceNow, expected) => {
    const timed = { ...double, ...(watchedServiceAt !== undefined && { watchedServiceAt }) };
    expect(isCreateStillWatched(timed, now, serviceNow)).toBe(expected);
  });
});
