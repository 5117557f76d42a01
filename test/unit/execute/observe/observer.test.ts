import { describe, expect, test } from 'vitest';
import { createResourceObserver } from '../../../../src/execute/observe/observer.ts';
import type {
  ObservationReader,
  ExpectedResultTimes,
  ResourceWatch,
} from '../../../../src/execute/observe/watch.ts';
import type {
  LiveRecordOfKind,
  LiveResource,
  ResourcePlace,
} from '../../../../src/model/account/live.ts';
import type { LiveVm } from '../../../../src/kinds/vm/model.ts';
import type { KindName } from '../../../../src/model/kind-places.ts';
import { createSeededRandom } from '../../../../src/sandbox/clock/seeded-random.ts';
import { VirtualTime } from '../../../scenario/virtual-time.ts';
import { makeLive } from '../../../support/account.ts';

const { resources } = makeLive({
  projects: { 'p-1': { name: 'shop', vms: { 'vm-1': { name: 'web' } } } },
});
const vm = resources.find((one): one is LiveVm => one.kind === 'vm')!;

/** A service whose VMs become active each at its time, and a record of what was read when. */
function openService(
  endsAfterMs: Readonly<Record<string, number>>,
  isListed: (id: string, at: number) => boolean = () => true,
  random = () => 0.5,
  /** What the reads of single VMs take, in their order; no time unless given. */
  tookMs: readonly number[] = [],
  isHeldBack = () => false,
) {
  const time = new VirtualTime(0);
  const clock = time.openClock();
  const reads: string[] = [];
  /** The project of each resource that was read. */
  const places: string[] = [];
  const show = (id: string): LiveVm => ({
    ...vm,
    id,
    status: time.now() >= (endsAfterMs[id] ?? 0) ? 'active' : 'creating',
  });
  const client: ObservationReader = {
    isFromPast: () => false,
    isHeldBack,
    list: <K extends KindName>() => {
      reads.push(`${time.now()} list`);
      const listed = Object.keys(endsAfterMs).filter((id) => isListed(id, time.now()));
      return Promise.resolve(listed.map(show) as LiveResource[] as LiveRecordOfKind<K>[]);
    },
    get: async <K extends KindName>(_: K, { projectId }: ResourcePlace, id: string) => {
      places.push(projectId);
      const delayMs = tookMs[reads.length] ?? 0;
      reads.push(`${time.now()} ${id}`);
      if (delayMs > 0) await clock.sleep(delayMs);
      const found: LiveResource | undefined = id in endsAfterMs ? show(id) : undefined;
      return found as LiveRecordOfKind<K> | undefined;
    },
    listOperations: () => {
      reads.push(`${time.now()} operations`);
      return Promise.resolve([]);
    },
  };
  const observer = createResourceObserver(client, clock, random);
  const watch = (id: string, more: Partial<ResourceWatch<number | 'late'>> = {}) =>
    observer.await<number | 'late'>({
      kind: 'vm',
      place: { projectId: 'p' },
      id,
      deadline: 600_000,
      needsOperations: false,
      decide: ({ find, at }) =>
        (find(id) as LiveVm | undefined)?.status === 'active' ? at : undefined,
      expire: () => 'late',
      ...more,
    });
  return { time, clock, reads, places, watch };
}

