// The one place where files are opened because a configuration names them: its own YAML, that of its modules, keys, and
// what `file()` reads. Whoever writes a pull request writes the names, so what they lead to must lie below the root
// directory, links followed, and be a regular file: nothing here waits for a pipe, or reads a device.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { OutsideFilesPermission } from '../../model/runtime.ts';
import { findReservedPathName } from '../../model/reserved-path.ts';

/** Refusal to read a file that a configuration names: a clause for the end of a sentence, and a hint. */
export interface FileReadRefusal {
  readonly code: 'file-outside' | 'not-a-file' | 'file-too-large' | 'file-unreadable';
  readonly why: string;
  readonly hint: string;
  /** Code of the failed system call, as ENOENT; absent where none failed. */
  readonly system?: string;
}

/** The content of a file, or the reason why it was not read. */
export type FileContentOrRefusal =
  | {
      readonly bytes: Uint8Array;
      /**
       * Tells whether the file is below the root directory or one of `--reads`, links followed: only then may a message
       * quote it.
       */
      readonly isInside: boolean;
    }
  | { readonly refusal: FileReadRefusal };

/** The real path of a directory, or the reason why it may not be read. */
export type RealDirectoryPathOrReadRefusal =
  { readonly path: string } | { readonly refusal: FileReadRefusal };

/** A file or a subdirectory in a listed directory. */
export interface ListedDirectoryEntry {
  /** Absolute path of the file or directory. */
  readonly path: string;
  readonly isFile: boolean;
  /** The reason why a link may not be followed; absent for other entries. */
  readonly refusal?: FileReadRefusal;
}

const outside: FileReadRefusal = {
  code: 'file-outside',
  why: 'it is outside of the directory of the configuration',
  hint: 'Copy it into the directory, allow its directory with --reads (in a workspace of a server: `reads`), or run with --allow-outside-files.',
};

/**
 * Describes the directory that relative paths start from, for a hint; also within a module, where people expect the
 * module's directory.
 */
export function describePathBase(isInModule: boolean): string {
  const base = 'The path is relative to the directory of the configuration';
  return isInModule
    ? `${base}, not of the module: a file of the module is \`\${path.module}/NAME\`.`
    : `${base}.`;
}

function explainReserved(name: string): FileReadRefusal {
  const why = `nothing in \`${name}\` is a file of a configuration`;
  return { code: 'file-outside', why, hint: 'Copy what you need to a file elsewhere.' };
}

const replaced: FileReadRefusal = {
  code: 'file-unreadable',
  why: 'another file took its place while it was being read',
  hint: 'Run the command again.',
};

const pointer: FileReadRefusal = {
  code: 'file-unreadable',
  why: 'it is a pointer of Git LFS, whose content is not here',
  hint: 'Run "git lfs pull". A server and `hostwright init` fetch no content of Git LFS: commit the file itself for them.',
};

/** Tells whether a file is only the pointer that git LFS has put in place of a large file. */
function isPointer(bytes: Uint8Array): boolean {
  const start = 'version https://git-lfs.github.com/spec/v1\n';
  return Buffer.from(bytes.subarray(0, start.length)).toString() === start;
}

