import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InternalError } from '../../../src/model/errors.ts';
import { StateWriteError } from '../../../src/state/faults.ts';
import { createEmptyState, replayJournalRecords } from '../../../src/state/journal/replay.ts';
import { openDiskStateFiles } from '../../../src/state/files/files.ts';
import { openStateStore } from '../../../src/state/store.ts';
import {
  buildIntent,
  buildNetwork,
  buildVm,
  countIds,
  toPlain,
  wholeRun,
} from './build-records.ts';
import { openLocalBackend } from '../../../src/state/backends/local.ts';

let directory: string;
let folder: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-state-'));
  folder = join(directory, '.hostwright');
});
afterEach(() => rm(directory, { recursive: true }));

const readState = (name = 'state.json') => readFile(join(folder, name), 'utf8');
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

/** Not among the system's temporary files. */
const openRescue = () =>
  Promise.resolve(openDiskStateFiles(join(directory, 'refuge', '.hostwright')));

async function writeRun(): Promise<void> {
  const store = await openStateStore(openLocalBackend(directory), {
    createId: countIds(),
    version: '0.1.0',
  });
  await Promise.all(wholeRun.map((record) => store.record(record)));
  await store.close();
}

describe('opening', () => {
  test('no state is an empty one of a new lineage, and nothing is made', async () => {
    const store = await openStateStore(openLocalBackend(directory));
    expect(store.state).toMatchObject({ serial: 0, service: null });
    expect(store.state.lineage).toMatch(/^[0-9a-f-]{36}$/);
    expect(store.diagnostics).toEqual([]);
    await store.close();
    expect(await readdir(directory)).toEqual([]);
  });

  test('a left-over journal is replayed, and its lineage kept', async () => {
    await writeRun();
    const store = await openStateStore(openLocalBackend(directory));
    expect(toPlain(store.state)).toEqual(
      toPlain(replayJournalRecords(createEmptyState('id-1'), wholeRun)),
    );
    expect(store.diagnostics).toMatchObject([
      {
        severity: 'note',
        code: 'journal-replayed',
        summary: `Recovered ${wholeRun.length} journal records of an unfinished run`,
      },
    ]);
    await store.close();
  });

  test('reading only changes nothing, not even what is torn', async () => {
    await writeRun();
    await writeFile(join(folder, 'journal.1.jsonl'), '{"crc', { flag: 'a' });
    const before = await readState('journal.1.jsonl');
    const store = await openStateStore(openLocalBackend(directory), { isReadOnly: true });
    expect(store.diagnostics.map(({ code }) => code)).toEqual(['journal-replayed', 'journal-torn']);
    await expect(store.record(buildIntent('a'))).rejects.toBeInstanceOf(InternalError);
    await expect(store.compact()).rejects.toBeInstanceOf(InternalError);
    await store.close();
    expect(await readState('journal.1.jsonl')).toBe(before);
    expect(await readdir(folder)).toEqual(['journal.1.jsonl']);
  });

  test('a torn record is cut off before the next one', async () => {
    await writeRun();
    await writeFile(join(folder, 'journal.1.jsonl'), '{"crc', { flag: 'a' });
    const store = await openStateStore(openLocalBackend(directory));
    await store.record(buildIntent('next'));
    await store.close();
    const again = await openStateStore(openLocalBackend(directory));
    expect(again.diagnostics.map(({ code }) => code)).toEqual(['journal-replayed']);
    expect([...again.state.pending.keys()]).toContain('projects.shop.networks.next');
  });

  test('a backup without a state is pointed out', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'state.json.backup'), '{}');
    const { diagnostics, state } = await openStateStore(openLocalBackend(directory));
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'state-missing' }]);
    expect(state.resources.size).toBe(0);
  });
});

