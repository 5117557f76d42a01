import { join } from 'node:path';
import { fileNames } from '../files/files.ts';
import { holdLock } from './hold-lock.ts';
import {
  clearLock,
  stateLockFileName,
  readLockFileHolder,
  readServerTime,
  takeLock,
} from './lock-file.ts';
import type { LockMedium } from './lock-medium.ts';

/** Opens the lock of a state that lies in a directory. */
export function openDirectoryLock(folder: string): LockMedium {
  return {
    place: join(folder, stateLockFileName),
    statePath: join(folder, fileNames.snapshot),
    read: () => readLockFileHolder(folder),
    take: (wanted, isGone) => takeLock(folder, wanted, isGone),
    hold: (holding) => holdLock({ ...holding, folder }),
    readTime: (id) => readServerTime(folder, id),
    isTimeWritten: true,
    clear: () => clearLock(folder),
  };
}
