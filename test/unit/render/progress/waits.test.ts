import { expect, test } from 'vitest';
import type { Task } from '../../../../src/model/plan/task.ts';
import { renderLiveProgress } from '../../../../src/render/progress/live-progress.ts';
import { findWaitingTasks } from '../../../../src/render/progress/waits.ts';
import { plain } from '../sample-plan.ts';
import { dependOn } from '../../../support/depend-on.ts';

const task = (id: string, ...dependsOn: readonly string[]): Task => ({
  ...{
    id,
    address: `projects.${id}`,
    phase: 'apply',
    commands: [],
    dependsOn: dependOn(dependsOn),
  },
  timeouts: { createMs: 1, updateMs: 1, deleteMs: 1 },
});
const find = (
  tasks: readonly Task[],
  states: Partial<Record<'running' | 'done' | 'failed', string[]>>,
) =>
  findWaitingTasks(tasks, {
    running: new Set(states.running),
    done: new Set(states.done),
    failed: new Set(states.failed),
  });

test('what waits, by what it waits for, also through others that wait', () => {
  const tasks = [task('a'), task('b', 'a'), task('c', 'b'), task('d'), task('e', 'd'), task('f')];
  expect(find(tasks, { running: ['a'], done: ['d'] })).toEqual({
    count: 4,
    skipped: 0,
    groups: [
      { on: 'projects.a', count: 2 },
      { on: undefined, count: 2 },
    ],
  });
  expect(find(tasks, { done: ['a', 'b', 'c', 'd', 'e', 'f'] })).toEqual({
    count: 0,
    skipped: 0,
    groups: [],
  });
});

test('what is skipped does not wait', () => {
  const tasks = [task('a'), task('b', 'a'), task('c', 'b'), task('d')];
  expect(find(tasks, { failed: ['a'], running: ['d'] })).toMatchObject({ count: 0, skipped: 2 });
});

test('in a line of its own, the most first', () => {
  const running = [{ address: 'projects.a', step: 'create', id: null, elapsedMs: 0 }] as const;
  const draw = (columns: number, on: string | undefined, count = 1) => {
    const waits = { count, skipped: 0, groups: [{ on, count }] };
    const progress = { running, done: 0, failed: 0, total: 9, elapsedMs: 0, waits };
    return renderLiveProgress(progress, { ...plain, columns }, 9);
  };
  expect(draw(80, 'projects.a')[1]).toBe('  1 waiting: 1 for projects.a');
  expect(draw(80, undefined)[1]).toBe('  1 waiting: 1 for its turn');
  expect(draw(80, undefined, 2)[1]).toBe('  2 waiting: 2 for their turn');
  expect(draw(30, 'projects.a-long-one-indeed')[1]).toMatch(/^ {2}1 waiting: 1 for projec…$|…$/);
  expect(draw(30, 'projects.a').at(-1)).toBe('  0 of 9 done, 1 running, 0s');
});

test('where there is little room, the address gives way', () => {
  const address = `projects.shop.vms.${'w'.repeat(30)}[7]`;
  const one = { address, step: 'create', id: null, elapsedMs: 5_000, status: 'Running' } as const;
  const progress = { running: [one], done: 3, failed: 0, total: 3, elapsedMs: 0 };
  const [line] = renderLiveProgress(progress, { ...plain, columns: 40 }, 9);
  expect(line).toMatch(/^ {2}projects\.shop.*…w+\[7\]: 5s, Running$/);
  expect(line).toHaveLength(39);
});
