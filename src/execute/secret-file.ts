import { open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { DiagnosticError } from '../model/errors.ts';
import type { Runtime } from '../model/runtime.ts';
import { nameBeside, sweepBeside } from '../state/replace-file.ts';

/** A file that is ours to put one secret into, readable by nobody else. */
export interface SecretFile {
  readonly path: string;
  /** Writes the secret with a line end, onto the disk. */
  keep(secret: string): Promise<void>;
  /** Leaves things as they were before. */
  abandon(): Promise<void>;
}

const ownerOnly = 0o600;

/** Removes what a killed run left behind beside a file: it holds nothing that anybody may still use. */
export async function removeRemains(cwd: string, path: string): Promise<void> {
  const target = resolve(cwd, path);
  const isMeant = (name: string) => name === basename(target);
  await sweepBeside(dirname(target), isMeant).catch(() => undefined);
}

/**
 * Claims a file before there is anything to put into it, so that nothing can come in between. An existing one is left
 * as it is until `keep`, and then replaced whole: its wider mode, or what it links to, does not live on.
 * @throws DiagnosticError when it is there and may not be overwritten, or cannot be made
 */
export async function claimSecretFile(
  { cwd }: Pick<Runtime, 'cwd'>,
  path: string,
  overwrites: boolean,
): Promise<SecretFile> {
  const target = resolve(cwd, path);
  const written = overwrites ? nameBeside(target) : target;
  if (overwrites) {
    await removeRemains(cwd, path);
    const found = await stat(target).catch(() => undefined);
    if (found?.isDirectory()) throw createFault(path, new Error('It is a directory'));
  }
  const file = await open(written, 'wx', ownerOnly).catch((cause: unknown) => {
    throw createFault(path, cause);
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
        if (written !== target) await rename(written, target);
      } catch (error) {
        await remove();
        throw error;
      }
    },
    abandon: remove,
  };
}

function createFault(path: string, cause: unknown): DiagnosticError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const isThere = code === 'EEXIST';
  return new DiagnosticError(
    [
      {
        severity: 'error',
        code: isThere ? 'file-exists' : 'file-not-writable',
        summary: isThere ? `${path} exists already` : `${path} cannot be written`,
        detail: isThere
          ? 'A secret is never written over another file unasked. No token was made.'
          : `${cause instanceof Error ? cause.message : code}. No token was made.`,
        hint: isThere
          ? 'Name another file with --out, or replace this one with --force.'
          : 'Name a file in a directory that you may write to.',
      },
    ],
    { cause },
  );
}
