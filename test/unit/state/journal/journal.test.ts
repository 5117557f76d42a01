import { describe, expect, test } from 'vitest';
import { StateWriteError } from '../../../../src/state/faults.ts';
import type { StateFileName } from '../../../../src/state/files/files.ts';
import {
  decodeJournal,
  encodeJournalBase,
  encodeJournalRecord,
} from '../../../../src/state/journal/journal-format.ts';
import { Journal, type JournalStart } from '../../../../src/state/journal/journal.ts';
import { openMemoryStateFiles, type MemoryDiskWrite } from '../../../../src/state/memory-store.ts';
import { buildIntent, wholeRun } from '../build-records.ts';

const base = { id: 'j-1', lineage: 'l-1', serial: 0, epoch: 3 };
const name = 'journal.3.jsonl';

/** A journal on memory files, each write of which waits until it is let through. */
function openGated(contents = new Map<StateFileName, string>(), start: Partial<JournalStart> = {}) {
  const writes: MemoryDiskWrite[] = [];
  const gates: { pass: () => void; fail: (error: Error) => void }[] = [];
  const files = openMemoryStateFiles(contents, (write) => {
    writes.push(write);
    return new Promise<void>((pass, fail) => gates.push({ pass, fail }));
  });
  const journal = new Journal(files, base, { carried: '', older: [], ...start });
  const read = () => decodeJournal(contents.get(name) ?? '', 'j');
  return { journal, writes, gates, read };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

const failWith = (code: string): Error => Object.assign(new Error(`${code}: no`), { code });

describe('appending', () => {
  test('records of one moment go out in one write', async () => {
    const { journal, writes, gates, read } = openGated();
    const appends = wholeRun.map((record) => journal.append(record));
    await settle();
    expect(writes).toMatchObject([{ kind: 'replace', name }]);
    gates[0]!.pass();
    await Promise.all(appends);
    expect(read().records).toEqual(wholeRun);
  });

  test('records that arrive during a write go out together in the next', async () => {
    const { journal, writes, gates, read } = openGated();
    const first = journal.append(buildIntent('a'));
    await settle();
    const isDone: string[] = [];
    const later = ['b', 'c', 'd'].map((local) =>
      journal.append(buildIntent(local)).then(() => isDone.push(local)),
    );
    await settle();
    expect(writes).toHaveLength(1);
    gates[0]!.pass();
    await first;
    await settle();
    expect(writes).toHaveLength(2);
    expect(isDone).toEqual([]);
    gates[1]!.pass();
    await Promise.all(later);
    expect(isDone).toEqual(['b', 'c', 'd']);
    expect(read().records).toEqual(['a', 'b', 'c', 'd'].map((local) => buildIntent(local)));
  });

  test.each(['ENOSPC', 'EROFS', 'EIO'])(
    '%s ends it: every call rejects the same way',
    async (code) => {
      const { journal, writes, gates } = openGated();
      const first = journal.append(buildIntent('a'));
      await settle();
      const second = journal.append(buildIntent('b'));
      const cause = failWith(code);
      gates[0]!.fail(cause);
      const error = await first.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StateWriteError);
      expect(error).toMatchObject({ code, cause, diagnostics: [{ code: 'state-write-failed' }] });
      await expect(second).rejects.toBe(error);
      await expect(journal.append(buildIntent('c'))).rejects.toBe(error);
      await expect(journal.rebase(() => undefined)).rejects.toBe(error);
      await journal.drain();
      expect(writes).toHaveLength(1);
    },
  );

  test('begins with what earlier epochs have left, in the write of its first record', async () => {
    const contents = new Map<StateFileName, string>([
      [
        'journal.2.jsonl',
        encodeJournalBase({ ...base, epoch: 2 }) + encodeJournalRecord(buildIntent('a')),
      ],
      ['journal.1.jsonl', 'older still'],
    ]);
    const carried = encodeJournalRecord(buildIntent('a'));
    const older = ['journal.2.jsonl', 'journal.1.jsonl'] as const;
    const { journal, writes, gates, read } = openGated(contents, { carried, older });
    const next = journal.append(buildIntent('b'));
    for (let gate = 0; gate < 3; gate += 1) {
      await settle();
      expect(contents.size).toBe(gate === 0 ? 2 : 4 - gate);
      gates[gate]!.pass();
    }
    await next;
    expect(writes.map((write) => [write.kind, write.name])).toEqual([
      ['replace', name],
      ['remove', 'journal.2.jsonl'],
      ['remove', 'journal.1.jsonl'],
    ]);
    expect(read()).toMatchObject({ base, records: [buildIntent('a'), buildIntent('b')] });
    const later = journal.append(buildIntent('c'));
    await settle();
    gates[3]!.pass();
    await later;
    expect(writes.at(-1)).toMatchObject({ kind: 'append', name });
  });
});

describe('starting anew on a later snapshot', () => {
  test('what arrives meanwhile goes to the new journal', async () => {
    const { journal, gates, read } = openGated();
    const first = journal.append(buildIntent('a'));
    let save: () => void = () => undefined;
    const saved = new Promise<void>((resolve) => (save = resolve));
    const next = { id: 'j-2', lineage: 'l-1', serial: 1, epoch: 3 };
    const rebased = journal.rebase(() => ({ save: () => saved, base: next }));
    await settle();
    gates[0]!.pass();
    await first;
    await settle();
    const second = journal.append(buildIntent('b'));
    save();
    await settle();
    gates[1]!.pass();
    await rebased;
    await settle();
    gates[2]!.pass();
    await second;
    expect(read()).toMatchObject({ base: next, records: [buildIntent('b')] });
  });

  test('records of the same tick are written before the snapshot is prepared to hold them', async () => {
    const { journal, gates, read } = openGated();
    const first = journal.append(buildIntent('a'));
    await settle();
    // `a` is being written; the snapshot waits, and takes `b` with it.
    const order: string[] = [];
    const rebased = journal.rebase(() => {
      order.push('prepared');
      const save = () => {
        order.push(`saved after ${read().records.length}`);
        return Promise.resolve();
      };
      return { save, base: { ...base, serial: 1 } };
    });
    const second = journal.append(buildIntent('b')).then(() => order.push('appended'));
    for (let gate = 0; gate < 3; gate += 1) {
      gates[gate]!.pass();
      await settle();
    }
    await Promise.all([first, rebased, second]);
    expect(order).toEqual(['prepared', 'saved after 2', 'appended']);
    expect(read().records).toEqual([]);
  });

  test('a snapshot that failed ends it', async () => {
    const { journal } = openGated();
    const cause = failWith('EIO');
    const rebased = journal.rebase(() => ({ save: () => Promise.reject(cause), base }));
    await expect(rebased).rejects.toMatchObject({ code: 'EIO', cause });
    await expect(journal.append(buildIntent('a'))).rejects.toMatchObject({ code: 'EIO' });
  });

  test('an empty journal is left alone', async () => {
    const { journal, writes } = openGated();
    await journal.rebase(() => undefined);
    expect(writes).toEqual([]);
  });
});
