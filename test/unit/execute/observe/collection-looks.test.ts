import { beforeEach, describe, expect, test } from 'vitest';
import { createCollectionLister } from '../../../../src/execute/observe/collection-looks.ts';
import type { LiveResource } from '../../../../src/model/account/live.ts';
import { makeLive } from '../../../support/account.ts';

const place = { projectId: 'prj-1' };

const live = makeLive({
  projects: {
    'prj-1': { name: 'shop', networks: { 'net-1': { name: 'lan' }, 'net-2': { name: 'wan' } } },
  },
});
const [first, second] = live.resources as [LiveResource, LiveResource];

let now: number;
let lists: number;
beforeEach(() => {
  now = 1_000;
  lists = 0;
});

function open(listed: readonly LiveResource[]) {
  const clock = {
    now: () => now,
    sleep: (ms: number) => {
      now += ms;
      return Promise.resolve();
    },
  };
  const list = () => {
    lists += 1;
    return Promise.resolve([...listed]);
  };
  const times = { serviceTime: () => 10_000, latestServiceTime: () => 70_000 };
  const client = { list, ...times, isFromPast: (one: unknown[]) => one.length === 0 };
  return createCollectionLister(client as never, clock);
}

describe('what was listed a moment ago', () => {
  test('is not asked for again', async () => {
    const looks = open([first]);
    expect((await looks.read('network', place)).resources).toEqual([first]);
    await looks.read('network', place);
    expect(lists).toBe(1);
    now += 1_000;
    await looks.read('network', place);
    expect(lists).toBe(2);
  });

  test('keeps what a list that lags does not show', async () => {
    const looks = open([first]);
    await looks.read('network', place);
    looks.note('network', place, [second]);
    const shown = () => looks.shown('network', place).map(({ id }) => id);
    expect(shown()).toEqual([second.id, first.id]);
    now += 1_000;
    looks.note('network', place, [second]);
    expect(shown()).toEqual([second.id]);
  });

  test('is nothing in a project that was made just now, until something else changes it', async () => {
    const looks = open([first]);
    looks.noteNewProject('prj-1', now - 100);
    expect(await looks.read('network', place)).toEqual({
      ...{ resources: [], serviceAt: 10_000, at: now - 100 },
    });
    expect((await looks.read('publicIp', place)).resources).toEqual([]);
    expect(lists).toBe(0);
    looks.forget('publicIp', place);
    expect((await looks.read('publicIp', place)).resources).toEqual([first]);
    looks.noteNewProject('prj-1', now);
    now += 501;
    expect((await looks.read('network', place)).resources).toEqual([first]);
    expect((await looks.read('network', { projectId: 'prj-2' })).resources).toEqual([first]);
  });

  test('tells the time of now, however old the list is', async () => {
    expect((await open([first]).read('network', place)).serviceAt).toBe(10_000);
    expect((await open([]).read('network', place)).serviceAt).toBe(70_000);
  });

  test('is nothing where nobody has listed, or it is about to change', () => {
    const looks = open([]);
    expect(looks.shown('network', place)).toEqual([]);
    looks.note('network', place, [first]);
    expect(looks.shown('vm', place)).toEqual([]);
    looks.forget('network', place);
    expect(looks.shown('network', place)).toEqual([]);
  });
});
