// Finds files that only Hostwright should have written, and that git tracks: they came with a commit, from whoever made that.
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { findRepository, requireOwner } from './find-repository.ts';
import { openGit, type GitPlace } from './git-program.ts';

/** The top of the work tree that holds a directory, links followed; undefined where there is none. */
export async function findWorkTree(directory: string): Promise<string | undefined> {
  try {
    return (await findRepository(await realpath(directory))).top;
  } catch {
    return undefined;
  }
}

/**
 * A path below a folder that git has in its index, relative to the top of the work tree; undefined where there is none, and
 * where git cannot tell: without a repository, or the program.
 */
export async function findTracked(
  folder: string,
  env: GitPlace['env'],
): Promise<string | undefined> {
  try {
    const real = await realpath(folder);
    const found = await findRepository(real);
    await requireOwner(found, env);
    const path = relative(found.top, real).split(sep).join('/');
    if (await isSurelyUntracked(join(found.gitDirectory, 'index'), path)) return undefined;
    // On a file system that ignores case, git may have written the folder under another spelling.
    const isFolded = await isSame(join(dirname(real), basename(real).toUpperCase()), real);
    const git = openGit({ directory: found.gitDirectory, env });
    const given = isFolded ? [] : ['--', path];
    // No tree is opened for it: one that is missing could have to be fetched.
    const { stdout } = await git(['ls-files', '-z', '--cached', '--sparse', ...given]);
    const names = stdout.toString('utf8').split('\0');
    return names.find((name) => `${name}/`.toLowerCase().startsWith(`${path}/`.toLowerCase()));
  } catch {
    return undefined;
  }
}

/** Larger files of an index are left to git. */
const mostBytes = 1 << 20;

/**
 * Tells from the index alone, without starting git, that it has nothing below a path. Only an index of whole names tells: one
 * that is split, sparse or compressed does not, nor does a path whose letters may be spelled in other ways.
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
