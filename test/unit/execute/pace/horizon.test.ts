import { beforeEach, describe, expect, test } from 'vitest';
import { DurationLog } from '../../../../src/execute/pace/durations.ts';
import { RunEndEstimate } from '../../../../src/execute/pace/horizon.ts';
import type { CommandName } from '../../../../src/model/account/command.ts';
import type { Task } from '../../../../src/model/plan/task.ts';
import type { UsualCommandDurations } from '../../../../src/model/state/state.ts';
import { dependOn } from '../../../support/depend-on.ts';

const taskOf = (id: string, kinds: readonly CommandName[], ...waits: string[]): Task => ({
  ...{ id, address: `projects.${id}`, phase: 'apply' },
  commands: kinds.map((kind) => ({ kind })) as unknown as Task['commands'],
  dependsOn: dependOn(waits),
  timeouts: { createMs: 1, updateMs: 1, deleteMs: 1 },
});
const always = (seconds: number) => ({ meanMs: seconds * 1_000, deviationMs: 0 });
const known: UsualCommandDurations = {
  createVm: always(30),
  createNetwork: always(3),
  createPortForward: always(2),
};
const network = taskOf('network', ['createNetwork']);
const forward = taskOf('forward', ['createPortForward'], 'network');
const vm = taskOf('vm', ['createVm']);

let now: number;
let places: { isCrowded: boolean };
beforeEach(() => {
  now = 0;
  places = { isCrowded: false };
  serving = [];
});

let serving: readonly Task[] = [];

function open(durations: UsualCommandDurations, ...tasks: Task[]): RunEndEstimate {
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const log = new DurationLog({ durations });
  return new RunEndEstimate(tasks, log, clock, places, (task) => serving.includes(task));
}

/** For how long the end of a task may go unnoticed after so many milliseconds, with so many VMs under way. */
function waitWithVms(task: Task, vms: number, ms: number): number {
  now = 0;
  const horizon = open(known, network, vm);
  const { mayWaitMs } = horizon.begin(task, 0);
  for (let at = 0; at < vms; at += 1) horizon.begin(vm, 0);
  now = ms;
  return mayWaitMs();
}

