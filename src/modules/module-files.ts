// The content of a repository, as it is written: plain files. A link is taken for a copy of what it names, so that nothing on the disk ever
// leads anywhere; and no path is below a file, also where a file system ignores case.
import { posix } from 'node:path';
import { contentBounds, type ContentEntry } from '../config/modules/hash-content.ts';
import { explainPath, isPlainPath } from './list-entries.ts';
import { ModuleError } from './module-error.ts';

/** A file, by its path with slashes. */
export type ModuleFile = ContentEntry & { readonly type: 'file' };

/** As many links may lead on from one to another as the kernel follows. */
const mostHops = 40;

/** The content of a repository, as it is written. */
export interface RepositoryContent {
  readonly files: readonly ModuleFile[];
  /** The path that one of the repository leads to in the end, links followed. */
  readonly follow: (path: string) => string;
}

/**
 * The files that a repository holds, with copies in place of its links. A link to nothing, or to what it is within, is left out.
 * @throws ModuleError where a link leads out of it, a path is below a file or a link, or the copies are too much
 */
export function copyLinks(entries: readonly ContentEntry[]): RepositoryContent {
  refuseBelowFiles(entries);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const ends = new Map(
    entries.flatMap((one) => (one.type === 'link' ? [[one.path, followLink(one, byPath)]] : [])),
  );
  const below = indexBelow(entries);
  const files: ModuleFile[] = [];
  let [bytes, steps] = [0, 0];
  const add = (path: string, entry: ContentEntry, within: readonly string[]): void => {
    if (!isPlainPath(path)) throw explainPath(path);
    steps += 1;
    if (entry.type === 'file') {
      files.push({ ...entry, type: 'file', path });
      bytes += entry.bytes.length;
    }
    if (steps > contentBounds.files || bytes > contentBounds.bytes) throw explainCopies(path);
    const end = ends.get(entry.path);
    if (end === undefined || within.includes(entry.path)) return;
    const inner = [...within, entry.path];
    const found = byPath.get(end);
    if (found) add(path, found, inner);
    for (const name of below.get(end) ?? []) {
      const one = byPath.get(end === '' ? name : `${end}/${name}`);
      if (one) add(`${path}/${name}`, one, inner);
    }
  };
  for (const entry of entries) add(entry.path, entry, []);
  return { files, follow: (path) => follow(path.split('/'), byPath, () => explainLink(path)) };
}

/** The paths below each directory, from there; the top is ''. */
function indexBelow(entries: readonly ContentEntry[]): ReadonlyMap<string, readonly string[]> {
  const below = new Map<string, string[]>();
  for (const { path } of entries) {
    for (let at = path.lastIndexOf('/'); ; at = path.lastIndexOf('/', at - 1)) {
      const directory = path.slice(0, Math.max(at, 0));
      below.set(directory, [...(below.get(directory) ?? []), path.slice(at + 1)]);
      if (at <= 0) break;
    }
  }
  return below;
}

function followLink(link: ContentEntry, byPath: ReadonlyMap<string, ContentEntry>): string {
  const leave = () => explainLink(link.path);
  const parts = [...posix.dirname(link.path).split('/'), ...targetOf(link, leave)];
  return follow(parts, byPath, leave);
}

/** The path that a path leads to in the end. `leave` explains a way out of the repository. */
function follow(
  path: readonly string[],
  byPath: ReadonlyMap<string, ContentEntry>,
  leave: () => ModuleError,
): string {
  const way: string[] = [];
  const rest = [...path];
  let hops = 0;
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (way.pop() === undefined) throw leave();
      continue;
    }
    way.push(part);
    const on = byPath.get(way.join('/'));
    if (on?.type !== 'link') continue;
    hops += 1;
    // A circle: it stays a link, which names nothing.
    if (hops > mostHops) break;
    way.pop();
    rest.unshift(...targetOf(on, leave));
  }
  return way.join('/');
}

function targetOf({ bytes }: ContentEntry, leave: () => ModuleError): readonly string[] {
  const target = Buffer.from(bytes).toString('utf8');
  if (posix.isAbsolute(target)) throw leave();
  return target.split('/');
}

/** A path that is also the way to another, or would be where case or the composition of characters counts for nothing. */
function refuseBelowFiles(entries: readonly ContentEntry[]): void {
  const fold = (path: string) => path.normalize('NFC').toLowerCase().toUpperCase();
  const ends = new Set(entries.map(({ path }) => fold(path)));
  for (const { path } of entries) {
    const folded = fold(path);
    for (let at = folded.indexOf('/'); at !== -1; at = folded.indexOf('/', at + 1)) {
      if (ends.has(folded.slice(0, at))) throw explainBelow(path);
    }
  }
}

function explainBelow(path: string): ModuleError {
  return new ModuleError({
    code: 'invalid-module-content',
    summary: 'The repository of a module holds a path below what is no directory',
    detail: `It is ${JSON.stringify(path)}: a file or a link has the name of a directory on its way, perhaps in other case.`,
    hint: 'Use another repository, or another commit of it.',
  });
}

function explainLink(path: string): ModuleError {
  return new ModuleError({
    code: 'file-outside',
    summary: 'The repository of a module holds a link that leads out of it',
    detail: `It is ${JSON.stringify(path)}.`,
    hint: 'Use another repository, or another commit of it.',
  });
}

function explainCopies(path: string): ModuleError {
  return new ModuleError({
    code: 'module-too-large',
    summary: 'The repository of a module is too large',
    detail: `Its links count as copies of what they name; the last one was ${JSON.stringify(path.slice(0, 100))}.`,
    hint: 'Remove links to large directories, or to a directory that holds the link.',
  });
}