/** Returns the code of a failed system call, or `unknown error`. */
export function readSystemErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** Tells whether a path is the directory or below it, without following links. */
function isBelow(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Texts by absolute path that replace the content of files, to see the effect of an edit before it is made. */
export type FileTextOverrides = ReadonlyMap<string, string>;

/** The files that a configuration may name, each checked against the root directory before it is read. */
export class ConfigurationFiles {
  readonly #root: string;
  readonly #realRoot: string;
  readonly #permission: OutsideFilesPermission;
  readonly #instead: FileTextOverrides;

  /**
   * @param root the directory of the configuration; absolute
   * @param permission files elsewhere that may be read, too
   */
  constructor(
    root: string,
    permission: OutsideFilesPermission,
    instead: FileTextOverrides = new Map(),
  ) {
    this.#root = root;
    this.#realRoot = findReal(root) ?? root;
    this.#permission = permission;
    this.#instead = instead;
  }

  /** Reads a file of at most `maxBytes` bytes; `path` is absolute. */
  read(path: string, maxBytes: number): FileContentOrRefusal {
    const content = this.#guard(path, (real) => this.#readRegular(real, maxBytes));
    const text = this.#instead.get(path);
    return text === undefined || !('bytes' in content)
      ? content
      : { ...content, bytes: Buffer.from(text) };
  }

  /** Finds a directory, the links on the way to it followed; `path` is absolute. */
  findDirectory(path: string): RealDirectoryPathOrReadRefusal {
    return this.#guard<RealDirectoryPathOrReadRefusal>(path, (real) =>
      statSync(real).isDirectory()
        ? { path: real }
        : {
            refusal: {
              code: 'not-a-file',
              why: 'it is a file, not a directory',
              hint: 'Name a directory.',
            },
          },
    );
  }

  /** Finds a file or a directory at a path, links followed; `path` is absolute. */
  find(path: string): { readonly isFile: boolean } | { readonly refusal: FileReadRefusal } {
    return this.#guard(path, (real) => ({ isFile: statSync(real).isFile() }));
  }

  /**
   * Lists the files and directories in a directory, sorted; `path` is absolute. Links to files are files. Links to
   * directories and what is neither are left out, so whoever follows the list comes to an end.
   */
  list(path: string): readonly ListedDirectoryEntry[] | { readonly refusal: FileReadRefusal } {
    return this.#guard<readonly ListedDirectoryEntry[] | { refusal: FileReadRefusal }>(
      path,
      (real) =>
        readdirSync(real, { withFileTypes: true })
          .map((entry) => ({ entry, path: resolve(path, entry.name) }))
          .flatMap(({ entry, path: at }): ListedDirectoryEntry[] => {
            if (this.#findReserved(at) !== undefined) return [];
            if (entry.isDirectory()) return [{ path: at, isFile: false }];
            const found = entry.isSymbolicLink() ? this.find(at) : { isFile: entry.isFile() };
            if ('refusal' in found) return [{ path: at, isFile: true, refusal: found.refusal }];
            return found.isFile ? [{ path: at, isFile: true }] : [];
          })
          .sort((a, b) => (a.path < b.path ? -1 : 1)),
    );
  }

  /**
   * Reads a file that the person who runs the command has named. The file may be anywhere, and be a pipe; but a file in
   * the directory of the configuration, or in the working directory, may come from a pull request, so it must not lead
   * elsewhere.
   */
  readGiven(
    path: string,
    workingDirectory: string,
    maxBytes: number,
  ): FileContentOrRefusal | undefined {
    const isTheirs = [this.#root, workingDirectory].every((one) => !isBelow(path, one));
    if (isTheirs) return undefined;
    const isWithin = isBelow(findReal(path) ?? path, findReal(workingDirectory) ?? '');
    return isWithin
      ? attempt(() => this.#readRegular(realpathSync.native(path), maxBytes))
      : this.read(path, maxBytes);
  }

  #guard<T extends object>(
    path: string,
    work: (real: string) => T,
  ): T | { refusal: FileReadRefusal } {
    // A path outside is refused before it is looked up: the configuration must not learn whether a file exists there.
    if (!this.#isAllowed(path)) return { refusal: outside };
    return attempt(() => {
      const real = findReal(path);
      if (real !== undefined && !this.#isAllowed(real)) return { refusal: outside };
      if (real === undefined && !this.#isAllowed(findTarget(path))) return { refusal: outside };
      const reserved = this.#findReserved(path) ?? this.#findReserved(real ?? path);
      if (reserved !== undefined) return { refusal: explainReserved(reserved) };
      return work(real ?? path);
    });
  }

  /** The reserved directory of a path (`findReservedPathName`); the root may itself be within such a directory. */
  #findReserved(path: string): string | undefined {
    const root = isBelow(path, this.#realRoot) ? this.#realRoot : this.#root;
    return findReservedPathName(relative(root, path).replaceAll(sep, '/'));
  }

  #isAllowed(path: string): boolean {
    return this.#permission === true || this.#isInside(path);
  }

  /** True for a path below the root directory, or below one that may be read beside it. */
  #isInside(path: string): boolean {
    const beside = typeof this.#permission === 'boolean' ? [] : this.#permission;
    return [this.#root, this.#realRoot, ...beside].some((one) => isBelow(path, one));
  }

  /** Opens a real path and compares the opened file with it, in case a link took its place. */
  #readRegular(real: string, maxBytes: number): FileContentOrRefusal {
    const irregular = explainIrregular(statSync(real));
    if (irregular) return { refusal: irregular };
    // Opened without blocking: the file may have become a pipe since it was checked.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
    const descriptor = openSync(real, flags);
    try {
      const opened = fstatSync(descriptor);
      const named = lstatSync(real);
      const isSame = opened.ino === named.ino && opened.dev === named.dev;
      if (!isSame || realpathSync.native(real) !== real) return { refusal: replaced };
      const changed = explainIrregular(opened);
      if (changed) return { refusal: changed };
      const bytes = readAtMost(descriptor, maxBytes, opened.size);
      if (bytes && isPointer(bytes)) return { refusal: pointer };
      return bytes ? { bytes, isInside: this.#isInside(real) } : tooLarge(maxBytes);
    } finally {
      closeSync(descriptor);
    }
  }
}

function attempt<T extends object>(work: () => T): T | { refusal: FileReadRefusal } {
  try {
    return work();
  } catch (error) {
    const system = readSystemErrorCode(error);
    const hint = describePathBase(false);
    const why = system === 'ENOENT' ? 'there is no such file' : `the system says ${system}`;
    return { refusal: { code: 'file-unreadable', why, hint, system } };
  }
}

/** The real path, links followed; undefined where nothing exists. */
function findReal(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** The target of a dangling link; the path itself where it is no link. */
function findTarget(path: string): string {
  try {
    return resolve(findReal(dirname(path)) ?? dirname(path), readlinkSync(path));
  } catch {
    return path;
  }
}

/** The refusal of a directory, pipe, socket or device; undefined for a regular file. */
function explainIrregular(found: Stats): FileReadRefusal | undefined {
  if (found.isFile()) return undefined;
  const what = found.isDirectory()
    ? 'a directory'
    : found.isFIFO()
      ? 'a pipe'
      : found.isSocket()
        ? 'a socket'
        : 'a device';
  return { code: 'not-a-file', why: `it is ${what}, not a file`, hint: 'Name a regular file.' };
}

function tooLarge(maxBytes: number): { refusal: FileReadRefusal } {
  const why = `it is larger than ${maxBytes} bytes`;
  return { refusal: { code: 'file-too-large', why, hint: 'Name a smaller file.' } };
}

/**
 * The whole content; undefined when it is too large. The size is no proof: files that the system generates, as in /proc, have
 * size 0.
 */
function readAtMost(descriptor: number, maxBytes: number, size: number): Uint8Array | undefined {
  if (size > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(65_536, size - total + 1));
    const count = readSync(descriptor, chunk);
    if (count === 0) return Buffer.concat(chunks, total);
    total += count;
    if (total > maxBytes) return undefined;
    chunks.push(chunk.subarray(0, count));
  }
}
