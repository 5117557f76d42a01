// What a run rescued while its backend could not be written: the next run uploads it, and never over what is newer.
import { expect, test } from 'vitest';
import { openLocalBackend } from '../../../src/state/backends/local.ts';
import type { DiagnosticError } from '../../../src/model/errors.ts';
import type { StateFileName } from '../../../src/state/files/files.ts';
import type { LockFence } from '../../../src/state/lock/fence.ts';
import { openMemoryStateFiles, openMemoryState } from '../../../src/state/memory-store.ts';
import { hasRescuedState, uploadRescuedState } from '../../../src/state/rescue/upload-rescue.ts';
import { buildVm, countIds } from './build-records.ts';

type Contents = Map<StateFileName, string>;

/** The lock of a run after those that have written so far. */
const fence: LockFence = {
  epoch: 9,
  lost: undefined,
  verify: () => undefined,
  verifyLease: () => undefined,
};

const settle = (local: string) => ({ kind: 'settled', resource: buildVm(local) }) as const;

/** A state with one VM, and the rescue of a run that made a second one. */
async function rescueRun(): Promise<{ readonly disk: Contents; readonly rescue: Contents }> {
  const before = await openMemoryState({ createId: countIds() });
  await before.record(settle('before'));
  await before.compact();
  const disk = before.readDisk();
  const rescue: Contents = new Map();
  const run = await openMemoryState({
    disk,
    rescue,
    onWrite: () => {
      throw Object.assign(new Error('out of reach'), { code: 'EIO' });
    },
  });
  await run.record(settle('later'));
  await run.close();
  return { disk, rescue };
}

function upload(disk: Contents, rescue: Contents) {
  const backend = {
    ...openLocalBackend('/nowhere'),
    openFiles: (held?: LockFence) => openMemoryStateFiles(disk, undefined, held),
  };
  const files = openMemoryStateFiles(rescue);
  return uploadRescuedState({ backend, rescue: files, fence, version: '1', history: undefined });
}

async function listVms(disk: Contents): Promise<readonly string[]> {
  const { state } = await openMemoryState({ disk });
  return [...state.resources.values()].map(({ id }) => id).sort();
}

test('what was rescued goes to the backend whole, and is removed where it was', async () => {
  const { disk, rescue } = await rescueRun();
  expect(await hasRescuedState(openMemoryStateFiles(rescue))).toBe(true);
  expect(await upload(disk, rescue)).toMatchObject({ code: 'rescue-uploaded' });
  expect(await listVms(disk)).toEqual(['vm-before', 'vm-later']);
  expect(await hasRescuedState(openMemoryStateFiles(rescue))).toBe(false);
});

test('it goes to a backend in which nothing was ever written', async () => {
  const { rescue } = await rescueRun();
  const disk: Contents = new Map();
  expect(await upload(disk, rescue)).toMatchObject({ code: 'rescue-uploaded' });
  expect(await listVms(disk)).toEqual(['vm-before', 'vm-later']);
});

test.each([
  ['another run has written since', 'vm-before'],
  ['there is another state by now', undefined],
])('it is left out where %s', async (_what, kept) => {
  const { disk, rescue } = await rescueRun();
  const start = kept === undefined ? {} : { disk };
  const other = await openMemoryState({ ...start, fence: { ...fence, epoch: 3 } });
  await other.record(settle('newer'));
  await other.compact();
  const current = other.readDisk();
  expect(await upload(current, rescue)).toMatchObject({ code: 'rescue-overtaken' });
  expect(await listVms(current)).toEqual([...(kept === undefined ? [] : [kept]), 'vm-newer']);
  expect(await hasRescuedState(openMemoryStateFiles(rescue))).toBe(false);
});

test.each([
  ['cut short', (text: string) => text.slice(0, text.length / 2)],
  ['of another shape', (text: string) => text.replace('"resources"', '"things"')],
])('a rescue that is %s is told as what it is, with a hint that works', async (_what, damage) => {
  const { disk, rescue } = await rescueRun();
  rescue.set('state.json', damage(rescue.get('state.json') ?? ''));
  const [told] = await upload(disk, rescue).then(
    () => [],
    (error: unknown) => (error as DiagnosticError).diagnostics,
  );
  expect(told).toMatchObject({ code: 'rescue-damaged' });
  expect(told?.hint).toMatch(/^Move .* away and run the command again/);
  // Nothing of it was used, and nothing was thrown away.
  expect(await listVms(disk)).toEqual(['vm-before']);
  expect(rescue.has('state.json')).toBe(true);
  rescue.clear();
  expect(await hasRescuedState(openMemoryStateFiles(rescue))).toBe(false);
});
