import { afterEach, expect, test, vi } from 'vitest';
import { openClock } from '../../../src/cli/clock.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('tells the time of day, in whole milliseconds', () => {
  const now = openClock().now();
  expect(Number.isInteger(now)).toBe(true);
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
});

test.each([
  ['forwards', 7_200_000],
  ['backwards', -7_200_000],
])('a time of day that jumps %s changes nothing', (_, jumpMs) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const clock = openClock();
  const before = clock.now();
  vi.setSystemTime(Date.now() + jumpMs);
  expect(Math.abs(clock.now() - before)).toBeLessThan(60_000);
});

test('a sleep ends early with the reason of its signal', async () => {
  const reason = new Error('enough');
  await expect(openClock().sleep(3_600_000, AbortSignal.abort(reason))).rejects.toMatchObject({
    cause: reason,
  });
});