describe('a look that is held back for longer than there is time', () => {
  const held = (more: Partial<ResourceWatch<number | 'late'>> = {}) => {
    const time = new VirtualTime(0);
    const clock = time.openClock();
    const signals: (AbortSignal | undefined)[] = [];
    const client: ObservationReader = {
      isFromPast: () => false,
      isHeldBack: () => false,
      list: () => Promise.resolve([]),
      get: async (_, __, ___, options) => {
        signals.push(options?.signal);
        await clock.sleep(120_000, options?.signal);
        return undefined;
      },
      listOperations: () => Promise.resolve([]),
    };
    const seen = createResourceObserver(client, clock, () => 0.5).await<number | 'late'>({
      ...{ kind: 'vm', place: { projectId: 'p' }, id: 'a', deadline: 30_000 },
      needsOperations: false,
      decide: () => undefined,
      expire: () => 'late',
      ...more,
    });
    return { time, seen, signals };
  };

  test('ends soon after the deadline where that is asked for, and so does the look', async () => {
    const { time, seen, signals } = held({ endsInTime: true });
    expect(await time.run(seen)).toBe('late');
    expect(time.now()).toBe(40_000);
    await Promise.resolve();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  test('is waited for where the end of the time is evidence', async () => {
    const { time, seen } = held();
    expect(await time.run(seen)).toBe('late');
    expect(time.now()).toBeGreaterThanOrEqual(120_000);
  });
});

/** Looks first after so many milliseconds, and then every so many. */
const paced = (firstMs: number, everyMs: number) => ({
  // From when it can have ended, it may go unnoticed for as long as between two looks.
  pace: (): ExpectedResultTimes => ({ firstMs: firstMs - everyMs }),
  mayWaitMs: () => everyMs,
});

describe('waiting for what was seen before', () => {
  test('looks first when it may end, and then every pause', async () => {
    const { time, reads, watch } = openService({ a: 22_500 });
    const pace = paced(20_000, 1_500);
    await expect(time.run(watch('a', pace))).resolves.toBe(23_000);
    expect(reads).toEqual(['20000 a', '21500 a', '23000 a']);
  });

  test('counts from when the service took it', async () => {
    const { time, clock, reads, watch } = openService({ a: 10_000 });
    await time.run(clock.sleep(9_000));
    await time.run(watch('a', { since: 0, ...paced(10_000, 500) }));
    expect(reads).toEqual(['10000 a']);
  });

  test('looks once a minute whatever was learned: a process that slept learned half an hour', async () => {
    const { time, reads, watch } = openService({ a: 130_000 });
    const pace = paced(1_800_000, 1_000);
    await expect(time.run(watch('a', pace))).resolves.toBe(180_000);
    expect(reads).toEqual(['60000 a', '120000 a', '180000 a']);
  });

  test('many share every look, whoever asked for it', async () => {
    const { time, reads, watch } = openService({ a: 5_000, b: 5_000, c: 5_000 });
    const pace = paced(5_000, 1_000);
    await time.run(Promise.all(['a', 'b', 'c'].map((id) => watch(id, pace))));
    expect(reads).toEqual(['5000 list']);
  });

  test('a pace that is learned while it waits counts from then on', async () => {
    const { time, reads, watch } = openService({ a: 60_000 });
    let firstMs = 0;
    const ended = watch('a', { ...paced(0, 1_000), pace: () => ({ firstMs }) });
    const learned = time
      .openClock()
      .sleep(2_500)
      .then(() => {
        firstMs = 59_000;
      });
    await time.run(Promise.all([ended, learned]));
    expect(reads).toEqual(['1000 a', '2000 a', '3000 a', '60000 a']);
  });
});

describe('looks for what others wait for', () => {
  const hurried = { ...paced(0, 1), shortestMs: () => 10, payers: () => 10_000 };

  test.each([
    { pages: 1, why: 'every ten milliseconds' },
    { pages: 3, why: 'less often where each takes several requests' },
    { pages: 9, why: 'but as often as for all else' },
  ])('follow on each other $why', async ({ pages }) => {
    const others = Array.from({ length: pages * 100 - 2 }, (_, at) => [`other-${at}`, 0] as const);
    const { time, reads, watch } = openService({ ...Object.fromEntries(others), a: 400, b: 400 });
    await time.run(Promise.all([watch('a', hurried), watch('b', hurried)]));
    const [first, second] = reads.slice(-2).map((read) => Number.parseInt(read, 10));
    expect(second! - first!).toBe(Math.min(50, pages * 10));
  });

  test.each([
    { tookMs: 80, isHeldBack: false, pauseMs: 80, why: 'as the answers come' },
    { tookMs: 80, isHeldBack: true, pauseMs: 160, why: 'more slowly while requests queue' },
    { tookMs: 120, isHeldBack: false, pauseMs: 240, why: 'more slowly where the service toils' },
  ])('follow on each other $why', async ({ tookMs, isHeldBack, pauseMs }) => {
    const took = Array.from({ length: 99 }, () => tookMs);
    const service = openService({ a: 2_000 }, undefined, undefined, took, () => isHeldBack);
    await service.time.run(service.watch('a', hurried));
    const [first, second] = service.reads.slice(-2).map((read) => Number.parseInt(read, 10));
    expect(second! - first!).toBe(pauseMs);
  });

  test('what nobody has seen is guessed at more often, too', async () => {
    const guess = { pace: (): ExpectedResultTimes => ({ firstMs: 0, guessOf: 'createVm' }) };
    const looks = async (more: Partial<ResourceWatch<number | 'late'>>) => {
      const { time, reads, watch } = openService({ a: 400 });
      await time.run(watch('a', { ...guess, mayWaitMs: () => 0, ...more }));
      return reads.length;
    };
    expect(await looks({ shortestMs: () => 10 })).toBeGreaterThan(3 * (await looks({})));
  });
});

describe('looks that take long', () => {
  test('become rarer where they do so one after the other', async () => {
    const { time, reads, watch } = openService({ a: 30_000 }, undefined, undefined, [
      ...[3_000, 3_000, 3_000, 3_000, 3_000],
    ]);
    await time.run(watch('a', paced(1_000, 1_000)));
    expect(reads.slice(0, 4)).toEqual(['1000 a', '4000 a', '10000 a', '16000 a']);
  });

  test('are as often as before where it was one alone', async () => {
    const { time, reads, watch } = openService(
      { a: 6_000 },
      undefined,
      undefined,
      [100, 3_000, 100],
    );
    await time.run(watch('a', paced(1_000, 1_000)));
    expect(reads).toEqual(['1000 a', '2000 a', '5000 a', '6000 a']);
  });

  test.each([
    { beginsAfterMs: 500, firstAt: 4_000, why: 'but do not follow each other sooner than before' },
    { beginsAfterMs: 1_000, firstAt: 4_100, why: 'where the last one is long enough ago' },
    { beginsAfterMs: 60_000, firstAt: 63_100, why: 'where nobody has waited for a minute' },
  ])('do not delay the first one of a new wait, $why', async ({ beginsAfterMs, firstAt }) => {
    const tookMs = [1_000, 1_000];
    const { time, clock, reads, watch } = openService(
      { a: 3_000, b: 0 },
      undefined,
      undefined,
      tookMs,
    );
    await time.run(watch('a', paced(1_000, 1_000)));
    expect(reads.splice(0)).toEqual(['1000 a', '2000 a']);
    await time.run(clock.sleep(beginsAfterMs));
    await time.run(watch('b', paced(100, 100)));
    expect(reads).toEqual([`${firstAt} b`]);
  });
});

describe('waiting for what nobody has seen', () => {
  test('sees quick things quickly, and looks less and less often at slow ones', async () => {
    const quick = openService({ a: 300 });
    expect(await quick.time.run(quick.watch('a'))).toBeLessThan(351);
    const slow = openService({ a: 300_000 });
    expect(await slow.time.run(slow.watch('a'))).toBeLessThan(315_001);
    expect(slow.reads.length).toBeLessThan(110);
  });
});

test('one that waits alone is looked at more often where others pay for it, too', async () => {
  const countReads = async (payers: number) => {
    const { time, reads, watch } = openService({ a: 100_000 });
    await time.run(watch('a', { ...paced(1_000, 100), payers: () => payers }));
    return reads.length;
  };
  const alone = await countReads(0);
  expect(alone).toBeLessThan(100);
  expect(await countReads(1)).toBe(alone);
  expect(await countReads(16)).toBeGreaterThan(alone * 2.5);
});

describe('what has almost certainly ended', () => {
  test('is looked at then, once, however long it may go unnoticed', async () => {
    const { time, reads, watch } = openService({ a: 30_000 });
    const pace = {
      pace: (): ExpectedResultTimes => ({ firstMs: 29_900, byMs: 30_100 }),
      mayWaitMs: () => 10_000,
    };
    await expect(time.run(watch('a', pace))).resolves.toBe(30_100);
    expect(reads).toEqual(['30100 a']);
  });

  test('does not bring a look for each of many that end one after the other', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `vm-${index}`);
    const service = openService(
      Object.fromEntries(ids.map((id, index) => [id, 10_000 + index * 100])),
    );
    const { time, clock, reads, watch } = service;
    const begin = async (id: string, index: number) => {
      await clock.sleep(index * 100);
      const pace = (): ExpectedResultTimes => ({ firstMs: 9_950, byMs: 10_050 });
      return watch(id, { pace, mayWaitMs: () => 1_000 });
    };
    await time.run(Promise.all(ids.map(begin)));
    expect(reads.length).toBeLessThan(6);
  });
});

