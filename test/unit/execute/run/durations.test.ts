import { describe, expect, test } from 'vitest';
import { createDurationLog } from '../../../../src/execute/run/durations.ts';
import type { Command } from '../../../../src/model/account/command.ts';

const rename = (name: string): Command => ({
  kind: 'renameVm',
  project: { id: 'p' },
  vm: { id: 'v' },
  name,
});
const start: Command = { kind: 'startVm', project: { id: 'p' }, vm: { id: 'v' } };

describe('what commands are expected to take', () => {
  test('is assumed until one was seen to end', () => {
    const log = createDurationLog();
    expect(log.expect([start])).toBe(10_000);
    expect(log.learned).toBeUndefined();
    log.note('startVm', 4_000);
    expect(log.expect([start])).toBe(4_000);
    expect(log.expect([start, start])).toBe(8_000);
    expect(log.learned).toEqual({ startVm: { meanMs: 4_000, deviationMs: 1_000 } });
  });

  test('starts from what earlier runs saw, and moves towards what is seen now', () => {
    const log = createDurationLog({ startVm: { meanMs: 10_000, deviationMs: 0 } });
    for (let run = 0; run < 40; run += 1) log.note('startVm', 2_000);
    expect(log.learned?.startVm?.meanMs).toBeLessThan(2_100);
  });

  test('a clock that went backwards counts as no time', () => {
    const log = createDurationLog();
    log.note('startVm', -5);
    expect(log.learned).toEqual({ startVm: { meanMs: 0, deviationMs: 0 } });
  });

  test('nothing to do takes no time', () => {
    expect(createDurationLog().expect([])).toBe(0);
    expect(createDurationLog().expect([rename('a')])).toBeGreaterThan(0);
  });
});

describe('when to look', () => {
  test('what always takes the same is looked at just when it ends', () => {
    const log = createDurationLog({ createVm: { meanMs: 30_000, deviationMs: 100 } });
    expect(log.paceOf('createVm', 30_000).firstMs).toBe(29_800);
  });

  test('what varies is looked at before the quick ones end, but never before half the time', () => {
    const varying = createDurationLog({ createVm: { meanMs: 30_000, deviationMs: 5_000 } });
    expect(varying.paceOf('createVm', 30_000).firstMs).toBe(20_000);
    const wild = createDurationLog({ createVm: { meanMs: 30_000, deviationMs: 60_000 } });
    expect(wild.paceOf('createVm', 30_000).firstMs).toBe(15_000);
  });

  test('pauses grow with the length of the task, within bounds', () => {
    const every = (taskMs: number) => createDurationLog().paceOf('createVm', taskMs).everyMs;
    expect(every(0)).toBe(200);
    expect(every(3_000)).toBeLessThan(every(30_000));
    expect(every(30_000)).toBeLessThan(2_000);
    expect(every(36_000_000)).toBe(5_000);
  });

  test('something quick is looked for when it should be over; something slow soon', () => {
    const log = createDurationLog({
      createPortForward: { meanMs: 2_000, deviationMs: 500 },
      createVm: { meanMs: 30_000, deviationMs: 5_000 },
    });
    expect(log.appearanceOf('createPortForward', 2_000).firstMs).toBe(1_000);
    expect(log.appearanceOf('createVm', 30_000).firstMs).toBeLessThan(2_000);
  });
});
