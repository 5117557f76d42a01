import { resolve } from 'node:path';
import type { Runtime } from '../../model/runtime.ts';
import type { LockInfo } from '../../state/lock/lock-file.ts';
import { forceUnlock } from '../../state/lock/lock.ts';

/** Removes the lock of the state with this id. @throws DiagnosticError when it is not held, or by another id */
export function unlock(runtime: Runtime, directory: string, id: string): Promise<LockInfo> {
  return forceUnlock(resolve(runtime.cwd, directory), id);
}
