import { resolve } from 'node:path';
import { openDiskStateFiles, stateDirectoryName } from '../files/files.ts';
import { openDirectoryLock } from '../lock/directory-lock.ts';
import type { StateBackend } from './backend.ts';

/** Opens the state in a folder of the configuration's directory. Nothing is made before the first write. */
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
