// Finds files that only Hostwright should have written, and that git tracks: a commit brought them, from whoever wrote it.
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { findEnclosingRepository, requireRepositoryOwner } from './find-repository.ts';
import { openGitRunner, type GitRunContext } from './git-program.ts';

/** Finds the top of the git work tree that contains a directory, links followed; undefined outside of a work tree. */
export async function findGitWorkTree(directory: string): Promise<string | undefined> {
  try {
    return (await findEnclosingRepository(await realpath(directory))).top;
  } catch {
    return undefined;
  }
}

/**
 * Finds a path below a folder that git tracks, relative to the top of the work tree; undefined where there is none, and
 * where git cannot tell: without a repository, or without the program.
 */
export async function findGitTrackedPath(
  folder: string,
  env: GitRunContext['env'],
): Promise<string | undefined> {
  try {
    const real = await realpath(folder);
    const found = await findEnclosingRepository(real);
    await requireRepositoryOwner(found, env);
    const path = relative(found.top, real).split(sep).join('/');
    if (await isSurelyUntracked(join(found.gitDirectory, 'index'), path)) return undefined;
    // On a file system that ignores case, git may have written the folder under another spelling.
    const isFolded = await isSame(join(dirname(real), basename(real).toUpperCase()), real);
    const git = openGitRunner({ directory: found.gitDirectory, env });
    const given = isFolded ? [] : ['--', path];
    // `--sparse` keeps git from opening trees: a missing one would have to be fetched.
    const { stdout } = await git(['ls-files', '-z', '--cached', '--sparse', ...given]);
    const names = stdout.toString('utf8').split('\0');
    return names.find((name) => `${name}/`.toLowerCase().startsWith(`${path}/`.toLowerCase()));
  } catch {
    return undefined;
  }
}

/** Largest git index that is read here, in bytes; a larger one is left to git. */
const mostBytes = 1 << 20;

/**
 * Tells from the index file alone, without starting git, that nothing below a path is tracked. Only an index with whole names
 * allows that: a split, sparse or compressed index does not, nor does a path whose letters have other spellings.
 */
async function isSurelyUntracked(index: string, path: string): Promise<boolean> {
  if (!/^[\w./-]+$/.test(path)) return false;
  const found = await stat(index);
  if (found.size > mostBytes) return false;
  const bytes = await readFile(index);
  const text = bytes.toString('latin1').toLowerCase();
  const hasWholeNames = bytes.readUInt32BE(4) < 4 && !/link|sdir/.test(text);
  return hasWholeNames && !text.includes(`${path.toLowerCase()}/`);
}

async function isSame(left: string, right: string): Promise<boolean> {
  const [one, other] = await Promise.all(
    [left, right].map((path) => stat(path).catch(() => undefined)),
  );
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}
