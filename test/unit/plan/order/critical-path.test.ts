import { describe, expect, it } from 'vitest';
import type { CommandName } from '../../../../src/model/account/command.ts';
import type { RehearsedCommandRun } from '../../../../src/model/plan/rehearsal.ts';
import type { Dependency, Task } from '../../../../src/model/plan/task.ts';
import { findCriticalPath } from '../../../../src/plan/order/critical-path.ts';

/** `web` waits for `net` and, from its second command on, for `key`: `task('web', 'net', 'key@1')`. */
function task(address: string, ...needs: string[]): Task {
  const dependsOn = needs.map((need): Dependency => {
    const [on = '', from] = need.split('@');
    return { on, reason: 'reference', ...(from !== undefined && { fromCommand: Number(from) }) };
  });
  const timeouts = { createMs: 1, updateMs: 1, deleteMs: 1 };
  return { id: address, address, phase: 'apply', commands: [], dependsOn, timeouts };
}

const run = (
  id: string,
  index: number,
  [startedAt, endedAt]: readonly [number, number],
  command: CommandName = 'createVm',
): RehearsedCommandRun => ({ task: id, index, command, startedAt, endedAt, isDone: true });

const pathOf = (tasks: readonly Task[], runs: readonly RehearsedCommandRun[]) =>
  findCriticalPath(tasks, runs, 0).map(
    ({ address, startedAt, endedAt, waitedMs }) =>
      `${address} ${startedAt}-${endedAt}${waitedMs > 0 ? ` waited ${waitedMs}` : ''}`,
  );

describe('the critical path', () => {
  it('is empty where nothing ran', () => expect(pathOf([task('a')], [])).toEqual([]));

  it('goes back from what ended last over what each waited for longest', () => {
    const tasks = [task('net'), task('key'), task('web', 'net', 'key'), task('other')];
    const runs = [
      ...[run('net', 0, [0, 30]), run('key', 0, [0, 10])],
      ...[run('web', 0, [30, 90]), run('other', 0, [0, 80])],
    ];
    expect(pathOf(tasks, runs)).toEqual(['net 0-30', 'web 30-90']);
  });

  it('names each command of a task', () => {
    const runs = [run('web', 0, [0, 60]), run('web', 1, [60, 70])];
    expect(pathOf([task('web')], runs)).toEqual(['web 0-60', 'web 60-70']);
  });

  it('leads to what only a later command needs', () => {
    const tasks = [task('slow'), task('web', 'slow@1')];
    const runs = [run('slow', 0, [0, 100]), run('web', 0, [0, 60]), run('web', 1, [100, 110])];
    expect(pathOf(tasks, runs)).toEqual(['slow 0-100', 'web 100-110']);
  });

  it('does not lead to what only a later command needs from one before it', () => {
    const tasks = [task('slow'), task('web', 'slow@1')];
    const runs = [run('slow', 0, [0, 10]), run('web', 0, [20, 60])];
    expect(pathOf(tasks, runs)).toEqual(['web 20-60 waited 20']);
  });

  it('goes through what has no commands of its own', () => {
    const tasks = [task('net'), task('kept', 'net'), task('web', 'kept')];
    const runs = [run('net', 0, [0, 30]), run('web', 0, [35, 40])];
    expect(pathOf(tasks, runs)).toEqual(['net 0-30', 'web 35-40 waited 5']);
  });

  it('ends where tasks without commands wait for one another', () => {
    const tasks = [task('a', 'b'), task('b', 'a'), task('web', 'a')];
    expect(pathOf(tasks, [run('web', 0, [5, 40])])).toEqual(['web 5-40 waited 5']);
  });

  it('knows nothing of a task that is not in the plan', () =>
    expect(pathOf([], [run('stranger', 0, [0, 40])])).toEqual(['stranger 0-40']));
});