describe('what several places wait for and nobody has seen the end of', () => {
  test('is looked at in turns: together about as often as one place alone', async () => {
    const alone = openService({ a: 20_000 });
    const guess = {
      pace: (): ExpectedResultTimes => ({ firstMs: 0, guessOf: 'createVm' }),
      mayWaitMs: () => 5_000,
    };
    await alone.time.run(alone.watch('a', guess));
    const many = openService({ a: 20_000 }, undefined, createSeededRandom(5));
    const places = Array.from({ length: 20 }, (_, index) => ({ projectId: `p-${index}` }));
    const ended = places.map((place) => many.watch('a', { ...guess, place }));
    await many.time.run(Promise.race(ended));
    expect(many.time.now()).toBeLessThan(23_000);
    expect(many.reads.length).toBeLessThan(5 * alone.reads.length);
    await many.time.run(Promise.all(ended));
  });
});

describe('what is waited for longest', () => {
  const guess = {
    pace: (): ExpectedResultTimes => ({ firstMs: 0, guessOf: 'createVm' }),
    mayWaitMs: () => 5_000,
  };

  test('has more looks than any other place: the first end shows there', async () => {
    const { time, clock, places, watch } = openService(
      { a: 60_000 },
      undefined,
      createSeededRandom(5),
    );
    const begin = async (index: number) => {
      // The fourth began first.
      await clock.sleep(index === 3 ? 0 : 100 + index);
      return watch('a', { ...guess, place: { projectId: `p-${index}` } });
    };
    const ended = Array.from({ length: 10 }, (_, index) => begin(index));
    await time.run(Promise.race(ended));
    const ofOldest = places.filter((projectId) => projectId === 'p-3').length;
    expect(ofOldest).toBeGreaterThan(((places.length - ofOldest) / 9) * 2.5);
    expect(ofOldest).toBeLessThan(places.length / 2);
    await time.run(Promise.all(ended));
  });

  test('is looked at more often the more wait for it', async () => {
    const countLooks = async (waiters: number) => {
      const { time, reads, watch } = openService({ a: 20_000 }, undefined, createSeededRandom(5));
      await time.run(Promise.all(Array.from({ length: waiters }, () => watch('a', guess))));
      return reads.length;
    };
    expect(await countLooks(1_600)).toBeGreaterThan((await countLooks(100)) * 2);
  });
});

