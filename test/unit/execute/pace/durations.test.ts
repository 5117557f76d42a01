import { describe, expect, test } from 'vitest';
import { DurationLog } from '../../../../src/execute/pace/durations.ts';
import { makeExactDurationBounds } from '../../../../src/execute/observe/took.ts';
import type { Command } from '../../../../src/model/account/command.ts';

const rename = (name: string): Command => ({
  kind: 'renameVm',
  project: { id: 'p' },
  vm: { id: 'v' },
  name,
});
const create: Pick<Command, 'kind'> = { kind: 'createVm' };
const start: Command = { kind: 'startVm', project: { id: 'p' }, vm: { id: 'v' } };

describe('what commands are expected to take', () => {
  test('is assumed until one was seen to end', () => {
    const log = new DurationLog();
    expect(log.expect([start])).toBe(10_000);
    expect(log.learned).toBeUndefined();
    log.note('startVm', makeExactDurationBounds(4_000));
    expect(log.expect([start])).toBe(4_000);
    expect(log.expect([start, start])).toBe(8_000);
    expect(log.learned).toEqual({ startVm: { meanMs: 4_000, deviationMs: 1_000 } });
  });

  test('starts from what earlier runs saw, and moves towards what is seen now', () => {
    const log = new DurationLog({ durations: { startVm: { meanMs: 10_000, deviationMs: 0 } } });
    for (let run = 0; run < 40; run += 1) log.note('startVm', makeExactDurationBounds(2_000));
    expect(log.learned?.startVm?.meanMs).toBeLessThan(2_100);
  });

  test('a clock that went backwards counts as no time', () => {
    const log = new DurationLog();
    log.note('startVm', makeExactDurationBounds(-5));
    expect(log.learned).toEqual({ startVm: { meanMs: 0, deviationMs: 0 } });
  });

  test('nothing to do takes no time', () => {
    expect(new DurationLog().expect([])).toBe(0);
    expect(new DurationLog().expect([rename('a')])).toBeGreaterThan(0);
  });
});

describe('when to look', () => {
  test('what always takes the same is looked at just when it ends, and closely then', () => {
    const log = new DurationLog({ durations: { createVm: { meanMs: 30_000, deviationMs: 100 } } });
    expect(log.paceOf('createVm')).toEqual({ firstMs: 29_800, byMs: 30_200 });
  });

  test('what varies is looked at before the quick ones end, but never before half the time', () => {
    const varying = new DurationLog({
      durations: { createVm: { meanMs: 30_000, deviationMs: 5_000 } },
    });
    expect(varying.paceOf('createVm').firstMs).toBe(20_000);
    const wild = new DurationLog({
      durations: { createVm: { meanMs: 30_000, deviationMs: 60_000 } },
    });
    expect(wild.paceOf('createVm').firstMs).toBe(15_000);
  });

  test('what nobody has seen to end is looked at from the start, and everybody is told of the first end', () => {
    let told = 0;
    const log = new DurationLog({}, () => (told += 1));
    expect(log.paceOf('createVm')).toEqual({ firstMs: 0, guessOf: 'createVm' });
    log.note('createVm', makeExactDurationBounds(20_000));
    log.note('createVm', makeExactDurationBounds(40_000));
    expect(told).toBe(1);
    expect(log.paceOf('createVm').guessOf).toBeUndefined();
  });

  test('the slow ones, which are the last to be seen, count no more than the quick ones', () => {
    const log = new DurationLog();
    for (let ms = 20_000; ms <= 40_000; ms += 100)
      log.note('createVm', makeExactDurationBounds(ms));
    expect(log.learned?.createVm?.meanMs).toBeCloseTo(30_000, -2);
    expect(log.paceOf('createVm').firstMs).toBeLessThan(20_000);
  });
});

describe('how long something may take yet', () => {
  test('is what the slow ones took before', () => {
    const log = new DurationLog({ durations: { startVm: { meanMs: 10_000, deviationMs: 1_000 } } });
    expect(log.slowestOf('startVm')).toBe(12_000);
    expect(log.slowestOf('startVm', [30_000])).toBe(12_000);
  });

  test('until probes hold is that of their block, and what they must hold for', () => {
    const log = new DurationLog({
      readyTimes: { 'projects.p.vms.db': { meanMs: 9_000, deviationMs: 0 } },
    });
    const ready = { probes: [], withinMs: 60_000, settleMs: 500 };
    const expectAt = (address: string) => log.expectReady({ address, ready });
    expect([
      log.learnedReady,
      expectAt('projects.p.vms.web'),
      expectAt('projects.p.vms.db'),
    ]).toEqual([undefined, 500, 9_500]);
    expect(log.expectReady({ address: 'projects.p.vms.db' })).toBe(0);
    log.noteReady('projects.p.vms.web[0]', 3_000);
    log.noteReady('projects.p.vms.web[1]', 5_000);
    expect(expectAt('projects.p.vms.web[7]')).toBe(4_500);
    expect(log.learnedReady).toMatchObject({
      'projects.p.vms.web': { meanMs: 4_000 },
      'projects.p.vms.db': { meanMs: 9_000 },
    });
  });

  test('is told by those that have not ended: of many that end one after the other, the quickest are seen first', () => {
    const log = new DurationLog();
    for (let ms = 6_000; ms < 9_000; ms += 100) log.note('createVm', makeExactDurationBounds(ms));
    expect(log.slowestOf('createVm')).toBeLessThan(10_000);
    // A fifth of all of them has ended in 3 of 15 seconds.
    const others = Array.from({ length: 120 }, () => 9_000);
    const slowestMs = log.slowestOf('createVm', others);
    expect(slowestMs).toBeGreaterThan(13_000);
    expect(slowestMs).toBeLessThan(21_000);
    // Those that have just begun tell nothing.
    const young = Array.from({ length: 10_000 }, () => 100);
    expect(log.slowestOf('createVm', [...others, ...young])).toBe(slowestMs);
  });

  test('of what was never seen follows the others, as many times quicker or slower than assumed', () => {
    const log = new DurationLog();
    expect(log.slowestOf('createVm')).toBe(Number.POSITIVE_INFINITY);
    const assumedMs = log.expect([create]);
    log.note('startVm', makeExactDurationBounds(log.expect([start]) / 100));
    expect(log.slowestOf('createVm')).toBeCloseTo(assumedMs / 100);
  });
});
