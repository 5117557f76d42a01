import { join } from 'node:path';
import { fileNames } from '../files/files.ts';
import { holdLock } from './hold-lock.ts';
import { clearLock, lockFileName, readHolder, readServerTime, takeLock } from './lock-file.ts';
import type { LockMedium } from './lock-medium.ts';

/** The lock of a state that lies in a directory. */
export function openDirectoryLock(folder: string): LockMedium {
  return {
    place: join(folder, lockFileName),
    statePath: join(folder, fileNames.snapshot),
    read: () => readHolder(folder),
    take: (wanted, isGone) => takeLock(folder, wanted, isGone),
    hold: (holding) => holdLock({ ...holding, folder }),
    readTime: (id) => readServerTime(folder, id),
    isTimeWritten: true,
    clear: () => clearLock(folder),
  };
}
