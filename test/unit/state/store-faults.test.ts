// What stands on the disk cannot be used: said precisely, and left as it is.
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DiagnosticError } from '../../../src/model/errors.ts';
import { openStateStore } from '../../../src/state/store.ts';
import { buildVm, countIds, wholeRun } from './build-records.ts';
import { openLocalBackend } from '../../../src/state/backends/local.ts';

/** The user without any right. */
const nobody = 65_534;
let directory: string;
let folder: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-state-'));
  folder = join(directory, '.hostwright');
});
afterEach(() => rm(directory, { recursive: true }));

const readState = (name = 'state.json') => readFile(join(folder, name), 'utf8');

async function writeRun(): Promise<void> {
  const store = await openStateStore(openLocalBackend(directory), { createId: countIds() });
  await Promise.all(wholeRun.map((record) => store.record(record)));
  await store.close();
}

describe('opening', () => {
  const openFault = async () => {
    const error: unknown = await openStateStore(openLocalBackend(directory)).catch(
      (reason: unknown) => reason,
    );
    return (error as DiagnosticError).diagnostics[0]!;
  };
  const compactRun = async () => {
    await writeRun();
    const store = await openStateStore(openLocalBackend(directory));
    await store.compact();
    await store.record({ kind: 'settled', resource: buildVm('later') });
    await store.close();
  };

  test('a damaged snapshot stays as it is', async () => {
    await compactRun();
    const torn = (await readState()).slice(0, 100);
    await writeFile(join(folder, 'state.json'), torn);
    const before = await readState('journal.2.jsonl');
    expect((await openFault()).code).toBe('state-invalid');
    expect(await readState()).toBe(torn);
    expect(await readState('journal.2.jsonl')).toBe(before);
  });

  test('a snapshot that is gone while its journal is there', async () => {
    await compactRun();
    await rm(join(folder, 'state.json'));
    expect(await openFault()).toMatchObject({
      code: 'journal-unrelated',
      detail: expect.stringContaining('there is no snapshot') as string,
    });
  });

  test.each([
    ['an older snapshot', '"serial": 1', '"serial": 0', 'the one that is there has serial 0'],
    ['a later snapshot', '"serial": 1', '"serial": 2', 'the one that is there has serial 2'],
    [
      'another lineage',
      '"lineage": "id-1"',
      '"lineage": "other"',
      "the snapshot's lineage is other",
    ],
  ])('%s than the journal builds on', async (_name, from, to, detail) => {
    await compactRun();
    await writeFile(join(folder, 'state.json'), (await readState()).replace(from, to));
    expect(await openFault()).toMatchObject({
      code: 'journal-unrelated',
      detail: expect.stringContaining(detail) as string,
    });
  });

  test('damage in the middle of the journal', async () => {
    await writeRun();
    const lines = (await readState('journal.1.jsonl')).split('\n');
    lines[3] = lines[3]!.replace('lan', 'wan');
    await writeFile(join(folder, 'journal.1.jsonl'), lines.join('\n'));
    expect(await openFault()).toMatchObject({
      code: 'journal-corrupt',
      summary: `The journal is damaged at line 4: ${join(folder, 'journal.1.jsonl')}`,
    });
  });

  test('a file that cannot be read', async () => {
    await mkdir(join(folder, 'state.json'), { recursive: true });
    expect(await openFault()).toMatchObject({
      code: 'state-unreadable',
      detail: expect.stringContaining('There is a directory where a file should be') as string,
    });
  });

  test('a file that may not be read', async () => {
    // Root may read any file: another user tries in its place.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(directory, nobody, nobody);
    if (isRoot) process.seteuid?.(nobody);
    try {
      await writeRun();
      await chmod(join(folder, 'journal.1.jsonl'), 0);
      expect(await openFault()).toMatchObject({
        code: 'state-unreadable',
        hint: expect.stringContaining('chmod') as string,
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });
});
