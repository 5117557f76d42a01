// Finds the repository that holds a directory, without a program that would look for one. A stranger may have written
// every file of the directory, but nothing called `.git`, which git writes from no commit.
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { BackendError } from '../backend-error.ts';
import { openGitRunner, type GitRunContext } from './git-program.ts';

/** Directories of the git repository that contains the configuration. */
export interface EnclosingRepository {
  /** Top directory of the work tree. */
  readonly top: string;
  /** Path of the `.git` directory of this work tree. */
  readonly gitDirectory: string;
  /** Path of the git directory that all work trees of the repository share. */
  readonly common: string;
}

/**
 * Finds the git repository of a directory: the nearest directory upwards with a `.git`. A directory that only looks
 * like a bare repository does not count.
 * @throws BackendError `broken` where there is none
 */
export async function findEnclosingRepository(directory: string): Promise<EnclosingRepository> {
  if (!(await pathExists(directory))) throw explainNone(directory, 'the directory does not exist');
  for (let top = directory; ; top = dirname(top)) {
    const mark = join(top, '.git');
    const found = await stat(mark).catch(() => undefined);
    if (found?.isDirectory()) return { top, gitDirectory: mark, common: mark };
    if (found?.isFile()) return followMark(top, mark);
    if (top === dirname(top)) throw explainNone(directory, 'not a git repository');
  }
}

/** In a linked work tree and in a submodule, `.git` is a file that names the repository. */
async function followMark(top: string, mark: string): Promise<EnclosingRepository> {
  const [, written] = /^gitdir: (.+?)\n*$/s.exec(await readFile(mark, 'utf8')) ?? [];
  if (written === undefined) throw explainNone(top, `${mark} does not say where it is`);
  const gitDirectory = resolve(top, written);
  if (!(await pathExists(gitDirectory))) throw explainNone(top, `${gitDirectory} does not exist`);
  const common = await readFile(join(gitDirectory, 'commondir'), 'utf8').catch(() => '.');
  return { top, gitDirectory, common: resolve(gitDirectory, common.trimEnd()) };
}

function explainNone(directory: string, reason: string): BackendError {
  return new BackendError('broken', `Git cannot use ${directory}: ${reason}.`);
}

/**
 * Refuses another user's repository, as git does, unless the user's own settings call it safe.
 * @throws BackendError `denied`
 */
export async function requireRepositoryOwner(
  { top, common }: EnclosingRepository,
  env: GitRunContext['env'],
): Promise<void> {
  const user = process.geteuid?.();
  const users = new Set([user, ...(user === 0 ? [Number(env['SUDO_UID'] ?? 0)] : [])]);
  const owners = await Promise.all([top, common].map(async (path) => (await stat(path)).uid));
  if (user === undefined || owners.every((owner) => users.has(owner))) return;
  const git = openGitRunner({ directory: dirname(process.execPath), env });
  const { stdout } = await git(['config', '--get-all', '-z', 'safe.directory']);
  // An empty `safe.directory` entry of git's settings cancels those before it.
  const all = stdout.toString('utf8').split('\0').slice(0, -1);
  const safe = all.slice(all.lastIndexOf('') + 1);
  if (safe.some((one) => one === '*' || resolve(one) === top)) return;
  const detail = `detected dubious ownership in repository at '${top}'`;
  throw new BackendError(
    'denied',
    `Git cannot use ${top}: ${detail}. If you trust it: git config --global --add safe.directory ${top}`,
  );
}

/** Tells whether a path exists, with links followed. */
export async function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