describe('for how long an end may go unnoticed', () => {
  test('is a share of the time that the run has taken, where nothing else is known', () => {
    const { mayWaitMs } = open({}, vm).begin(vm, 0);
    now = 10_000;
    const early = mayWaitMs();
    expect(early).toBeGreaterThan(0);
    expect(early).toBeLessThan(2_000);
    now = 20_000;
    expect(mayWaitMs()).toBeCloseTo(2 * early);
  });

  test('is long for what ends well before the others, and short for what they end with', () => {
    const horizon = open(known, network, forward, vm);
    const quick = horizon.begin(network, 0);
    const slow = horizon.begin(vm, 0);
    now = 3_000;
    // The VM takes 27 s more, and 2 s follow the network.
    expect(quick.mayWaitMs()).toBeGreaterThan(2_000);
    quick.end();
    now = 29_900;
    expect(slow.mayWaitMs()).toBeLessThan(1_500);
  });

  test('is a small share of an outage, however long the run, and only where it is one', () => {
    const rebuild = taskOf('rebuild', ['rebuildVm']);
    const rename = taskOf('rename', ['renameVm']);
    const waitsOf = (task: Task, isServing: boolean) => {
      now = 0;
      serving = isServing ? [task] : [];
      const horizon = open({ ...known, rebuildVm: always(5), renameVm: always(5) }, task, vm);
      now = 300_000;
      horizon.begin(vm, 0);
      const { mayWaitMs, payers } = horizon.begin(task, 0);
      now += 5_000;
      return { mayWaitMs: mayWaitMs(), payers: payers?.() };
    };
    expect(waitsOf(rebuild, true).mayWaitMs).toBeLessThanOrEqual(100);
    expect(waitsOf(rebuild, true).payers).toBeGreaterThan(1);
    expect(waitsOf(rebuild, false).mayWaitMs).toBeGreaterThan(1_000);
    expect(waitsOf(rename, true).mayWaitMs).toBeGreaterThan(1_000);
  });

  test('is shorter as long as something that follows was never seen to end', () => {
    const waitAfter = (durations: UsualCommandDurations) => {
      now = 0;
      const horizon = open(durations, network, forward, vm);
      const { mayWaitMs } = horizon.begin(network, 0);
      horizon.begin(vm, 0);
      now = 3_000;
      return mayWaitMs();
    };
    const { createVm, createNetwork } = known;
    const seen = { ...(createVm && { createVm }), ...(createNetwork && { createNetwork }) };
    expect(waitAfter(seen)).toBeLessThan(waitAfter(known) * 0.7);
  });

  test('is a share of its own time while others wait for its slot', () => {
    const horizon = open(known, network, forward, vm);
    now = 3_600_000;
    const { mayWaitMs, shortestMs } = horizon.begin(vm, 0);
    expect(shortestMs!()).toBe(50);
    places.isCrowded = true;
    now += 10_000;
    expect(mayWaitMs()).toBeLessThan(200);
    expect(shortestMs!()).toBe(10);
  });

  test('is a small share of its own time while waves wait for it, whose looks the waves pay for', () => {
    const waves = Array.from({ length: 11 }, (_, at) => ({
      ...taskOf(`${at}`, ['createVm']),
      dependsOn: at === 0 ? [] : [{ on: `${at - 1}`, reason: 'rollout' as const }],
    }));
    const horizon = open(known, ...waves);
    now = 3_600_000;
    const [first, last] = [waves[0]!, waves.at(-1)!].map((wave) => horizon.begin(wave, 0));
    now += 30_000;
    expect(first!.mayWaitMs()).toBeLessThan(400);
    expect(last!.mayWaitMs()).toBeGreaterThan(1_000);
    expect(first!.payers!()).toBeGreaterThan(10 * last!.payers!());
    places.isCrowded = true;
    expect(first!.mayWaitMs()).toBeLessThan(400);
  });

  test('is longer while many others have taken longer than they should, too', () => {
    const waitAmong = (others: number) => waitWithVms(network, others, 100_000);
    expect(waitAmong(1)).toBeLessThan(6_000);
    expect(waitAmong(50)).toBeGreaterThan(waitAmong(1) * 2);
  });

  test('is shorter for the last of a run: each delay is one of the whole run', () => {
    const waitAmong = (others: number) => waitWithVms(vm, others, 170_000);
    expect(waitAmong(3)).toBeLessThan(4_000);
    expect(waitAmong(4)).toBeGreaterThan(waitAmong(3) * 3);
  });

  test('the looks of the last are paid for by all tasks of the run, unless others wait for its place', () => {
    const horizon = open(known, ...Array.from({ length: 2_560 }, () => vm));
    const [first] = Array.from({ length: 4 }, () => horizon.begin(vm, 0));
    expect(first?.payers?.()).toBe(10);
    places.isCrowded = true;
    expect(first?.payers?.()).toBe(0);
    places.isCrowded = false;
    const fifth = horizon.begin(vm, 0);
    expect(first?.payers?.()).toBe(0);
    fifth.end();
    expect(first?.payers?.()).toBe(10);
  });

  test('what begins right after the end of all others is no end of the run', () => {
    const horizon = open(known, network, vm);
    horizon.begin(network, 0).end();
    now = 600_000;
    expect(horizon.expectedEnd).toBeUndefined();
    const { mayWaitMs } = horizon.begin(vm, 0);
    expect(mayWaitMs()).toBeLessThan(5_000);
  });

  test('what has ended is waited for no longer', () => {
    const horizon = open(known, network, vm);
    const quick = horizon.begin(network, 0);
    horizon.begin(vm, 0).end();
    now = 2_900;
    expect(quick.mayWaitMs()).toBeLessThan(500);
  });
});
