// The lock on disk. Taking it and naming the holder is one step, and a lock left behind by a dead process passes to exactly
// one of the runs that want it.
//
// `lock.json` names the first holder; `lock.<ID>.json` names the one who took over from the holder <ID>, and so on: the last
// of that chain holds the lock. Every link is made by link(2), which fails where the name exists, so a holder has one
// successor. The winner then puts itself into lock.json and clears the rest. A process that was asleep meanwhile makes a link
// which nothing leads to any more; it finds that out by walking the chain again.
//
// A run that has taken the lock then removes the temporary files of other writers, and only after that reads the state: a
// writer that was asleep finds its temporary file gone, or is found out by its next look at the lock.
import { link, open, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readErrorCode } from '../../model/errors.ts';
import {
  epochUpperBound,
  parseJournalEpoch,
  stateFileNames,
  makeStateDirectory,
} from '../files/files.ts';
import {
  decodeLockInfo,
  encodeLockInfo,
  type ObservedLock,
  type LockInfo,
  type LockAttempt,
} from './lock-info.ts';
import { IrregularFileError, openRegularFile, readRegularFileHead } from '../files/regular-file.ts';
import { replaceFile, removeTemporaryFiles } from '../files/replace-file.ts';
import { readSnapshotHeadEpoch, snapshotHeadBytes } from '../snapshot/snapshot.ts';

/** Name of the lock's file in the state's directory. */
export const stateLockFileName = 'lock.json';

/**
 * Reads the holder of the lock in `folder`; undefined when nobody holds it. Rejects with an IrregularFileError for a
 * chain without an end.
 */
export async function readLockFileHolder(folder: string): Promise<ObservedLock | undefined> {
  const ids = new Set<string>();
  let holder: ObservedLock | undefined;
  let path = join(folder, stateLockFileName);
  for (let next = await readLink(path); next; next = await readLink(path)) {
    if (ids.has(next.info.ID)) throw new IrregularFileError(path, 'a link that leads in a circle');
    ids.add(next.info.ID);
    holder = next;
    path = nameSuccessorLinkPath(folder, next.info.ID);
  }
  return holder;
}

/**
 * Takes the lock in `folder` unless its holder may still be alive. Its epoch is higher than all before. Rejects with the
 * system's errors.
 */
export async function takeDirectoryLock(
  folder: string,
  wanted: LockInfo,
  isGone: (holder: ObservedLock) => boolean,
): Promise<LockAttempt> {
  await makeStateDirectory(folder);
  for (;;) {
    const holder = await readLockFileHolder(folder);
    if (holder && !isGone(holder)) return { kind: 'held', by: holder };
    const Epoch = 1 + Math.max(await readEpoch(folder), holder?.info.Epoch ?? 0);
    if (Epoch >= epochUpperBound)
      throw new Error(`The files there have come to the last epoch, ${Epoch}.`);
    const info = { ...wanted, Epoch };
    const path = holder
      ? nameSuccessorLinkPath(folder, holder.info.ID)
      : join(folder, stateLockFileName);
    // Another run has created the lock first, so the holder is looked at again.
    if (!(await createLink(folder, path, info))) continue;
    if (holder && !(await takeFirstPlace(folder, info))) {
      await rm(path, { force: true });
      continue;
    }
    await removeTemporaryFiles(folder, isStateFile);
    if ((await readEpoch(folder)) < Epoch) return { kind: 'taken', info, from: holder };
    // Other runs have had the lock since it was looked at, so this one is given up.
    await rm(join(folder, stateLockFileName), { force: true });
  }
}

/** Removes the lock, whoever holds it. */
export async function clearDirectoryLock(folder: string): Promise<void> {
  await rm(join(folder, stateLockFileName), { force: true });
  await clearLinks(folder, undefined);
}

/** Makes the path of the link that names the successor of the holder with this ID. */
export function nameSuccessorLinkPath(folder: string, id: string): string {
  return join(folder, `lock.${id}.json`);
}

/** Reads the time of the file server from the change time of a file that is written now. */
export async function readFileServerTime(folder: string, id: string): Promise<number> {
  const path = join(folder, `lock.${id}.tmp`);
  const handle = await open(path, 'w', 0o600);
  try {
    await handle.writeFile('now');
    await handle.datasync();
    return (await handle.stat()).mtimeMs;
  } finally {
    await handle.close();
    await rm(path, { force: true });
  }
}

