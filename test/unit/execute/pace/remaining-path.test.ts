import { expect, test } from 'vitest';
import {
  countDependentRolloutWaves,
  estimateRemainingChainMs,
} from '../../../../src/execute/pace/remaining-path.ts';
import type { DependencyReason, Task } from '../../../../src/model/plan/task.ts';
import { dependOn } from '../../../support/depend-on.ts';

const timeouts = { createMs: 1, updateMs: 1, deleteMs: 1 };

/** `web=3 after net` is a task of three commands that waits for another. */
const read = (lines: readonly string[]): Task[] =>
  lines.map((line) => {
    const [head = '', ...waits] = line.split(/ after | and /);
    const [id = '', ms = '0'] = head.split('=');
    const command = { kind: 'startVm', project: { id: 'p' }, vm: { id } } as const;
    const commands = Array.from({ length: Number(ms) }, () => command);
    return { id, address: id, phase: 'apply', commands, dependsOn: dependOn(waits), timeouts };
  });

const paths = (...lines: string[]) => {
  const tasks = read(lines);
  const pathOf = estimateRemainingChainMs(tasks, (commands) => commands.length);
  return Object.fromEntries(tasks.map((task) => [task.id, pathOf(task)]));
};

test('nothing', () => expect(paths()).toEqual({}));

test('a task counts itself and the longest chain behind it', () => {
  expect(
    paths('project=1', 'net=2 after project', 'vm=30 after net', 'key=1 after project'),
  ).toEqual({ project: 33, net: 32, vm: 30, key: 1 });
});

test('a probe counts with the time that its block took before', () => {
  const [vm, ready] = read(['vm=5', 'ready after vm']) as [Task, Task];
  const probed = { ...ready, ready: { probes: [], withinMs: 9, settleMs: 2 } };
  const pathOf = estimateRemainingChainMs(
    [vm, probed],
    (commands) => commands.length,
    (task) => (task.ready ? 7 : 0),
  );
  expect([pathOf(vm), pathOf(probed)]).toEqual([12, 7]);
});

test('of two chains the longer one counts, and what joins them counts once', () => {
  expect(paths('a=5', 'b=1', 'c=4 after b', 'end=2 after a and c')).toEqual({
    a: 7,
    b: 7,
    c: 6,
    end: 2,
  });
});

test('five thousand in a row', () => {
  const row = Array.from({ length: 5_000 }, (_, index) =>
    index === 0 ? 't0=1' : `t${index}=1 after t${index - 1}`,
  );
  expect(paths(...row).t0).toBe(5_000);
});

test('the waves behind a task are counted along the longest chain of them', () => {
  const waitOn = (task: Task, reason: DependencyReason, ...ids: string[]): Task => ({
    ...task,
    dependsOn: ids.map((on) => ({ on, reason })),
  });
  const [net, a, ready, b, c, end] = read(['net', 'a', 'ready', 'b', 'c', 'end']);
  const tasks = [
    net!,
    waitOn(a!, 'reference', 'net'),
    waitOn(ready!, 'ready', 'a'),
    waitOn(b!, 'rollout', 'ready'),
    waitOn(c!, 'rollout', 'b', 'net'),
    waitOn(end!, 'reference', 'c'),
  ];
  expect(Object.fromEntries(countDependentRolloutWaves(tasks))).toEqual({
    net: 2,
    a: 2,
    ready: 2,
    b: 1,
  });
});
