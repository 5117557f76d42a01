import type { DatabaseSyncInstance } from '@photostructure/sqlite';

import { DiagnosticError } from '../../model/errors.ts';
import { makeFilePrivate, makeSandboxFolderPrivate } from '../store/data-folder.ts';
import { openDatabase } from '../store/sqlite.ts';
import { SandboxDataFileError } from '../store/storage-errors.ts';

/** Lock by which a single process serves a sandbox's data file over HTTP. */
export interface SandboxServingLock {
  release(): void;
}

/**
 * Claims a data file for one server: a second server would answer for the same account by other rules. Whoever only
 * opens the file may share it, because every request is one transaction. The operating system holds the claim, on
 * the file `*.lock` beside the data, so that it ends with the process however that ends. To be claimed before the data
 * is opened. Throws `SandboxDataFileError`.
 */
export function claimSandboxServingLock(dataFile: string, pid: number): SandboxServingLock {
  const file = `${makeSandboxFolderPrivate(dataFile)}.lock`;
  const database = openLockFile(file);
  try {
    database.exec('PRAGMA busy_timeout = 200');
    // The number of the holder is for whoever comes second; it can be read while the write lock below is held.
    database.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${pid}; COMMIT; BEGIN IMMEDIATE`);
  } catch (cause) {
    const { errcode } = cause as { errcode?: number };
    const holder = errcode === 5 ? readHolder(database) : undefined;
    database.close();
    if (holder === undefined)
      throw SandboxDataFileError.because(`The sandbox cannot lock ${file}`, cause);
    throw new SandboxDataFileError(`The data file ${dataFile} is in use by another process`, {
      detail: `The process ${holder} serves it already.`,
      hint: 'Stop that process, or give another directory with --data.',
      cause,
    });
  }
  return { release: () => database.close() };
}

function openLockFile(file: string) {
  try {
    makeFilePrivate(file);
    return openDatabase(file);
  } catch (cause) {
    if (cause instanceof DiagnosticError) throw cause;
    throw SandboxDataFileError.because(`The sandbox cannot lock ${file}`, cause);
  }
}

function readHolder(database: DatabaseSyncInstance): number {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}
