import { afterEach, expect, test, vi } from 'vitest';
import { openProcessClock } from '../../../src/cli/clock.ts';

afterEach(() => vi.useRealTimers());

test('tells the time of day, in whole milliseconds', () => {
  const now = openProcessClock().now();
  expect(Number.isInteger(now)).toBe(true);
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
});

test.each([
  ['forwards', 7_200_000],
  ['backwards', -7_200_000],
])('a time of day that jumps %s changes nothing', (_, jumpMs) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const clock = openProcessClock();
  const before = clock.now();
  vi.setSystemTime(Date.now() + jumpMs);
  expect(Math.abs(clock.now() - before)).toBeLessThan(60_000);
});

test('a sleep ends early with the reason of its signal', async () => {
  const reason = new Error('enough');
  const stopping = new AbortController();
  const sleep = openProcessClock().sleep(3_600_000, stopping.signal);
  stopping.abort(reason);
  await expect(sleep).rejects.toBe(reason);
  await expect(openProcessClock().sleep(0.5, AbortSignal.timeout(60_000))).resolves.toBeUndefined();
});

test('a sleep of months neither ends at once nor warns', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => warnings.push(name);
  process.on('warning', onWarning);
  const stopping = new AbortController();
  let isOver = false;
  const sleep = openProcessClock()
    .sleep(2 ** 33, stopping.signal)
    .finally(() => {
      isOver = true;
    });
  await openProcessClock().sleep(20);
  expect(isOver).toBe(false);
  const reason = new Error('enough');
  stopping.abort(reason);
  await expect(sleep).rejects.toBe(reason);
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
