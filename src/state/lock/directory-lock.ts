import { join } from 'node:path';
import { stateFileNames } from '../files/files.ts';
import { holdDirectoryLock } from './hold-lock.ts';
import {
  clearDirectoryLock,
  stateLockFileName,
  readLockFileHolder,
  readFileServerTime,
  takeDirectoryLock,
} from './lock-file.ts';
import type { LockMedium } from './lock-medium.ts';

/** Opens the lock of a state that lies in a directory. */
export function openDirectoryLock(folder: string): LockMedium {
  return {
    place: join(folder, stateLockFileName),
    statePath: join(folder, stateFileNames.snapshot),
    read: () => readLockFileHolder(folder),
    take: (wanted, isGone) => takeDirectoryLock(folder, wanted, isGone),
    hold: (holding) => holdDirectoryLock({ ...holding, folder }),
    readTime: (id) => readFileServerTime(folder, id),
    isTimeWritten: true,
    clear: () => clearDirectoryLock(folder),
  };
}
