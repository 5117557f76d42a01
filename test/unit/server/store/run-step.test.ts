import { describe, expect, it } from 'vitest';
import type { RunJson } from '../../../../src/server/api/show-run.ts';
import { renderRunStepTimeline } from '../../../../src/server/web/pages/progress-part.ts';
import {
  joinStepNotes,
  readRunStepNote,
  type RunStepNote,
} from '../../../../src/server/store/run-step.ts';
import { openRunStepWriter } from '../../../../src/server/runs/step-writer.ts';

const note = (
  kind: RunStepNote['kind'],
  address: string,
  at: number,
  step: RunStepNote['step'] = 'create',
) => ({ kind, address, step, at }) as const;

describe('what the process of a run says of a step', () => {
  it.each([
    null,
    'started',
    [],
    {},
    { ...note('started', 'a', 1), kind: 'progress' },
    { ...note('started', 'a', 1), step: 'forget' },
    { ...note('started', 'a', 1), at: '1' },
    { ...note('started', 'a', 1), at: Infinity },
    { ...note('started', 'a', 1), address: 3 },
    note('started', 'a'.repeat(2_001), 1),
  ])('is left out where it makes no sense: %j', (said) => {
    expect(readRunStepNote(said)).toBeUndefined();
  });

  it('is taken without what nobody knows', () => {
    const said = { ...note('completed', 'projects.a', 3.6), secret: 'x' };
    expect(readRunStepNote(said)).toEqual(note('completed', 'projects.a', 4));
  });
});

it('the steps of an attempt have their ends, whatever was said between', () => {
  const notes = [
    note('started', 'b', 1, 'delete'),
    note('started', 'a', 2),
    note('completed', 'b', 5, 'delete'),
    note('started', 'b', 6),
    note('errored', 'a', 7),
    note('completed', 'unheard of', 8),
    note('completed', 'a', 9),
  ];
  expect(joinStepNotes(3, notes)).toEqual([
    { address: 'b', action: 'delete', attempt: 3, startedAt: 1, endedAt: 5, result: 'applied' },
    { address: 'a', action: 'create', attempt: 3, startedAt: 2, endedAt: 7, result: 'failed' },
    { address: 'b', action: 'create', attempt: 3, startedAt: 6 },
  ]);
});

describe('how far a run is', () => {
  const written: unknown[][] = [];
  const store = { add: (...given: unknown[]) => Promise.resolve(void written.push(given)) };
  const open = (progress?: { total: number; done: number }) => {
    written.length = 0;
    const run = { id: 'r', attempt: 2, progress };
    return openRunStepWriter(store, run, (error) => written.push([error]));
  };

  const progress = (done: number, failed: number, running: number) => ({
    ...{ total: 7, done, failed, running },
  });

  it('counts what earlier attempts have done', async () => {
    const writer = open({ total: 7, done: 3 });
    writer.begin(4);
    for (const address of ['a', 'b', 'c']) writer.note(note('started', address, 1));
    writer.note(note('completed', 'a', 2));
    writer.note(note('errored', 'b', 2));
    await writer.close();
    expect(written).toEqual([
      // At once, so that somebody who looks sees that it has begun.
      [expect.objectContaining({ id: 'r', attempt: 2 }), [], progress(3, 0, 0)],
      [
        expect.objectContaining({ id: 'r', attempt: 2 }),
        expect.objectContaining({ length: 5 }),
        progress(4, 1, 1),
      ],
    ]);
  });

  it('is all of it where nothing is left for a later attempt', async () => {
    const writer = open({ total: 3, done: 3 });
    writer.begin(0);
    await writer.close();
    expect(written.map((given) => given.at(-1))).toEqual([
      { total: 3, done: 3, failed: 0, running: 0 },
    ]);
  });

  it.each([
    ['ended unseen', 24, 10, 11, { total: 24, done: 13 }],
    ['are planned again and more', 24, 10, 20, { total: 30, done: 10 }],
  ])('counts steps of an earlier attempt that %s', async (_what, total, done, steps, counted) => {
    const writer = open({ total, done });
    writer.begin(steps);
    await writer.close();
    expect(written.map((given) => given.at(-1))).toMatchObject([counted]);
  });

  it.each([
    ['no steps at all', 0],
    ['nothing', undefined],
    ['no number', 'many'],
    ['less than nothing', -1],
  ])('is not written where the process says %s of it', async (_what, steps) => {
    const writer = open();
    if (steps !== undefined) writer.begin(steps);
    writer.note({ kind: 'started' });
    await writer.close();
    expect(written).toEqual([]);
  });
});

it('a timeline has a row for each attempt at a resource', () => {
  const step = (attempt: number, startedAt: string, endedAt?: string) => ({
    ...{ address: 'a', action: 'create' as const, attempt },
    startedAt: `2026-01-01T00:${startedAt}Z`,
    ...(endedAt !== undefined && {
      endedAt: `2026-01-01T00:${endedAt}Z`,
      result: 'applied' as const,
    }),
  });
  const steps = [step(1, '00:00'), step(2, '05:00', '05:10')];
  const rows = renderRunStepTimeline({ attempt: 2 } as RunJson, steps).markup.match(
    /<tr>\s*<th scope="row">[^]*?<\/tr>/g,
  );
  expect(rows).toHaveLength(2);
  expect(rows?.[1]).toMatch(/attempt 2[^]*<td>5m0s<\/td>\s*<td>10s<\/td>/);
});
