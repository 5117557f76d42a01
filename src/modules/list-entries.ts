import type { ModuleContentEntry } from '../config/modules/hash-content.ts';
import { ModuleFetchError } from './module-error.ts';

/** A file or a link in a git commit, before its content is read. */
export interface GitTreeEntry extends Pick<ModuleContentEntry, 'path' | 'type'> {
  readonly id: string;
  /** Size of the file in bytes. */
  readonly size: number;
}

/**
 * Lists the files and links in the output of `git ls-tree -r -z -l`, without submodules. Strangers have made the tree,
 * so a path that no checkout would write is refused.
 * @throws ModuleFetchError
 */
export function listGitTreeEntries(listing: string): readonly GitTreeEntry[] {
  return listing.split('\0').flatMap((line) => {
    const [, mode = '', type, id = '', size = '', path = ''] =
      /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([^]*)$/.exec(line) ?? [];
    if (type !== 'blob') return [];
    if (!isPlainCheckoutPath(path)) throw createUnsafePathError(path);
    return [{ path, type: mode === '120000' ? 'link' : 'file', id, size: Number(size) }];
  });
}

/** Lists the paths of submodules in the output of `git ls-tree`, as many at most as fit on a line of a log. */
export function listSubmodules(listing: string): readonly string[] {
  const paths = listing
    .split('\0')
    .flatMap((line) => /^160000 commit [^\t]*\t([^]*)$/.exec(line)?.[1] ?? []);
  return paths.filter(isPlainCheckoutPath).slice(0, mostSubmodules);
}

const mostSubmodules = 20;

/** Maximum length of a path in a module, and of the target of a link. */
export const maxModuleFilePathLength = 1_000;

/** Tells whether a path is one that git itself would check out. */
export function isPlainCheckoutPath(path: string): boolean {
  if (path.length > maxModuleFilePathLength || /[\p{Cc}\\]/u.test(path)) return false;
  return path.split('/').every((part) => !/^(?:|\.{1,2}|\.git|git~\d)$/i.test(part));
}

export function createUnsafePathError(path: string): ModuleFetchError {
  return new ModuleFetchError({
    code: 'invalid-module-content',
    summary: 'The repository of a module holds a path that is not safe to write',
    detail: `It is ${JSON.stringify(path.slice(0, 100))}.`,
    hint: 'Use another repository, or another commit of it.',
  });
}
