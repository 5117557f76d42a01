import { describe, expect, test } from 'vitest';
import type { ServiceClient } from '../../../src/api/client.ts';
import { createObserver, type Pace, type Watch } from '../../../src/execute/observer.ts';
import type { LiveOf, LiveResource, LiveVm } from '../../../src/model/live.ts';
import type { KindName } from '../../../src/model/resource.ts';
import { VirtualTime } from '../../scenario/virtual-time.ts';
import { makeLive } from '../../support/account.ts';

const { resources } = makeLive({
  projects: { 'p-1': { name: 'shop', vms: { 'vm-1': { name: 'web' } } } },
});
const vm = resources.find((one): one is LiveVm => one.kind === 'vm')!;

/** A service whose VMs become active each at its time, and a record of what was read when. */
function openService(endsAfterMs: Readonly<Record<string, number>>) {
  const time = new VirtualTime(0);
  const clock = time.openClock();
  const reads: string[] = [];
  const show = (id: string): LiveVm => ({
    ...vm,
    id,
    status: time.now() >= (endsAfterMs[id] ?? 0) ? 'active' : 'creating',
  });
  const client: Pick<ServiceClient, 'list' | 'get' | 'listOperations'> = {
    list: <K extends KindName>() => {
      reads.push(`${time.now()} list`);
      return Promise.resolve(Object.keys(endsAfterMs).map(show) as LiveResource[] as LiveOf<K>[]);
    },
    get: <K extends KindName>(_: K, __: object, id: string) => {
      reads.push(`${time.now()} ${id}`);
      const found: LiveResource | undefined = id in endsAfterMs ? show(id) : undefined;
      return Promise.resolve(found as LiveOf<K> | undefined);
    },
    listOperations: () => {
      reads.push(`${time.now()} operations`);
      return Promise.resolve([]);
    },
  };
  const observer = createObserver(client, clock, () => 0.5);
  const watch = (id: string, more: Partial<Watch<number | 'late'>> = {}) =>
    observer.await<number | 'late'>({
      kind: 'vm',
      place: { projectId: 'p' },
      id,
      deadline: 600_000,
      needsOperations: false,
      judge: ({ find, at }) =>
        (find(id) as LiveVm | undefined)?.status === 'active' ? at : undefined,
      expire: () => 'late',
      ...more,
    });
  return { time, clock, reads, watch };
}

const paced = (pace: Pace) => () => pace;

describe('waiting for what was seen before', () => {
  test('looks first when it may end, and then every pause', async () => {
    const { time, reads, watch } = openService({ a: 22_500 });
    const pace = paced({ firstMs: 20_000, everyMs: 1_000, waitedShare: 0 });
    await expect(time.run(watch('a', { pace }))).resolves.toBe(23_000);
    expect(reads).toEqual(['20000 a', '21000 a', '22000 a', '23000 a']);
  });

  test('counts from when the service took it', async () => {
    const { time, clock, reads, watch } = openService({ a: 10_000 });
    await time.run(clock.sleep(9_000));
    await time.run(
      watch('a', { since: 0, pace: paced({ firstMs: 10_000, everyMs: 500, waitedShare: 0 }) }),
    );
    expect(reads).toEqual(['10000 a']);
  });

  test('many share every look, whoever asked for it', async () => {
    const { time, reads, watch } = openService({ a: 5_000, b: 5_000, c: 5_000 });
    const pace = paced({ firstMs: 5_000, everyMs: 1_000, waitedShare: 0 });
    await time.run(Promise.all(['a', 'b', 'c'].map((id) => watch(id, { pace }))));
    expect(reads).toEqual(['5000 list']);
  });

  test('a pace that is learned while it waits counts from then on', async () => {
    const { time, reads, watch } = openService({ a: 60_000 });
    let pace: Pace = { firstMs: 1_000, everyMs: 1_000, waitedShare: 0 };
    const ended = watch('a', { pace: () => pace });
    const learned = time
      .openClock()
      .sleep(2_500)
      .then(() => {
        pace = { firstMs: 60_000, everyMs: 1_000, waitedShare: 0 };
      });
    await time.run(Promise.all([ended, learned]));
    expect(reads).toEqual(['1000 a', '2000 a', '3000 a', '60000 a']);
  });
});

describe('waiting for what nobody has seen', () => {
  test('sees quick things quickly, and looks less and less often at slow ones', async () => {
    const quick = openService({ a: 300 });
    expect(await quick.time.run(quick.watch('a'))).toBe(400);
    const slow = openService({ a: 300_000 });
    expect(await slow.time.run(slow.watch('a'))).toBeLessThan(305_001);
    expect(slow.reads.length).toBeLessThan(110);
  });
});

describe('operation records', () => {
  test('are read only by the looks whose resources ask for them', async () => {
    const { time, reads, watch } = openService({ a: 2_500 });
    await time.run(
      watch('a', {
        pace: paced({ firstMs: 1_000, everyMs: 1_000, waitedShare: 0 }),
        needsOperations: ({ find }) => (find('a') as LiveVm).status === 'active',
      }),
    );
    expect(reads).toEqual(['1000 a', '2000 a', '3000 a', '3000 operations']);
  });
});

describe('a wait that has to end', () => {
  test('ends at its deadline though its pace would look later', async () => {
    const { time, watch } = openService({ a: 900_000 });
    const pace = paced({ firstMs: 600_000, everyMs: 5_000, waitedShare: 0 });
    await expect(time.run(watch('a', { pace, deadline: 30_000 }))).resolves.toBe('late');
    expect(time.now()).toBe(30_000);
  });
});
