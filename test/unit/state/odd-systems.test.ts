// File systems that lack hard links or cannot sync a directory, and systems without /proc.
import * as fs from 'node:fs';
import * as promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ObservedLock, LockInfo } from '../../../src/state/lock/lock-info.ts';

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof promises>();
  return { ...original, link: vi.fn(original.link), open: vi.fn(original.open) };
});
vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof fs>();
  return { ...original, readFileSync: vi.fn(original.readFileSync) };
});

// Other tests of this process have loaded these with the real modules: they are loaded anew with the mocked ones.
vi.resetModules();
const { replaceFile } = await import('../../../src/state/files/replace-file.ts');
const { readLockFileHolder, takeDirectoryLock: takeLock } =
  await import('../../../src/state/lock/lock-file.ts');
const { isProcessGone, identifyProcess: markProcess } =
  await import('../../../src/state/lock/lock-holder.ts');

let folder: string;
beforeEach(async () => {
  folder = await promises.mkdtemp(join(tmpdir(), 'hostwright-odd-'));
});
afterEach(async () => {
  vi.resetAllMocks();
  await promises.rm(folder, { recursive: true });
});

const fail = (code: string) => Object.assign(new Error(code), { code });
const info: LockInfo = {
  ID: 'me',
  Operation: 'apply',
  Info: '',
  Who: 'me@here',
  Version: '0.1.0',
  Created: '',
  Path: '',
  Pid: 1,
  Host: 'here',
};

describe('without hard links', () => {
  const failAfter = (action: () => Promise<unknown>, code: string) =>
    vi.mocked(promises.link).mockImplementationOnce(async () => {
      await action();
      throw fail(code);
    });
  const doNothing = () => Promise.resolve();

  test.each(['EPERM', 'ENOTSUP', 'ENOSYS'])('(%s) the lock is taken all the same', async (code) => {
    failAfter(doNothing, code);
    expect(await takeLock(folder, info, () => false)).toMatchObject({ kind: 'taken' });
    expect((await readLockFileHolder(folder))?.info).toEqual({ ...info, Epoch: 1 });
  });

  test('another may be faster', async () => {
    const other = JSON.stringify({ ...info, ID: 'other' });
    failAfter(() => promises.writeFile(join(folder, 'lock.json'), other), 'EPERM');
    const outcome = await takeLock(folder, info, () => false);
    expect(outcome).toMatchObject({ kind: 'held', by: { info: { ID: 'other' } } });
  });

  test('a folder that vanishes is told', async () => {
    failAfter(() => promises.mkdir(join(folder, 'lock.json', 'x'), { recursive: true }), 'EPERM');
    await expect(takeLock(folder, info, () => false)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  test('any other failure is told', async () => {
    failAfter(doNothing, 'EIO');
    await expect(takeLock(folder, info, () => false)).rejects.toMatchObject({ code: 'EIO' });
  });
});

describe('a file server whose answer is lost', () => {
  /** The link is made, and the client asks again: by then its name is taken. */
  const linkTwice = async () => {
    const { link } = await vi.importActual<typeof promises>('node:fs/promises');
    vi.mocked(promises.link).mockImplementationOnce(async (from, to) => {
      await link(from, to);
      throw fail('EEXIST');
    });
  };

  test('the lock that it says is taken is ours', async () => {
    await linkTwice();
    expect(await takeLock(folder, info, () => false)).toMatchObject({ kind: 'taken' });
    expect((await readLockFileHolder(folder))?.info.ID).toBe('me');
    expect(await promises.readdir(folder)).toEqual(['lock.json']);
  });

  test('and so is the one that is taken over', async () => {
    await promises.writeFile(join(folder, 'lock.json'), JSON.stringify({ ...info, ID: 'dead' }));
    await linkTwice();
    const isGone = (holder: ObservedLock) => holder.info.ID === 'dead';
    expect(await takeLock(folder, info, isGone)).toMatchObject({
      kind: 'taken',
      from: { info: { ID: 'dead' } },
    });
    expect(await promises.readdir(folder)).toEqual(['lock.json']);
  });
});

describe('a directory that cannot be synced', () => {
  const path = () => join(folder, 'state.json');
  const failSecondOpen = async (code: string) => {
    const { open } = await vi.importActual<typeof promises>('node:fs/promises');
    vi.mocked(promises.open)
      .mockImplementationOnce(open)
      .mockImplementationOnce(() => Promise.reject(fail(code)));
  };

  test.each(['EINVAL', 'EISDIR', 'EPERM', 'ENOTSUP'])('(%s) is done without', async (code) => {
    await failSecondOpen(code);
    await replaceFile(path(), 'text');
    expect(await promises.readFile(path(), 'utf8')).toBe('text');
  });

  test('fails otherwise', async () => {
    await failSecondOpen('EIO');
    await expect(replaceFile(path(), 'text')).rejects.toMatchObject({ code: 'EIO' });
  });
});

test('without /proc the pid alone counts', () => {
  vi.mocked(fs.readFileSync).mockImplementation(() => {
    throw fail('ENOENT');
  });
  const mark = markProcess(process.pid, 'here');
  expect(mark).toEqual({ Pid: process.pid, Host: 'here' });
  expect(isProcessGone(mark, 'here')).toBe(false);
  expect(isProcessGone({ ...mark, Pid: 2 ** 22 + 1 }, 'here')).toBe(true);
});
