import { join } from 'node:path';
import { openDiskFiles, stateDirectoryName } from '../files/files.ts';
import { openDirectoryLock } from '../lock/directory-lock.ts';
import type { StateBackend } from './backend.ts';

/** The state in `<directory>/.hostwright`. Nothing is made before the first write. */
export function openLocalBackend(directory: string): StateBackend {
  const folder = join(directory, stateDirectoryName);
  return {
    kind: 'local',
    place: folder,
    address: `local:${folder}`,
    capabilities: { epoch: true, expiry: true, history: true, compareAndSwap: true },
    lock: openDirectoryLock(folder),
    openFiles: (fence) => openDiskFiles(directory, fence),
    close: () => Promise.resolve(),
  };
}
