import { resolve, join } from 'node:path';
import { openDiskStateFiles, stateDirectoryName, stateFileNames } from '../files/files.ts';
import type { StateBackend } from './backend.ts';
import { holdDirectoryLock } from '../lock/hold-lock.ts';
import {
  clearDirectoryLock,
  stateLockFileName,
  readLockFileHolder,
  readFileServerTime,
  takeDirectoryLock,
} from '../lock/lock-file.ts';
import type { LockMedium } from '../lock/lock-medium.ts';

/** Opens the state in a directory on this computer. Nothing is created before the first write. */
export function openLocalBackend(
  directory: string,
  path: string = stateDirectoryName,
): StateBackend {
  const folder = resolve(directory, path);
  return {
    kind: 'local',
    place: folder,
    // No path in it: directories move, and are mounted at other paths.
    address: 'local',
    capabilities: { epoch: true, expiry: true, history: true, compareAndSwap: true },
    lock: openDirectoryLock(folder),
    openFiles: (fence) => openDiskStateFiles(folder, fence),
    close: () => Promise.resolve(),
  };
}

/** Opens the lock of a state that lies in a directory. */
function openDirectoryLock(folder: string): LockMedium {
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
