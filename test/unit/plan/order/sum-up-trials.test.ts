import { expect, it } from 'vitest';
import type { Rehearsal } from '../../../../src/model/plan/rehearsal.ts';
import { sumUpRehearsals } from '../../../../src/plan/order/sum-up-trials.ts';

const trial = (ms: number, ...failed: string[]) => ({
  timeline: { startedAt: 1_000, endedAt: 1_000 + ms, entries: [] },
  failures: failed.map((address): Rehearsal['failures'][number] => ({
    ...{ address, command: 'createVm' },
    diagnostic: { severity: 'error', code: `after-${ms}`, summary: 'It failed' },
  })),
  ...{ skipped: [], remaining: [], findings: [] },
});

it.each([
  [[30], 30, 30],
  [[40, 10, 30], 30, 40],
  [[40, 10, 30, 20], 25, 40],
])('tells the median and the slowest of %j', (times, medianMs, worstMs) => {
  const trials = sumUpRehearsals(times.map((ms) => trial(ms)));
  expect(trials).toEqual({
    ...{ count: times.length, whole: times.length },
    ...{ medianMs, worstMs, failures: [] },
  });
});

it('counts what failed, most often first, with the first reason', () => {
  const trials = sumUpRehearsals([trial(10, 'a', 'b'), trial(20, 'b'), trial(30)]);
  expect(trials.whole).toBe(1);
  expect(
    trials.failures.map(({ address, count, diagnostic }) => [address, count, diagnostic.code]),
  ).toEqual([
    ['b', 2, 'after-10'],
    ['a', 1, 'after-10'],
  ]);
});

it.each([
  ['something is left for a second plan', { remaining: [{ address: 'a', action: 'create' }] }],
  ['something was skipped', { skipped: ['a'] }],
  ['a check fails', { findings: [{ severity: 'error', code: 'x', summary: 'x' }] }],
] as const)('is not whole where %s', (_, more) => {
  expect(sumUpRehearsals([{ ...trial(10), ...more }]).whole).toBe(0);
});

it('is whole where something is only warned of', () => {
  const findings = [{ severity: 'warning', code: 'x', summary: 'x' }] as const;
  expect(sumUpRehearsals([{ ...trial(10), findings }]).whole).toBe(1);
});
