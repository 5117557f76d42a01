// Checks on the place of a file that a configuration or a command line names: a new file, or one that we wrote, and never a
// file that anything else needs. Otherwise the author of a configuration could have a run overwrite any file.
import { access, constants, lstat, realpath, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { readErrorCode } from '../../model/errors.ts';
import { findReservedPathName } from '../../model/reserved-path.ts';
import { explainFileError } from '../faults.ts';
import { isStateFileName, stateDirectoryName } from './files.ts';
import { nameIrregularFileType } from './regular-file.ts';

/** Path of an output file, with the rules on where it may be written. */
export interface OutputFilePlace {
  /** Absolute path of the file. */
  readonly path: string;
  /** The directory that the file must lie in; absent for a path that was given on the command line. */
  readonly root?: string;
  /** Set for a contract file: a YAML file that is no part of the configuration. */
  readonly isContract?: boolean;
  /** Tells whether an existing regular file is this program's own, so that it may be replaced. */
  readonly isOurs: (found: Stats, path: string) => boolean | Promise<boolean>;
}

/** Reason why an output file may not be written to a path, and the way out: sentences. */
export interface OutputFilePlaceFault {
  readonly code: 'file-outside' | 'file-exists' | 'file-not-writable';
  readonly why: string;
  readonly hint: string;
}

const elsewhere = 'Choose another place.';

/** Finds the reason why an output file may not be written to a path; undefined where it may. */
export async function findOutputFilePlaceFault(
  place: OutputFilePlace,
): Promise<OutputFilePlaceFault | undefined> {
  try {
    return await examine(place);
  } catch (error) {
    const why = readErrorCode(error)?.startsWith('ERR_')
      ? 'No system takes that for a path.'
      : explainFileError(error);
    return { code: 'file-not-writable', why, hint: elsewhere };
  }
}

async function examine({
  path,
  root,
  isContract = false,
  isOurs,
}: OutputFilePlace): Promise<OutputFilePlaceFault | undefined> {
  const { ancestor, real } = await resolveRealPath(path);
  const realRoot = root === undefined ? undefined : await realpath(root);
  if (real === realRoot) return refuse('It is a directory, not a file.');
  if (realRoot !== undefined && !isPathInDirectory(real, realRoot)) {
    const why = 'It is outside of the directory of the configuration.';
    return { code: 'file-outside', why, hint: 'Name a file below it.' };
  }
  const reserved = findReserved(real, isContract, realRoot) ?? findReserved(path, isContract, root);
  if (reserved !== undefined) return refuse(reserved);
  if (!(await stat(ancestor)).isDirectory()) return refuse(`${ancestor} is not a directory.`);
  await access(ancestor, constants.W_OK);
  const found = await lstat(real).catch((error: unknown) => {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return undefined;
  const what = nameIrregularFileType(found);
  if (what !== undefined) return refuse(`It is ${what}, not a file.`);
  if (await isOurs(found, real)) return undefined;
  const why = 'There is a file that Hostwright did not write.';
  return { code: 'file-exists', why, hint: 'Name another file, or move that one away.' };
}

function refuse(why: string): OutputFilePlaceFault {
  return { code: 'file-not-writable', why, hint: elsewhere };
}

/**
 * Real place of a path: the existing directory, links followed, and the names below it that are yet to be made. Rejects with
 * the system's error.
 */
export async function resolveRealPath(path: string): Promise<{ ancestor: string; real: string }> {
  const names = [basename(path)];
  for (let at = dirname(path); ; at = dirname(at)) {
    // A dangling link exists, although it has no real path.
    const isThere = await lstat(at).then(
      () => true,
      (error: unknown) => {
        if (readErrorCode(error) === 'ENOENT' || readErrorCode(error) === 'ENOTDIR') return false;
        throw error;
      },
    );
    if (isThere) {
      const ancestor = await realpath(at);
      return { ancestor, real: join(ancestor, ...names) };
    }
    names.unshift(basename(at));
  }
}

export function isPathInDirectory(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Reason why files must not be kept in a directory that a configuration names. */
export type DirectoryFault = { readonly reserved: string } | 'outside';

/**
 * Finds the reason why files must not be kept in a directory that a configuration names; undefined where they may. The
 * root itself is refused, too, since its files are the user's. Nothing is created, and no link is followed to a place
 * outside.
 */
export async function findDirectoryFault(
  place: string,
  root: string,
  allowsOutside: boolean,
): Promise<DirectoryFault | undefined> {
  const reserved = findReservedPathName(relative(root, place).split(sep).join('/'));
  if (reserved !== undefined && reserved !== stateDirectoryName) return { reserved };
  if (allowsOutside) return undefined;
  return isPathInDirectory(place, root) && (await isReallyBelow(place, root))
    ? undefined
    : 'outside';
}

/**
 * Tells whether a path is below the root, links followed; it is not where a link leads nowhere, since a file made
 * through it would be at its end.
 */
async function isReallyBelow(place: string, root: string): Promise<boolean> {
  try {
    // The name of a file in it, so that the directory itself is followed.
    const { real } = await resolveRealPath(join(place, 'x'));
    const { real: realRoot } = await resolveRealPath(join(root, 'x'));
    return isPathInDirectory(dirname(real), dirname(realRoot));
  } catch (error) {
    // A path that cannot be read is reported when it is.
    return readErrorCode(error) !== 'ENOENT';
  }
}

/** Reason why a path is never written to (it belongs to the state, to git or to the configuration), even where no file is there. */
function findReserved(path: string, isContract: boolean, root?: string): string | undefined {
  const way = root === undefined ? path : relative(root, path);
  const names = way.toLowerCase().split(sep);
  if (names.includes(stateDirectoryName)) {
    return `${stateDirectoryName} belongs to the state of Hostwright.`;
  }
  const reserved = root === undefined ? undefined : findReservedPathName(way.replaceAll(sep, '/'));
  if (reserved !== undefined) return `Nothing is written to ${reserved}.`;
  // `state.local.path` may name another directory. Below a root, the names are a stranger's choice.
  const [name = '', ...folders] = names.toReversed();
  const isOfState = [name, `${folders[0] ?? ''}/${name}`].some(isStateFileName);
  if (root !== undefined && (isOfState || /^lock\b.*\.json$/.test(name))) {
    return `A state of Hostwright has files of the name ${name}.`;
  }
  return !isContract && /\.ya?ml$/.test(names.at(-1) ?? '')
    ? 'A YAML file is, or would become, a part of the configuration.'
    : undefined;
}
