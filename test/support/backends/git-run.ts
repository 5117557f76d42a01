// A run that holds the lock of a state on a git branch.
import { acquireLock, type StateLock, type LockOptions } from '../../../src/state/lock/lock.ts';
import {
  nameJournalFile,
  type StateFileName,
  type StateFiles,
} from '../../../src/state/files/files.ts';
import type { StateBackend } from '../../../src/state/backends/backend.ts';
import { openQuickClock } from './quick-clock.ts';

/** A run, its files, and the name of its journal. */
export interface GitRun {
  readonly backend: StateBackend;
  readonly lock: StateLock;
  readonly files: StateFiles;
  readonly journal: StateFileName;
}

/** Takes the lock as a process of another machine; a holder is waited for until it was silent for its lease. */
export async function startRun(
  backend: StateBackend,
  host = 'machine-1',
  options: Partial<LockOptions> = {},
): Promise<GitRun> {
  const process_ = { pid: process.pid, host, user: 'user' };
  const lock = await acquireLock(
    backend.lock,
    { operation: 'apply', version: '0', process: process_, leaseMs: 2_000 },
    {
      clock: openQuickClock(),
      timeoutMs: 60_000,
      time: { repeat: () => () => undefined },
      ...options,
    },
  );
  const files = backend.openFiles(lock.fence);
  return { backend, lock, files, journal: nameJournalFile(lock.fence.epoch) };
}

/** All texts as somebody else reads them. */
export async function readTexts(
  backend: StateBackend,
): Promise<Record<string, string | undefined>> {
  const files = backend.openFiles();
  const texts: Record<string, string | undefined> = {};
  for (const name of await files.list()) texts[name] = await files.read(name);
  return texts;
}
