// A journal of which one line was damaged: nothing is read over it, and a person can go on without that line, whatever keeps the
// state, encrypted or not. As tests, for each backend.
import { expect, test } from 'vitest';
import type { DiagnosticError } from '../../../../src/model/errors.ts';
import type { StateBackend } from '../../../../src/state/backends/backend.ts';
import { EncryptionKeyring } from '../../../../src/state/encryption/keyring.ts';
import { encryptStateBackend } from '../../../../src/state/encryption/sealed-files.ts';
import { sortJournalNames } from '../../../../src/state/files/files.ts';
import { examineJournalLines } from '../../../../src/state/journal/journal-format.ts';
import { readJournalLines } from '../../../../src/state/journal/load.ts';
import { createEmptyState, replayJournalRecords } from '../../../../src/state/journal/replay.ts';
import { acquireLock, type StateLock } from '../../../../src/state/lock/lock.ts';
import { openStateStore } from '../../../../src/state/store.ts';
import { openQuickClock } from '../../../support/backends/quick-clock.ts';
import { countIds, toPlain, wholeRun } from '../../../unit/state/build-records.ts';
import { drawSome } from '../../../support/budget/budget.ts';

const request = {
  operation: 'apply',
  version: '0',
  process: { pid: process.pid, host: 'here', user: 'me' },
};

/** Does something under the lock, as a run does. */
async function underLock<T>(
  backend: StateBackend,
  work: (lock: StateLock) => Promise<T>,
): Promise<T> {
  const lock = await acquireLock(backend.lock, request, { clock: openQuickClock() });
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

/** A run that ends before it has a snapshot. */
const leaveJournal = (backend: StateBackend) =>
  underLock(backend, async ({ fence }) => {
    const store = await openStateStore(backend, { fence, createId: countIds() });
    for (const record of wholeRun) await store.record(record);
    await store.close();
  });

/** Another program writes into one line. */
const damage = (backend: StateBackend, line: number) =>
  underLock(backend, async ({ fence }) => {
    const files = backend.openFiles(fence);
    const [journal] = sortJournalNames(await files.list());
    const lines = (await files.read(journal!))!.split('\n');
    lines[line - 1] = lines[line - 1]!.replace(/(?<=^.{40})./, (was) => (was === 'x' ? 'y' : 'x'));
    await files.replace(journal!, lines.join('\n'));
    await files.close();
  });

const openFault = (backend: StateBackend) =>
  openStateStore(backend, { isReadOnly: true }).then(
    () => 'opened',
    (error: unknown) => (error as DiagnosticError).diagnostics[0]?.code,
  );

// Making a key takes a third of a second.
const keyring = new EncryptionKeyring({
  current: () => Promise.resolve('correct horse battery'),
  previous: () => undefined,
});

/** Declares the courses for one backend; `open` opens a place of its own for each. */
export function describeDamagedJournal(name: string, open: () => Promise<StateBackend>): void {
  const last = wholeRun.length;
  const cases = [
    [1, false],
    [2, false],
    [5, false],
    [last, false],
    [5, true],
    [last, true],
  ] as const;
  const purpose = `damaged journals of ${name}`;
  test.each(drawSome(cases, 2, purpose))(
    'line %i of the journal, encrypted: %s',
    async (line, isSealed) => {
      const raw = await open();
      const backend = isSealed ? encryptStateBackend(raw, { keyring }) : raw;
      await leaveJournal(backend);
      await damage(raw, line);
      expect(await openFault(backend)).toBe(isSealed ? 'state-tampered' : 'journal-corrupt');
      const files = backend.openFiles();
      const [journal] = sortJournalNames(await files.list());
      const examined = examineJournalLines(await readJournalLines(files, journal!));
      await files.close();
      expect(examined.map(({ kind }) => kind).indexOf('damaged')).toBe(line - 1);
      expect(examined.filter(({ kind }) => kind === 'damaged')).toHaveLength(1);
      await underLock(backend, async ({ fence }) => {
        const store = await openStateStore(backend, {
          ...{ fence, createId: countIds(), leftOut: new Set([line]) },
        });
        await store.compact();
        await store.close();
      });
      const { state } = await openStateStore(backend, { isReadOnly: true, createId: countIds() });
      // The first line is none of a record.
      const rest = wholeRun.filter((_, index) => index !== line - 2);
      const expected = replayJournalRecords(createEmptyState(state.lineage), rest);
      expect(toPlain(state)).toEqual(toPlain({ ...expected, serial: 1 }));
    },
  );

  test('an encrypted journal without its first line tells nothing, and can be given up', async () => {
    const raw = await open();
    const backend = encryptStateBackend(raw, { keyring });
    await leaveJournal(backend);
    await damage(raw, 1);
    const files = backend.openFiles();
    const [journal] = sortJournalNames(await files.list());
    const lines = await readJournalLines(files, journal!);
    expect(lines).toEqual(Array.from({ length: last + 1 }, () => undefined));
    await underLock(backend, async ({ fence }) => {
      const leftOut = new Set(lines.map((_, index) => index + 1));
      const store = await openStateStore(backend, { fence, createId: countIds(), leftOut });
      await store.compact();
      await store.close();
    });
    const { state } = await openStateStore(backend, { isReadOnly: true });
    expect(state.resources.size).toBe(0);
  });
}
