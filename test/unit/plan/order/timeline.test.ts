import { expect, it } from 'vitest';
import type { Task, TaskPhase } from '../../../../src/model/plan/task.ts';
import type { ApplyEvent, ApplyStep } from '../../../../src/model/plan/result.ts';
import { createTimelineRecorder } from '../../../../src/plan/order/timeline.ts';
import { dependOn } from '../../../support/depend-on.ts';

const task = (address: string, dependsOn: string[] = [], phase: TaskPhase = 'apply'): Task => ({
  id: `${address}#${phase}`,
  address,
  phase,
  commands: [],
  dependsOn: dependOn(dependsOn),
  timeouts: { createMs: 1, updateMs: 1, deleteMs: 1 },
});
const started = (address: string, at: number, step: ApplyStep = 'create'): ApplyEvent => ({
  ...{ kind: 'started', address, step, id: null, at },
});
const completed = (address: string, at: number, step: ApplyStep = 'create'): ApplyEvent => ({
  ...{ kind: 'completed', address, step, id: 'x', elapsedMs: 0, at },
});
const errored = (address: string, at: number): ApplyEvent => ({
  ...{ kind: 'errored', address, step: 'create', elapsedMs: 0, at },
  diagnostic: { severity: 'error', code: 'x', summary: 'x' },
});

it('says when what ran, and marks the chain that ended last', () => {
  const recorder = createTimelineRecorder([
    task('p'),
    task('n', ['p#apply']),
    task('k', ['p#apply']),
    task('v', ['k#apply', 'n#apply']),
  ]);
  const events = [
    ...[started('p', 0), completed('p', 10), started('n', 10), started('k', 11)],
    { ...started('n', 12), kind: 'progress', status: 'RUNNING' } as ApplyEvent,
    ...[completed('k', 20), completed('n', 30), started('v', 31), errored('v', 50)],
    ...[started('stranger', 51), completed('stranger', 52)],
  ];
  for (const event of events) recorder.note(event);
  const { entries, endedAt } = recorder.finish(0, 60);
  expect(endedAt).toBe(60);
  expect(
    entries.map(
      (one) =>
        `${one.address} ${one.startedAt}-${one.endedAt} ${one.result}${one.isCritical ? ' !' : ''}`,
    ),
  ).toEqual(['p 0-10 applied !', 'n 10-30 applied !', 'k 11-20 applied', 'v 31-50 failed !']);
});

it('keeps the two steps of a replacement apart, and takes what never ended for interrupted', () => {
  const recorder = createTimelineRecorder([task('v', [], 'destroy'), task('v', ['v#destroy'])]);
  recorder.note(started('v', 0, 'delete'));
  recorder.note(completed('v', 5, 'delete'));
  recorder.note(started('v', 5));
  expect(recorder.finish(0, 9).entries).toMatchObject([
    { step: 'delete', endedAt: 5, result: 'applied', isCritical: true },
    { step: 'create', endedAt: 9, result: 'interrupted', isCritical: true },
  ]);
});

it('is empty where nothing ran', () =>
  expect(createTimelineRecorder([task('p')]).finish(0, 1).entries).toEqual([]));
