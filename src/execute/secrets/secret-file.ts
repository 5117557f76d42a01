import { lstat, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { DiagnosticError } from '../../model/errors.ts';
import { makeDirectories } from '../../state/files/make-directories.ts';
import { nameTemporaryFile, removeTemporaryFiles } from '../../state/files/replace-file.ts';
import {
  findOutputFilePlaceFault,
  type OutputFilePlaceFault,
  type OutputFilePlace,
} from '../../state/files/written-file.ts';

/** A file that holds one secret and that only its owner can read. */
export interface SecretFile {
  readonly path: string;
  /** Writes the secret and a line end, and flushes them to the disk. */
  keep(secret: string): Promise<void>;
  /** Removes what was prepared, so that files are as they were before. */
  abandon(): Promise<void>;
}

/** Destination file of a secret. */
export interface SecretFileDestination extends Pick<OutputFilePlace, 'root'> {
  /** Path of the secret file as the configuration has it, for messages. */
  readonly path: string;
  /** Absolute path of the directory that the path is relative to. */
  readonly cwd: string;
  /** True for a file that is there, and may be replaced whole; absent: what is there is left alone. */
  readonly isOurs?: OutputFilePlace['isOurs'];
}

const ownerOnly = 0o600;

/** Removes what a killed run left behind beside a file: it holds nothing that anybody may still use. */
export async function removeSecretFileRemains(cwd: string, path: string): Promise<void> {
  const target = resolve(cwd, path);
  const isMeant = (name: string) => name === basename(target);
  await removeTemporaryFiles(dirname(target), isMeant).catch(() => undefined);
}

/**
 * Claims a file before there is anything to put into it, so that nothing can come in between. An existing one is left
 * as it is until `keep`, and then replaced whole: its wider mode does not live on. Directories below a root are made.
 * @throws DiagnosticError when it may not be written there, or cannot be made
 */
export async function claimSecretFile(place: SecretFileDestination): Promise<SecretFile> {
  const { path, cwd, root, isOurs } = place;
  const target = resolve(cwd, path);
  const whole = { ...(root !== undefined && { root }), isOurs: isOurs ?? (() => false) };
  const examine = () => findOutputFilePlaceFault({ path: target, ...whole });
  const refuseFaults = async () => {
    const fault = await examine();
    if (fault) throw createFault(place, fault);
  };
  await refuseFaults();
  if (root !== undefined) {
    try {
      makeDirectories(dirname(target), 0o700);
    } catch {
      // An error of this kind is reported when the file is opened.
    }
    await refuseFaults();
  }
  const written = isOurs ? nameTemporaryFile(target) : target;
  if (isOurs) await removeSecretFileRemains(cwd, path);
  const file = await open(written, 'wx', ownerOnly).catch((cause: unknown) => {
    throw createFault(place, explainOpen(cause), cause);
  });
  const remove = async () => {
    await file.close().catch(() => undefined);
    await unlink(written).catch(() => undefined);
  };
  return {
    path,
    async keep(secret) {
      try {
        await file.writeFile(`${secret}\n`);
        // A umask only takes away; a file system without modes has none to give.
        await file.chmod(ownerOnly);
        await file.sync();
        await file.close();
        if (written !== target) {
          const fault = await examine();
          if (fault) throw new Error(fault.why.replace(/\.$/, ''));
          await rename(written, target);
        }
      } catch (error) {
        await remove();
        throw error;
      }
    },
    abandon: remove,
  };
}

/** Tells whether nobody but its owner may read a file, as is so for those that hold secrets of Hostwright. */
export async function isOwnerOnly(path: string): Promise<boolean> {
  return ((await lstat(path)).mode & 0o077) === 0;
}

function explainOpen(cause: unknown): OutputFilePlaceFault {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'EEXIST') return { code: 'file-exists', why: '', hint: '' };
  return {
    code: 'file-not-writable',
    why: `${cause instanceof Error ? cause.message : code}.`,
    hint: 'Name a file in a directory that you may write to.',
  };
}

/** For a path of the command line, what is there is another's file that a flag may replace. */
function createFault(
  { path, root }: SecretFileDestination,
  { code, why, hint }: OutputFilePlaceFault,
  cause?: unknown,
): DiagnosticError {
  const isThere = code === 'file-exists';
  const isGiven = root === undefined;
  return new DiagnosticError(
    [
      {
        severity: 'error',
        code,
        summary: isThere ? `${path} exists already` : `${path} cannot be written`,
        detail: isThere
          ? 'Hostwright does not overwrite a file with a secret unless asked. No token was created.'
          : `${why} No token was created.`,
        hint:
          isThere && isGiven
            ? 'Name another file with --out, or replace this one with --force.'
            : hint,
      },
    ],
    { cause },
  );
}
