// The lock on disk. Taking it and saying who took it is one step, and a lock left behind by a dead process passes to
// exactly one of those who want it.
//
// `lock.json` names the first holder; `lock.<ID>.json` names who took over from the dead holder <ID>, and so on: the
// last of that chain holds the lock. Every link is made by link(2), which fails where the name exists, so a holder has
// one successor. The winner then puts itself into lock.json and clears the rest. A process that was asleep meanwhile
// makes a link which nothing leads to any more; it finds that out by walking the chain again.
import { link, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './faults.ts';
import { makeDirectory } from './files.ts';
import type { ProcessMark } from './lock-holder.ts';
import { replaceFile } from './replace-file.ts';

/** Who holds a lock, and for what: Terraform's keys, and what tells whether the process still runs. */
export interface LockInfo extends ProcessMark {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  /** `user@host`. */
  readonly Who: string;
  readonly Version: string;
  /** RFC 3339. */
  readonly Created: string;
  readonly Path: string;
}

/** A lock as it stands on disk. */
export interface HeldLock {
  readonly info: LockInfo;
  /** When its holder last gave a sign of life; milliseconds since the Unix epoch. */
  readonly heartbeatAt: number;
}

/** How an attempt ended: taken, perhaps from a dead holder, or held by someone else. */
export type Taking =
  | { readonly kind: 'taken'; readonly from: HeldLock | undefined }
  | { readonly kind: 'held'; readonly by: HeldLock };

/** The name of the lock's file. */
export const lockFileName = 'lock.json';

/** Who holds the lock in `folder`; undefined when nobody does. */
export async function readHolder(folder: string): Promise<HeldLock | undefined> {
  let holder: HeldLock | undefined;
  let next = await readLink(join(folder, lockFileName));
  while (next) {
    holder = next;
    next = await readLink(successorPath(folder, next.info.ID));
  }
  return holder;
}

/** Takes the lock in `folder` for `info` unless a holder has it that is not gone. Rejects with the system's errors. */
export async function takeLock(
  folder: string,
  info: LockInfo,
  isGone: (holder: HeldLock) => boolean,
): Promise<Taking> {
  await makeDirectory(folder);
  for (;;) {
    const holder = await readHolder(folder);
    if (holder && !isGone(holder)) return { kind: 'held', by: holder };
    const path = holder ? successorPath(folder, holder.info.ID) : join(folder, lockFileName);
    // Somebody was faster: look again.
    if (!(await createLink(folder, path, info))) continue;
    if (!holder) return { kind: 'taken', from: undefined };
    if ((await readHolder(folder))?.info.ID === info.ID) {
      await replaceFile(join(folder, lockFileName), encodeInfo(info));
      await clearLinks(folder);
      return { kind: 'taken', from: holder };
    }
    await rm(path, { force: true });
  }
}

/** Removes the lock, whoever holds it. */
export async function clearLock(folder: string): Promise<void> {
  await rm(join(folder, lockFileName), { force: true });
  await clearLinks(folder);
}

/** Takes the text of a lock file apart; undefined when it is none. */
export function decodeInfo(text: string): LockInfo | undefined {
  try {
    const info = JSON.parse(text) as Partial<LockInfo> | null;
    // The ID becomes part of a file name.
    return typeof info?.ID === 'string' && /^[\w-]+$/.test(info.ID)
      ? (info as LockInfo)
      : undefined;
  } catch {
    return undefined;
  }
}

function encodeInfo(info: LockInfo): string {
  return `${JSON.stringify(info, null, 2)}\n`;
}

function successorPath(folder: string, id: string): string {
  return join(folder, `lock.${id}.json`);
}

async function readLink(path: string): Promise<HeldLock | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    const { mtimeMs } = await stat(path);
    return { info: decodeInfo(text) ?? createUnknownInfo(path, mtimeMs), heartbeatAt: mtimeMs };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A lock file that says nothing: still a lock, and one that `force-unlock unknown` opens. */
function createUnknownInfo(path: string, heartbeatAt: number): LockInfo {
  const Created = new Date(heartbeatAt).toISOString();
  const nobody = { Who: 'unknown', Host: 'unknown', Pid: 0, Operation: 'unknown', Info: '' };
  return { ID: 'unknown', ...nobody, Version: 'unknown', Created, Path: path };
}

/** Makes a link of the chain, its text in it from the first moment; false when there is one by that name. */
async function createLink(folder: string, path: string, info: LockInfo): Promise<boolean> {
  const temporary = join(folder, `lock.${info.ID}.tmp`);
  await writeFile(temporary, encodeInfo(info), { mode: 0o600 });
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    // ENOENT: a winner cleared the temporary file away with the rest.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
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
    await writeFile(path, encodeInfo(info), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function clearLinks(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (/^lock\..+\.(json|tmp)$/.test(name)) await rm(join(folder, name), { force: true });
  }
}
