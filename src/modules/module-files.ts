// The content of a repository, as it is written: plain files. A link is taken for a copy of what it names, so that nothing on
// the disk ever leads anywhere; and no path is below a file, also where a file system ignores case.
import { posix } from 'node:path';
import { moduleContentLimits, type ModuleContentEntry } from '../config/modules/hash-content.ts';
import {
  createUnsafePathError,
  isPlainCheckoutPath,
  maxModuleFilePathLength,
} from './list-entries.ts';
import { ModuleFetchError } from './module-error.ts';

/** A file of a module, by its path with slashes. */
export type ModuleFile = ModuleContentEntry & { readonly type: 'file' };

/** The most links that are followed in a chain, as many as the kernel follows. */
const mostHops = 40;

/** Files of a repository in the form in which they are written to disk, without links. */
export interface RepositoryContent {
  readonly files: readonly ModuleFile[];
  /** Follows a path of the repository through its links; undefined where it leads to nothing. */
  readonly follow: (path: string) => string | undefined;
}

/**
 * Replaces the links of a repository by copies of their targets. A link to nothing, or to a directory around it, is
 * left out.
 * @throws ModuleFetchError where a link leads out of the repository, a path is below a file or a link, or the copies
 * are too much
 */
export function replaceLinksWithCopies(entries: readonly ModuleContentEntry[]): RepositoryContent {
  refuseBelowFiles(entries);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const links = new Links(byPath);
  const below = indexBelow(entries);
  const files: ModuleFile[] = [];
  let [bytes, steps] = [0, 0];
  const add = (path: string, entry: ModuleContentEntry, within: readonly string[]): void => {
    if (!isPlainCheckoutPath(path)) throw createUnsafePathError(path);
    steps += 1;
    if (entry.type === 'file') {
      files.push({ ...entry, type: 'file', path });
      bytes += entry.bytes.length;
    }
    if (steps > moduleContentLimits.files || bytes > moduleContentLimits.bytes)
      throw explainCopies(path);
    if (entry.type === 'file' || within.includes(entry.path)) return;
    const end = links.endOf(entry);
    if (end === undefined) return;
    const inner = [...within, entry.path];
    const found = byPath.get(end);
    if (found) add(path, found, inner);
    for (const name of below.get(end) ?? []) {
      const one = byPath.get(end === '' ? name : `${end}/${name}`);
      if (one) add(`${path}/${name}`, one, inner);
    }
  };
  for (const entry of entries) add(entry.path, entry, []);
  return { files, follow: (path) => links.follow(path) };
}

/** Lists paths below each directory, relative to it; the root is ''. */
function indexBelow(
  entries: readonly ModuleContentEntry[],
): ReadonlyMap<string, readonly string[]> {
  const below = new Map<string, string[]>();
  for (const { path } of entries) {
    for (let at = path.lastIndexOf('/'); ; at = path.lastIndexOf('/', at - 1)) {
      const directory = path.slice(0, Math.max(at, 0));
      const names = below.get(directory) ?? [];
      names.push(path.slice(at + 1));
      below.set(directory, names);
      if (at <= 0) break;
    }
  }
  return below;
}

/** The links of a repository. Each is followed once, since thousands may lead through one another. */
class Links {
  readonly #byPath: ReadonlyMap<string, ModuleContentEntry>;
  /** Targets of links by their paths; undefined for a link to nothing. */
  readonly #ends = new Map<string, string | undefined>();

  constructor(byPath: ReadonlyMap<string, ModuleContentEntry>) {
    this.#byPath = byPath;
  }

  /** The path that one of the repository leads to in the end; undefined where that is nothing. */
  follow(path: string): string | undefined {
    return this.#walk('', path, path, 0);
  }

  /**
   * Path that a link leads to in the end; undefined for a dangling one. @throws ModuleFetchError where it leads out of the
   * repository
   */
  endOf(link: ModuleContentEntry, hops = 0): string | undefined {
    const { path, bytes } = link;
    if (this.#ends.has(path)) return this.#ends.get(path);
    // A link in a cycle leads to nothing.
    this.#ends.set(path, undefined);
    const target = Buffer.from(bytes).toString('utf8');
    if (target.length > maxModuleFilePathLength) throw createUnsafePathError(target);
    if (posix.isAbsolute(target)) throw explainLink(path);
    const from = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
    const end = hops > mostHops ? undefined : this.#walk(from, target, path, hops + 1);
    this.#ends.set(path, end);
    return end;
  }

  #walk(from: string, path: string, asked: string, hops: number): string | undefined {
    let at = from;
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue;
      if (part === '..') {
        if (at === '') throw explainLink(asked);
        at = at.slice(0, Math.max(at.lastIndexOf('/'), 0));
        continue;
      }
      at = at === '' ? part : `${at}/${part}`;
      const found = this.#byPath.get(at);
      if (found?.type !== 'link') continue;
      const end = this.endOf(found, hops);
      if (end === undefined) return undefined;
      at = end;
    }
    return at;
  }
}

/** A path that is also the way to another, or would be where case or the composition of characters counts for nothing. */
function refuseBelowFiles(entries: readonly ModuleContentEntry[]): void {
  const fold = (path: string) => path.normalize('NFC').toLowerCase().toUpperCase();
  const ends = new Set(entries.map(({ path }) => fold(path)));
  for (const { path } of entries) {
    const folded = fold(path);
    for (let at = folded.indexOf('/'); at !== -1; at = folded.indexOf('/', at + 1)) {
      if (ends.has(folded.slice(0, at))) throw explainBelow(path);
    }
  }
}

function explainBelow(path: string): ModuleFetchError {
  return new ModuleFetchError({
    code: 'invalid-module-content',
    summary: 'The repository of a module holds a path below what is no directory',
    detail: `It is ${JSON.stringify(path)}: a file or a link has the name of a directory on its way, perhaps in other case.`,
    hint: 'Use another repository, or another commit of it.',
  });
}

function explainLink(path: string): ModuleFetchError {
  return new ModuleFetchError({
    code: 'file-outside',
    summary: 'The repository of a module holds a link that leads out of it',
    detail: `It is ${JSON.stringify(path)}.`,
    hint: 'Use another repository, or another commit of it.',
  });
}

function explainCopies(path: string): ModuleFetchError {
  return new ModuleFetchError({
    code: 'module-too-large',
    summary: 'The repository of a module is too large',
    detail: `Its links count as copies of what they name; the last one was ${JSON.stringify(path.slice(0, 100))}.`,
    hint: 'Remove links to large directories, or to a directory that holds the link.',
  });
}
