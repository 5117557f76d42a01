// The operation records that a look at the account comes with.
import { expect, test } from 'vitest';
import { createResourceObserver } from '../../../../src/execute/observe/observer.ts';
import type { ObservationReader } from '../../../../src/execute/observe/watch.ts';
import { isResourceBusy, markAtRestByRecords } from '../../../../src/kinds/outcome.ts';
import type { LiveRecordOfKind, LiveResource } from '../../../../src/model/account/live.ts';
import type { LiveOperation } from '../../../../src/model/account/operation.ts';
import type { KindName } from '../../../../src/model/kind-places.ts';
import { VirtualTime } from '../../../scenario/virtual-time.ts';
import { makeLive } from '../../../support/account.ts';
import { refusal } from '../../api/fake-service.ts';

const vms = { a: { name: 'a', status: 'baking' }, b: { name: 'b', status: 'baking' } };
const { resources } = makeLive({ projects: { p: { name: 'shop', vms } } });
const record = (resourceId: string, status: string): LiveOperation => ({
  ...{ id: `op-${resourceId}`, type: 'Stop', status, resourceType: 'vm', resourceId },
  ...{ createdAt: 1, completedAt: null, failureCode: null },
});
const newest = Array.from({ length: 100 }, () => record('other', 'Running'));

/** Waits until VMs whose status nobody knows are at rest by their records; `read` answers a question for those. */
async function awaitRest(
  ids: readonly string[],
  read: (resourceId: string | undefined, at: number) => readonly LiveOperation[],
) {
  const time = new VirtualTime(0);
  const asked: string[] = [];
  const client: ObservationReader = {
    isFromPast: () => false,
    isHeldBack: () => false,
    list: <K extends KindName>() => Promise.resolve(resources as LiveRecordOfKind<K>[]),
    get: <K extends KindName>(_: K, __: unknown, id: string) => {
      const found: LiveResource | undefined = resources.find((one) => one.id === id);
      return Promise.resolve(found as LiveRecordOfKind<K> | undefined);
    },
    listOperations: (_, { resourceId } = {}) => {
      asked.push(`${time.now()} ${resourceId ?? 'newest'}`);
      return Promise.resolve().then(() => read(resourceId, time.now()));
    },
  };
  const observer = createResourceObserver(client, time.openClock(), () => 0.5);
  const ends = ids.map((id) =>
    observer.await<number | 'late'>({
      ...{ kind: 'vm', place: { projectId: 'p' }, id, wasSeen: () => true, deadline: 60_000 },
      ...{ needsOperations: true, mayWaitMs: () => 5_000 },
      decide({ find, operations, at }) {
        const live = find(id);
        return live && isResourceBusy(markAtRestByRecords(live, operations)) ? undefined : at;
      },
      expire: () => 'late',
    }),
  );
  return { ends: await time.run(Promise.all(ends)), asked };
}

test('an operation that is older than the newest records of its project is waited for', async () => {
  const { ends, asked } = await awaitRest(['a', 'b'], (id, at) => {
    if (id === undefined) return newest;
    return [record(id, at < 10_000 ? 'Running' : 'Succeeded')];
  });
  const [end] = ends;
  expect(end).toBeGreaterThanOrEqual(10_000);
  expect(end).toBeLessThan(20_000);
  const looks = [...new Set(asked.map((one) => one.split(' ')[0]))];
  // One question for the newest, and one for each that these do not name.
  expect(asked).toHaveLength(looks.length * 3);
  expect(looks.length).toBeLessThan(8);
});

test.each([
  ['of few, which are all', newest.slice(1)],
  ['that name it', [record('a', 'Succeeded'), ...newest.slice(1)]],
])('the newest records %s are not asked about again', async (_, listed) => {
  const { asked } = await awaitRest(['a'], () => listed);
  expect(asked.map((one) => one.split(' ')[1])).toEqual(['newest']);
});

test.each([403, 404, 501])(
  'records that are withheld with %i leave the verdict to the resource, and are asked for no more than the look needs',
  async (status) => {
    const refuse = () => {
      throw refusal(status);
    };
    const { ends, asked } = await awaitRest(['a'], refuse);
    expect(ends).not.toContain('late');
    expect(asked.map((one) => one.split(' ')[1])).toEqual(['newest', 'a']);
    const { ends: others } = await awaitRest(['a'], (id) => (id === undefined ? newest : refuse()));
    expect(others).not.toContain('late');
  },
);

test('records that are told of single resources alone are asked for each', async () => {
  const { ends, asked } = await awaitRest(['a', 'b'], (id, at) => {
    if (id === undefined) throw refusal(400);
    if (id === 'b') throw refusal(404);
    return [record(id, at < 10_000 ? 'Running' : 'Succeeded')];
  });
  const answered = asked.filter((one) => one.endsWith(' a')).map((one) => Number.parseInt(one));
  expect(answered.at(-1)).toBe(ends[0]);
  // One of them is withheld, which hides that of the other neither.
  expect(ends[0]).toBeGreaterThanOrEqual(10_000);
  expect(ends[1]).toBeLessThan(10_000);
});

test.each([429, 500, 503])(
  'records that %i stands in place of end the wait: they may tell afterwards what nothing else does',
  async (status) => {
    const refuse = () => {
      throw refusal(status);
    };
    await expect(awaitRest(['a'], refuse)).rejects.toThrow(`${status}`);
  },
);

test('records that the credentials do not open end the wait', async () => {
  const refuse = () => {
    throw refusal(401);
  };
  await expect(awaitRest(['a'], refuse)).rejects.toThrow('401');
});
