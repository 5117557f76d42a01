import { describe, expect, test } from 'vitest';
import { StateWriteError, createUnreadableFileError } from '../../../src/state/faults.ts';
import type { StateFileName } from '../../../src/state/files/files.ts';
import { openMemoryStateFiles } from '../../../src/state/memory-store.ts';
import { openStateStoreOnFiles } from '../../../src/state/store.ts';

const fail = (code: string) => Object.assign(new Error(`${code}: no`), { code });

describe('a write that failed', () => {
  test.each([
    ['ENOSPC', 'The disk is full'],
    ['EROFS', 'The file system is read-only'],
    ['EIO', 'The disk failed'],
    ['EWHAT', 'The system answered EWHAT'],
  ])('%s is explained', (code, words) => {
    const cause = fail(code);
    const error = new StateWriteError('dir/journal.jsonl', cause);
    expect(error).toMatchObject({ name: 'StateWriteError', code, cause });
    expect(error.diagnostics).toMatchObject([
      {
        code: 'state-write-failed',
        summary: 'The state cannot be written: dir/journal.jsonl',
        detail: `${words} (${code}: no). What was recorded before is safe.`,
      },
    ]);
  });

  test('without a code keeps its cause', () => {
    const error = new StateWriteError('j', 'odd');
    expect(error).toMatchObject({ code: 'EUNKNOWN', cause: 'odd' });
    expect(error.diagnostics[0]?.detail).toContain('(odd)');
  });
});

describe('a read that failed', () => {
  test.each([
    ['EACCES', 'chmod'],
    ['EPERM', 'chmod'],
    ['EIO', 'Fix the cause'],
  ])('%s says what to do', (code, words) => {
    const { diagnostics } = createUnreadableFileError('state.json', fail(code));
    expect(diagnostics[0]).toMatchObject({ code: 'state-unreadable' });
    expect(diagnostics[0]?.hint).toContain(words);
  });

  test('without a code keeps its words', () => {
    const { diagnostics } = createUnreadableFileError('state.json', new Error('odd'));
    expect(diagnostics[0]?.detail).toContain('(odd)');
  });

  test('a journal that is listed and never there stops the opening, too', async () => {
    const files = openMemoryStateFiles(new Map<StateFileName, string>([['journal.1.jsonl', '']]));
    const read = () => Promise.resolve(undefined);
    await expect(openStateStoreOnFiles({ ...files, read }, {})).rejects.toMatchObject({
      diagnostics: [{ summary: 'The state cannot be read: memory/journal.1.jsonl' }],
    });
  });

  test.each(['journal.1.jsonl', 'state.json', 'state.json.backup'] as const)(
    'of %s stops the opening',
    async (unreadable) => {
      const files = openMemoryStateFiles(new Map<StateFileName, string>([['journal.1.jsonl', '']]));
      const read = (name: StateFileName) =>
        name === unreadable
          ? Promise.reject(fail('EACCES'))
          : Promise.resolve(name === 'journal.1.jsonl' ? '' : undefined);
      await expect(openStateStoreOnFiles({ ...files, read }, {})).rejects.toMatchObject({
        diagnostics: [{ summary: `The state cannot be read: memory/${unreadable}` }],
      });
    },
  );
});
