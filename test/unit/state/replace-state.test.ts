import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StateWriteError } from '../../../src/state/faults.ts';
import { replaceState } from '../../../src/state/replace-state.ts';
import type { LockFence } from '../../../src/state/lock/fence.ts';
import { createEmptyState } from '../../../src/state/journal/replay.ts';
import { openStateStore } from '../../../src/state/store.ts';
import { buildNetwork, toPlain, wholeRun } from './build-records.ts';
import { openLocalBackend } from '../../../src/state/backends/local.ts';

let directory: string;
const network = buildNetwork('other');
const other = {
  ...createEmptyState('other-lineage'),
  serial: 7,
  resources: new Map([[network.address, network]]),
};

/** A lock that is held, after those of other runs. */
const fence: LockFence = {
  epoch: 9,
  lost: undefined,
  verify: () => undefined,
  verifyLease: () => undefined,
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-replace-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function recordRun(): Promise<void> {
  const store = await openStateStore(openLocalBackend(directory));
  for (const record of wholeRun) await store.record(record);
  await store.close();
}

test('takes the place of what the journal holds, too, and keeps it as the backup', async () => {
  await recordRun();
  const { state: before } = await openStateStore(openLocalBackend(directory), { isReadOnly: true });
  await replaceState(openLocalBackend(directory), { before, after: other, version: '1' }, fence);
  const opened = await openStateStore(openLocalBackend(directory));
  expect(opened.diagnostics).toEqual([]);
  expect(toPlain(opened.state)).toEqual(toPlain(other));
  await opened.record({ kind: 'removed', address: network.address });
  await opened.compact();
  expect(opened.state.serial).toBe(8);
  await opened.close();
});

test('the backup holds what was recorded last', async () => {
  await recordRun();
  const { state: before } = await openStateStore(openLocalBackend(directory), { isReadOnly: true });
  await replaceState(openLocalBackend(directory), { before, after: other, version: '1' }, fence);
  const folder = join(directory, '.hostwright');
  await writeFile(join(folder, 'state.json'), await readFile(join(folder, 'state.json.backup')));
  const { state } = await openStateStore(openLocalBackend(directory), { isReadOnly: true });
  expect([...state.resources.keys()]).toEqual([...before.resources.keys()]);
  expect([...state.pending.keys()]).toEqual([...before.pending.keys()]);
});

test('stands where there was none', async () => {
  await replaceState(
    openLocalBackend(directory),
    { before: createEmptyState('l'), after: other, version: '1' },
    fence,
  );
  expect(
    toPlain((await openStateStore(openLocalBackend(directory), { isReadOnly: true })).state),
  ).toEqual(toPlain(other));
});

test('says so where it cannot be written', async () => {
  await mkdir(join(directory, '.hostwright', 'state.json'), { recursive: true });
  const replacing = replaceState(
    openLocalBackend(directory),
    { before: other, after: other, version: '1' },
    fence,
  );
  await expect(replacing).rejects.toBeInstanceOf(StateWriteError);
});