describe('a list that leaves out what was seen before', () => {
  const pace = paced(1_000, 1_000);

  test('is not believed: that one is asked for by its id', async () => {
    const service = openService({ a: 2_000, b: 2_000 }, (id, now) => id !== 'a' || now < 1_500);
    const { time, reads, watch } = service;
    const both = [watch('a', { ...pace, wasSeen: () => true }), watch('b', pace)];
    await expect(time.run(Promise.all(both))).resolves.toEqual([2_000, 2_000]);
    expect(reads).toEqual(['1000 list', '2000 list', '2000 a']);
  });

  test('is believed of what was never seen', async () => {
    const { time, reads, watch } = openService({ a: 2_000, b: 4_000 }, (id) => id !== 'a');
    const unseen = watch('a', { ...pace, wasSeen: () => false, deadline: 3_000 });
    await expect(time.run(Promise.all([unseen, watch('b', pace)]))).resolves.toEqual([
      'late',
      4_000,
    ]);
    expect(reads).toEqual(['1000 list', '2000 list', '3000 list', '4000 b']);
  });

  test('is looked at by who waits for a deletion alone: one 404 is no proof', async () => {
    const { time, reads, watch } = openService({ a: 2_000 });
    const decide: ResourceWatch<number>['decide'] = ({ find, at }) => (find('b') ? undefined : at);
    await time.run(watch('b', { ...pace, decide }));
    expect(reads).toEqual(['1000 b', '1000 list']);
  });

  test('what the service does not have under its id is missing', async () => {
    const { time, watch } = openService({ b: 2_000 });
    const misses: boolean[] = [];
    const decide: ResourceWatch<number>['decide'] = ({ isMissing, at }) => {
      misses.push(isMissing('a'));
      return at >= 2_000 ? at : undefined;
    };
    const both = [watch('a', { ...pace, wasSeen: () => true, decide }), watch('b', pace)];
    await time.run(Promise.all(both));
    expect(misses).toEqual([true, true]);
  });
});