/** Puts the winner of a chain into the first place. False when another run has taken over from it meanwhile. */
async function takeFirstPlace(folder: string, info: LockInfo): Promise<boolean> {
  const isLast = async () => (await readLockFileHolder(folder))?.info.ID === info.ID;
  if (!(await isLast())) return false;
  try {
    await replaceFile(join(folder, stateLockFileName), encodeLockInfo(info), async () => {
      if (!(await isLast())) throw new Overtaken();
    });
  } catch (error) {
    // ENOENT means that the run which took over has removed the temporary file.
    if (error instanceof Overtaken || readErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
  await clearLinks(folder, info.ID);
  return true;
}

class Overtaken extends Error {}

/** The highest epoch in the files of the state: of its snapshot, or of a journal. */
async function readEpoch(folder: string): Promise<number> {
  const epochs = (await readdir(folder)).flatMap((name) => parseJournalEpoch(name) ?? []);
  return Math.max(0, await readSnapshotEpoch(join(folder, stateFileNames.snapshot)), ...epochs);
}

async function readSnapshotEpoch(path: string): Promise<number> {
  try {
    return readSnapshotHeadEpoch(await readRegularFileHead(path, snapshotHeadBytes));
  } catch {
    // A damaged snapshot is reported when the state is read.
    return 0;
  }
}

/** Tells whether a file is one that the holder of the lock replaces in one step. */
function isStateFile(name: string): boolean {
  return (
    name === stateLockFileName ||
    name === stateFileNames.snapshot ||
    name === stateFileNames.backup ||
    parseJournalEpoch(name) !== undefined
  );
}

async function readLink(path: string): Promise<ObservedLock | undefined> {
  let handle;
  try {
    // Text and time are read by one handle, so that both are of the same file, whatever replaces it meanwhile.
    handle = await openRegularFile(path);
    const text = await handle.readFile('utf8');
    const { mtimeNs, ino } = await handle.stat({ bigint: true });
    const heartbeatAt = Number(mtimeNs / 1_000_000n);
    const info = decodeLockInfo(text) ?? createUnknownLockInfo(path, heartbeatAt);
    return { info, heartbeatAt, beat: `${info.ID} ${ino} ${mtimeNs}` };
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  } finally {
    await handle?.close();
  }
}

/** Creates the info of a lock whose text cannot be decoded: it still counts as a lock, which `force-unlock unknown` removes. */
export function createUnknownLockInfo(path: string, heartbeatAt: number): LockInfo {
  const Created = new Date(heartbeatAt).toISOString();
  const nobody = { Who: 'unknown', Host: 'unknown', Realm: 'unknown', Pid: 0 };
  const nothing = { Operation: 'unknown', Info: '', Version: 'unknown' };
  return { ID: 'unknown', ...nobody, ...nothing, Created, Path: path };
}

/** Makes a link of the chain, its text in it from the first moment; false when there is one by that name. */
async function createLink(folder: string, path: string, info: LockInfo): Promise<boolean> {
  const temporary = join(folder, `lock.${info.ID}.tmp`);
  await writeFile(temporary, encodeLockInfo(info), { mode: 0o600 });
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    const code = readErrorCode(error);
    // A file server that got the request twice, since its first answer was lost, finds the name taken by the first one.
    if (code === 'EEXIST') return (await readLink(path))?.info.ID === info.ID;
    // The run that won has removed the temporary file along with the rest.
    if (code === 'ENOENT') return false;
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS')
      return await createPlain(path, info);
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** For file systems without hard links: exclusive too, though the text comes a moment after the name. */
async function createPlain(path: string, info: LockInfo): Promise<boolean> {
  try {
    await writeFile(path, encodeLockInfo(info), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes links that nothing leads to any more, except for the link to the successor of `ownId`: that one counts. */
async function clearLinks(folder: string, ownId: string | undefined): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, id] = /^lock\.(.+)\.(?:json|tmp)$/.exec(name) ?? [];
    if (id !== undefined && id !== ownId) await rm(join(folder, name), { force: true });
  }
}
