import { describe, expect, it } from 'vitest';
import {
  expectDurations,
  listExpectedCommands,
} from '../../../../src/commands/rehearsal/expected-durations.ts';
import type { CommandName } from '../../../../src/model/account/command.ts';

const rules = { seed: 1, speed: 1 };
const lasting = (meanMs: number, deviationMs = 0) => ({ meanMs, deviationMs });

const sample = (durations: ReturnType<typeof expectDurations>, type: 'Provision' | 'Delete') =>
  Array.from({ length: 500 }, (_, sequence) => {
    const { queueMs, runMs } = durations.plan(type, sequence, rules);
    return queueMs + runMs;
  });
const meanOf = (all: readonly number[]) => all.reduce((a, b) => a + b, 0) / all.length;

describe('what was seen on an account', () => {
  const learned = expectDurations({ createVm: lasting(100_000, 10_000) });

  it('is how long it takes, with the same mean and as far around it', () => {
    const all = sample(learned, 'Provision');
    const mean = meanOf(all);
    const deviation = Math.sqrt(meanOf(all.map((ms) => (ms - mean) ** 2)));
    expect(mean / 100_000).toBeCloseTo(1, 1);
    expect(deviation / 10_000).toBeCloseTo(1, 0);
    expect(learned.usualOf('Provision')).toEqual(lasting(100_000, 10_000));
  });

  it('makes what was not seen longer or shorter likewise', () => {
    // A VM takes 30 seconds in the sandbox, a delete 8.
    expect(meanOf(sample(learned, 'Delete')) / 1_000).toBeCloseTo(27, -1);
  });

  it('never ends before it has begun', () => {
    const wild = expectDurations({ createVm: lasting(1_000, 10_000) });
    expect(Math.min(...sample(wild, 'Provision'))).toBe(200);
  });

  it('is made longer by a fault that makes it slow', () => {
    const { runMs } = learned.plan('Provision', 1, rules);
    expect(learned.plan('Provision', 1, { ...rules, speed: 1 / 60 }).runMs).toBeCloseTo(
      runMs * 60,
      -3,
    );
  });

  it('tells how long an answer takes, by what is over with one', () => {
    expect(learned.latencyMs).toBe(0);
    const answered = { createSshKey: lasting(100), renameVm: lasting(300), createVm: lasting(9) };
    expect(expectDurations(answered).latencyMs).toBe(200);
  });
});

describe('before anything was seen', () => {
  it('things take as long as in the sandbox, at its speed', () => {
    const mean = meanOf(sample(expectDurations(), 'Provision'));
    expect(mean / 1_000).toBeCloseTo(30, -1);
    expect(meanOf(sample(expectDurations({}, 20), 'Provision'))).toBeCloseTo(mean / 20, -2);
  });

  it('nothing is known of an operation that is not published', () => {
    expect(expectDurations().usualOf('Hibernate')).toBeUndefined();
    expect(expectDurations().usualOf(null)).toBeUndefined();
  });
});

describe('the commands of a plan', () => {
  const planOf = (...names: CommandName[]) => ({
    tasks: [{ commands: names.map((kind) => ({ kind })) }],
  });

  it('are known or assumed, each once, and those that take no time are neither', () => {
    const plan = planOf('createSshKey', 'createVm', 'attachVm', 'createVm');
    expect(listExpectedCommands(plan, { createVm: lasting(1) })).toEqual({
      learned: ['createVm'],
      assumed: ['attachVm'],
    });
    expect(listExpectedCommands(plan)).toEqual({ learned: [], assumed: ['createVm', 'attachVm'] });
  });
});