test('operation records are read only by the looks whose resources ask for them', async () => {
  const { time, reads, watch } = openService({ a: 2_500 });
  await time.run(
    watch('a', {
      ...paced(1_000, 1_000),
      needsOperations: ({ find }) => (find('a') as LiveVm).status === 'active',
    }),
  );
  expect(reads).toEqual(['1000 a', '2000 a', '3000 a', '3000 operations']);
});

test('operation records that the look before needed are asked for with the next one, as a guess', async () => {
  const time = new VirtualTime(0);
  const clock = time.openClock();
  const reads: string[] = [];
  const answer = async <V>(what: string, value: V): Promise<V> => {
    reads.push(`${time.now()} ${what}`);
    await clock.sleep(10);
    return value;
  };
  let asked = 0;
  const client: ObservationReader = {
    isFromPast: () => false,
    isHeldBack: () => false,
    list: <K extends KindName>() => answer('list', [vm] as LiveResource[] as LiveRecordOfKind<K>[]),
    get: <K extends KindName>() => answer('vm', vm as LiveResource as LiveRecordOfKind<K>),
    listOperations: () =>
      answer('operations', []).then((found) => {
        asked += 1;
        if (asked === 2) throw new Error('a guess that fails is none');
        return found;
      }),
  };
  let looks = 0;
  const watching = createResourceObserver(client, clock, () => 0.5).await<'seen'>({
    ...{ kind: 'vm', place: { projectId: 'p' }, id: vm.id, deadline: 600_000 },
    ...{ ...paced(1_000, 1_000), wasSeen: () => true, needsOperations: true },
    decide: () => ((looks += 1) === 3 ? 'seen' : undefined),
    expire: () => 'seen',
  });
  await time.run(watching);
  expect(reads).toEqual([
    ...['1000 vm', '1010 operations'],
    ...['2000 operations', '2000 vm', '2010 operations'],
    ...['3000 operations', '3000 vm'],
  ]);
});

test('a wait that has to end ends at its deadline though its pace would look later', async () => {
  const { time, watch } = openService({ a: 900_000 });
  const pace = paced(600_000, 5_000);
  await expect(time.run(watch('a', { ...pace, deadline: 30_000 }))).resolves.toBe('late');
  expect(time.now()).toBe(30_000);
});

test('a service that cannot be read fails all that wait there, and the next wait looks anew', async () => {
  const time = new VirtualTime(0);
  const clock = time.openClock();
  let isAway = true;
  const client: ObservationReader = {
    isFromPast: () => false,
    isHeldBack: () => false,
    list: () => Promise.reject(new Error('away')),
    get: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(undefined)),
    listOperations: () => Promise.resolve([]),
  };
  const observer = createResourceObserver(client, clock, () => 0.5);
  const watch = (id: string) =>
    observer.await<number | 'late'>({
      ...{ kind: 'vm', place: { projectId: 'p' }, id, wasSeen: () => true, deadline: 600_000 },
      needsOperations: false,
      decide: ({ isMissing, at }) => (isMissing(id) ? at : undefined),
      expire: () => 'late',
    });
  const ended = await time.run(Promise.allSettled([watch('a'), watch('b')]));
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(time.now()).toBeLessThan(600_000);
  isAway = false;
  expect(await time.run(watch('a'))).toBe(time.now());
});
