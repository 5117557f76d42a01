import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { TaskFrontier } from '../../../../src/execute/run/frontier.ts';
import { InternalError } from '../../../../src/model/errors.ts';
import type { Task } from '../../../../src/model/plan/task.ts';
import { dependOn } from '../../../support/depend-on.ts';
import { readList, readRows } from '../../../support/read-rows.ts';

/** `c: a b` is the task `c` that waits for `a` and `b`. */
const tasksOf = (...lines: readonly string[]): Task[] =>
  lines.map((line) => {
    const [id = '', waits = ''] = line.split(':');
    return {
      id,
      address: `projects.${id}`,
      phase: 'apply',
      commands: [],
      dependsOn: dependOn(waits.split(' ').filter((one) => one !== '')),
      timeouts: { createMs: 1, updateMs: 1, deleteMs: 1 },
    };
  });

const ids = (tasks: readonly Task[]) => tasks.map(({ id }) => id).join(' ');

/** What becomes ready first, and after each step: `+a` completes, `-a` fails and lists what it skips and why. */
function run(tasks: readonly Task[], steps: readonly string[]): string[] {
  const frontier = new TaskFrontier(tasks);
  const seen = [ids(frontier.takeReady())];
  for (const step of steps) {
    const id = step.slice(1);
    let told = '';
    if (step.startsWith('+')) frontier.complete(id);
    else {
      told = frontier
        .fail(id)
        .map(({ task, causedBy }) => ` !${task.id}<${causedBy.replace('projects.', '')}`)
        .join('');
    }
    seen.push(`${ids(frontier.takeReady())}${told}`);
  }
  return frontier.isFinished ? [...seen, 'finished'] : seen;
}

it('goes on after what may fail, once it has ended or is skipped', () => {
  const tasks = tasksOf('a', 'b: a', 'c: b', 'd: a b').map((task) => {
    const dependsOn = task.dependsOn.map((one) => ({ ...one, mayFail: true as const }));
    return task.id === 'd' ? { ...task, dependsOn } : task;
  });
  expect(run(tasks, ['-a', '+d'])).toEqual(['a', 'd !b<a !c<a', '', 'finished']);
  expect(run(tasks, ['+a', '-b'])).toEqual(['a', 'b', 'd !c<b']);
});

describe('a task whose later commands alone wait for another', () => {
  /** `vm` needs `project` at once and `lan` for its second command. */
  const open = () => {
    const [project, lan, vm, forward] = tasksOf(
      'project',
      'lan: project',
      'vm: project',
      'forward: vm',
    );
    const late = { on: 'lan', reason: 'reference', fromCommand: 1 } as const;
    const tasks = [project, lan, { ...vm, dependsOn: [...(vm?.dependsOn ?? []), late] }, forward];
    const frontier = new TaskFrontier(tasks as Task[]);
    frontier.takeReady();
    frontier.complete('project');
    expect(ids(frontier.takeReady())).toBe('lan');
    return frontier;
  };

  it('starts once the other is accepted, and not a second time', () => {
    const frontier = open();
    frontier.accept('lan');
    frontier.accept('lan');
    expect(ids(frontier.takeReady())).toBe('vm');
    frontier.complete('lan');
    expect(ids(frontier.takeReady())).toBe('');
    frontier.complete('vm');
    expect(ids(frontier.takeReady())).toBe('forward');
  });

  it('starts once the other is done, where nobody said that it was accepted', () => {
    const frontier = open();
    frontier.complete('lan');
    frontier.accept('lan');
    expect(ids(frontier.takeReady())).toBe('vm');
  });

  it('is skipped where the other fails before it has started', () => {
    const frontier = open();
    frontier.accept('lan');
    const skipped = frontier.fail('lan').map(({ task, causedBy }) => `${task.id}<${causedBy}`);
    expect(skipped).toEqual(['vm<projects.lan', 'forward<projects.lan']);
    expect([ids(frontier.takeReady()), frontier.isFinished]).toEqual(['', true]);
  });

  it('fails by itself where it has started, and so does what waits for it', () => {
    const frontier = open();
    frontier.accept('lan');
    frontier.takeReady();
    expect(frontier.fail('lan')).toEqual([]);
    const skipped = frontier.fail('vm').map(({ task, causedBy }) => `${task.id}<${causedBy}`);
    expect(skipped).toEqual(['forward<projects.vm']);
  });
});

describe('the frontier', () => {
  it.each(
    readRows(`
    has nothing to do without tasks |  |  | ; finished
    starts all that waits for nothing, in the order of the plan | b, a |  | b a
    hands each out once | a, b: a | +a, +b | a; b; ; finished
    starts a task when the last that it waits for is done | a, b, c: a b | +b, +a, +c | a b; ; c; ; finished
    starts several at once | a, b: a, c: a, d: b c | +a, +c, +b | a; b c; ; d
    skips what depends on a failure, directly or not, and names the failure | a, b: a, c: b, d | -a, +d | a d;  !b<a !c<a; ; finished
    skips each once, because of the first failure | a, b, c: a b, d: c | -a, -b | a b;  !c<a !d<a; ; finished
    does not start what was skipped when the rest of what it waited for is done | a, b, c: a b | -a, +b | a b;  !c<a; ; finished
    goes on with what does not depend on a failure | a, b, c: b, d: a c | -a, +b, +c | a b;  !d<a; c; ; finished
    is not finished while something runs | a, b | +a | a b;
  `),
  )('%s', (_what, tasks, steps, expected) => {
    const seen = run(tasksOf(...readList(tasks)), readList(steps));
    expect(seen.join('; ').trim()).toBe(expected);
  });

  it.each([
    ['ends twice', ['+a', '+a']],
    ['fails after it is done', ['+a', '-a']],
    ['ends after it was skipped', ['-a', '+b']],
    ['is not in the plan', ['+z']],
  ])('takes it for a bug when a task %s', (_what, steps) => {
    expect(() => run(tasksOf('a', 'b: a'), steps)).toThrow(InternalError);
  });

  const graphs = fc
    .array(fc.array(fc.nat({ max: 30 }), { maxLength: 3 }), { minLength: 1, maxLength: 12 })
    .map((rows) =>
      tasksOf(
        ...rows.map((row, at) => {
          const waits = at === 0 ? [] : [...new Set(row.map((one) => `t${one % at}`))];
          return `t${at}: ${waits.join(' ')}`;
        }),
      ),
    );

  test.prop([graphs, fc.infiniteStream(fc.nat())])(
    'ends every task once, none before what it waits for, whatever fails',
    (tasks, draws) => {
      const frontier = new TaskFrontier(tasks);
      const done = new Set<string>();
      const ended: string[] = [];
      const running: Task[] = [...frontier.takeReady()];
      while (running.length > 0) {
        const [task] = running.splice((draws.next().value as number) % running.length, 1);
        expect(task!.dependsOn.filter(({ on }) => !done.has(on))).toEqual([]);
        ended.push(task!.id);
        if ((draws.next().value as number) % 4 > 0) {
          frontier.complete(task!.id);
          done.add(task!.id);
        } else {
          const skipped = frontier.fail(task!.id);
          expect(skipped.every(({ causedBy }) => causedBy === task!.address)).toBe(true);
          ended.push(...skipped.map((one) => one.task.id));
        }
        running.push(...frontier.takeReady());
      }
      expect(frontier.isFinished).toBe(true);
      expect([...ended].sort()).toEqual(tasks.map(({ id }) => id).sort());
    },
  );
});