describe('recording', () => {
  test('files are for their owner alone', async () => {
    await writeRun();
    const store = await openStateStore(openLocalBackend(directory));
    await store.compact();
    await store.record({ kind: 'removed', address: 'projects.shop.networks.lost' });
    await store.compact();
    await store.record(buildIntent('next'));
    await store.close();
    expect(await modeOf(folder)).toBe(0o700);
    const names = await readdir(folder);
    expect(names.sort()).toEqual(['journal.2.jsonl', 'state.json', 'state.json.backup']);
    for (const name of names) expect(await modeOf(join(folder, name))).toBe(0o600);
  });

  test('the state knows a record at once', async () => {
    const store = await openStateStore(openLocalBackend(directory));
    const written = store.record({ kind: 'settled', resource: buildVm('a') });
    expect(store.state.resources.has(buildVm('a').address)).toBe(true);
    await written;
    await store.close();
  });

  test('a closed state is not written to', async () => {
    const store = await openStateStore(openLocalBackend(directory));
    await store.close();
    await expect(store.record(buildIntent('a'))).rejects.toBeInstanceOf(InternalError);
  });

  test.runIf(existsSync('/dev/full'))('a disk that is full says so, each time', async () => {
    const store = await openStateStore(openLocalBackend(directory), { openRescue });
    await store.record(buildIntent('before'));
    await rm(join(folder, 'journal.1.jsonl'));
    await symlink('/dev/full', join(folder, 'journal.1.jsonl'));
    const first: unknown = await store.record(buildIntent('a')).catch((reason: unknown) => reason);
    expect(first).toBeInstanceOf(StateWriteError);
    expect(first).toMatchObject({ code: 'ENOSPC', cause: { code: 'ENOSPC' } });
    await expect(store.record(buildIntent('b'))).rejects.toBe(first);
    await expect(store.compact()).rejects.toBe(first);
    await store.close();
  });

  test('a directory that cannot be made says so, and memory knows more than the disk', async () => {
    const store = await openStateStore(openLocalBackend(join(directory, 'missing')), {
      openRescue,
    });
    await writeFile(join(directory, 'missing'), 'a file');
    const error = await store.record(buildIntent('a')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StateWriteError);
    expect(error).toMatchObject({ code: 'ENOTDIR' });
    expect(store.state.pending.size).toBe(1);
    await store.close();
  });
});

describe('compacting', () => {
  test('makes a snapshot with the next serial and removes the journal', async () => {
    await writeRun();
    const store = await openStateStore(openLocalBackend(directory), { version: '0.1.0' });
    await store.compact();
    expect(store.state.serial).toBe(1);
    await store.close();
    expect(await readdir(folder)).toEqual(['state.json']);
    expect(JSON.parse(await readState())).toMatchObject({
      formatVersion: 3,
      hostwrightVersion: '0.1.0',
      lineage: 'id-1',
      serial: 1,
      epoch: 2,
      service: 'https://api.test/v1',
    });
    const again = await openStateStore(openLocalBackend(directory));
    expect(again.diagnostics).toEqual([]);
    expect(toPlain(again.state)).toEqual(toPlain(store.state));
  });

  test('the snapshot before it becomes the backup', async () => {
    await writeRun();
    const store = await openStateStore(openLocalBackend(directory));
    await store.compact();
    const first = await readState();
    await store.record({ kind: 'settled', resource: buildNetwork('new') });
    await store.compact();
    await store.close();
    expect(await readState('state.json.backup')).toBe(first);
    expect(JSON.parse(await readState())).toMatchObject({ serial: 2 });
  });

  test('nothing changed, no new serial, and the journal is removed all the same', async () => {
    await writeRun();
    const store = await openStateStore(openLocalBackend(directory));
    await store.compact();
    await store.record(wholeRun[0]!);
    await store.record({ kind: 'settled', resource: buildNetwork('lan') });
    await store.record({ kind: 'end', runId: 'r', at: 9 });
    await store.compact();
    expect(store.state.serial).toBe(1);
    await store.close();
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  test('records that arrive meanwhile are kept for the next snapshot', async () => {
    const store = await openStateStore(openLocalBackend(directory));
    const writes = [store.record({ kind: 'settled', resource: buildVm('a') }), store.compact()];
    await new Promise((resolve) => setImmediate(resolve));
    writes.push(store.record({ kind: 'settled', resource: buildVm('b') }));
    await Promise.all(writes);
    await store.close();
    const again = await openStateStore(openLocalBackend(directory));
    expect([...again.state.resources.values()].map(({ id }) => id).sort()).toEqual([
      'vm-a',
      'vm-b',
    ]);
    await again.compact();
    await again.close();
    expect((await readState()).match(/"vm-[ab]"/g)).toEqual(['"vm-a"', '"vm-b"']);
  });
});
