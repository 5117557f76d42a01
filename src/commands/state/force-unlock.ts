import { resolve } from 'node:path';
import type { Runtime } from '../../model/runtime.ts';
import type { LockInfo } from '../../state/lock/lock-info.ts';
import { forceUnlock } from '../../state/lock/lock.ts';
import { openBackend } from '../session/open-backend.ts';

/** Removes the lock of the state with this id. @throws DiagnosticError when it is not held, or by another id */
export async function unlock(runtime: Runtime, directory: string, id: string): Promise<LockInfo> {
  const { backend } = await openBackend(runtime, resolve(runtime.cwd, directory));
  try {
    return await forceUnlock(backend.lock, id);
  } finally {
    await backend.close();
  }
}
