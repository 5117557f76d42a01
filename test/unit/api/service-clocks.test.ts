import { expect, test } from 'vitest';
import { ServiceClocks } from '../../../src/api/service-clocks.ts';
import type { LiveResource } from '../../../src/model/account/live.ts';
import type { LiveOperation } from '../../../src/model/account/operation.ts';

const hour = 3_600_000;
const span = { from: 1_000_000_000, to: 1_000_001_000 };
const madeAt = span.from + 1_000;
const make = (aheadMs: number) =>
  ({ kind: 'network', id: 'n-1', projectId: 'p', createdAt: madeAt + aheadMs }) as LiveResource;
const record = (aheadMs: number) => {
  const times = { createdAt: madeAt + aheadMs, completedAt: madeAt + aheadMs + 1 };
  return { id: 'o-1', type: 'CreateNetwork', resourceId: 'n-1', ...times } as LiveOperation;
};

test('each clock is learned by itself, and times are told by that of Date', () => {
  const clocks = new ServiceClocks();
  expect(clocks.readResource(make(hour)).createdAt).toBe(madeAt + hour);
  clocks.noteMade(make(hour), span);
  clocks.noteCreateRecord(record(-hour));
  expect(clocks.learned).toEqual({ resourcesAheadMs: hour, operationsAheadMs: -hour });
  expect(clocks.readResource(make(hour)).createdAt).toBe(madeAt);
  expect(clocks.readOperation(record(-hour))).toMatchObject({
    ...{ createdAt: madeAt, completedAt: madeAt + 1 },
  });
  expect([clocks.takeNews(), clocks.takeNews()]).toEqual([hour, undefined]);
});

test('what was translated teaches nothing else than what was told', () => {
  const clocks = new ServiceClocks();
  clocks.recall({ resourcesAheadMs: hour });
  clocks.noteMade(clocks.readResource(make(hour)), span);
  expect(clocks.learned).toBeUndefined();
  clocks.noteMade(clocks.readResource(make(0)), span);
  expect(clocks.learned).toEqual({ resourcesAheadMs: 0 });
});

test.each([
  ['a span of more than five seconds', make(hour), { ...span, from: span.from - 6_000 }],
  ['a service that tells no time', make(hour), { ...span, from: undefined }],
  ['what was made on another day', make(-30 * hour), span],
])('%s teaches nothing', (_what, live, made) => {
  const clocks = new ServiceClocks();
  clocks.noteMade(live, made);
  expect(clocks.areKnown).toBe(false);
});
