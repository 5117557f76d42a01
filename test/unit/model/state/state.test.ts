import { expect, test } from 'vitest';
import {
  isCreateStillWatched,
  watchCreateForDuplicate,
} from '../../../../src/model/state/state.ts';
import { duplicateWatchMs, untimedDuplicateWatchMs } from '../../../../src/model/state/evidence.ts';

const command = { kind: 'createNetwork', project: 'p-1', name: 'lan' } as const;
const create = { address: 'projects.p.networks.lan', command, knownIds: ['n-0'] };

test('a create is watched by the clock of the service, and by ours for longer where that told no time', () => {
  const timed = watchCreateForDuplicate(
    { ...create, isAllKnown: true, serviceAt: 4 },
    { now: 9, serviceNow: 5, isSentOnce: true },
  );
  expect(timed).toEqual({
    ...{ ...create, at: 9, isAllKnown: true, serviceAt: 4, watchedServiceAt: 5, isSentOnce: true },
  });
  const untimed = watchCreateForDuplicate(create, { now: 9, serviceNow: undefined });
  expect(untimed).toEqual({ ...create, at: 9 });
  const watched = (one: typeof timed, ours: number, service: number | undefined) =>
    isCreateStillWatched(one, 9 + ours, service);
  expect(watched(timed, untimedDuplicateWatchMs, 5 + duplicateWatchMs - 1)).toBe(true);
  expect(watched(timed, 0, 5 + duplicateWatchMs)).toBe(false);
  expect(
    [untimed, timed].map((one) => watched(one, untimedDuplicateWatchMs - 1, undefined)),
  ).toEqual([...[true, true]]);
  expect(watched(untimed, untimedDuplicateWatchMs, 5)).toBe(false);
});
