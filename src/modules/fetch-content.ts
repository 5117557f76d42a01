// Content of a repository at one commit. Git fetches objects and prints them, and writes no file: so nothing of what is
// fetched is run, checked out, filtered or linked. Submodules stay out.
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moduleContentLimits } from '../config/modules/hash-content.ts';
import type { Runtime } from '../model/runtime.ts';
import { explainGitFailure } from '../state/backends/git/git-faults.ts';
import {
  initBareRepository,
  openGitRunner,
  type GitRunResult,
  type GitRunContext,
  type RunGit,
} from '../state/backends/git/git-program.ts';
import { ModuleFetchError } from './module-error.ts';
import { listSubmodules, listGitTreeEntries } from './list-entries.ts';
import { replaceLinksWithCopies, type RepositoryContent } from './module-files.ts';

const fetchTimeoutMs = 300_000;
/** Most bytes of a fetch: packed objects are smaller than their files, and a history may come along. */
const maxFetchBytes = 512 * 1024 * 1024;
const lookMs = 250;

const plainFetch = [
  ...['--quiet', '--no-tags', '--no-recurse-submodules', '--no-auto-gc', '--no-filter'],
  '--no-write-fetch-head',
];

/** Temporary git repository, empty at first, for fetching from one remote. */
export interface TemporaryFetchRepository {
  readonly git: RunGit;
  readonly directory: string;
  close(): Promise<void>;
}

/** Options of a temporary repository: its place, and the protocols that its git may use. */
export interface TemporaryRepositoryOptions extends Omit<GitRunContext, 'directory'> {
  /** Registers a function that removes the temporary repository at an interrupt, as in `Runtime`. */
  readonly beforeAbruptEnd: Runtime['beforeAbruptEnd'];
  /** Parent directory of the temporary repository; the system's directory for temporary files unless given. */
  readonly within?: string;
}

/** Creates a temporary repository outside of the configuration's directory. @throws BackendError when git cannot be started */
export async function openTemporaryFetchRepository(
  { env, protocols, beforeAbruptEnd, signal, within = tmpdir() }: TemporaryRepositoryOptions,
  format: 'sha1' | 'sha256',
): Promise<TemporaryFetchRepository> {
  const directory = await mkdtemp(join(within, 'hostwright-module-'));
  const forget = beforeAbruptEnd(() => rmSync(directory, { recursive: true, force: true }));
  const close = async () => {
    await rm(directory, { recursive: true, force: true });
    forget();
  };
  try {
    const git = openGitRunner({
      directory,
      env,
      ...(protocols && { protocols }),
      ...(signal && { signal }),
    });
    const made = await initBareRepository(git, format);
    if (made.status !== 0) throw explainGitFailure('Git cannot make a repository', made);
    return { git, directory, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Fetches a commit. @throws ModuleFetchError where there is no such commit, or too much; BackendError */
export async function fetchCommit(
  shop: TemporaryFetchRepository,
  url: string,
  commit: string,
): Promise<void> {
  const one = await fetchInto(shop, ['--depth=1', ...plainFetch, '--', url, commit]);
  if (one.status === 0 && (await hasCommit(shop, commit))) return;
  if (one.status !== 0 && !isRefusedByName(one)) throw explainFetch(url, one);
  // Some servers give no commit by its name: then it comes with whatever they have.
  const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
  const all = await fetchInto(shop, [...plainFetch, '--', url, ...refspecs]);
  if (all.status !== 0) throw explainFetch(url, all);
  if (!(await hasCommit(shop, commit))) throw explainGone(url, commit);
}

/**
 * Fetches the newest commits that lead to a commit, `depth` of them at most, without their files where the server can
 * leave those out.
 * @throws ModuleFetchError, BackendError
 */
export async function fetchCommitHistory(
  shop: TemporaryFetchRepository,
  url: string,
  { commit, depth }: { readonly commit: string; readonly depth: number },
): Promise<void> {
  const args = [`--depth=${depth}`, ...plainFetch, '--filter=tree:0', '--', url, commit];
  const answer = await fetchInto(shop, args);
  if (answer.status !== 0) throw explainFetch(url, answer);
}

function isRefusedByName({ stderr }: GitRunResult): boolean {
  return /not our ref|unadvertised object|couldn't find remote ref|no such remote ref|does not support shallow|dumb http/i.test(
    stderr,
  );
}

async function hasCommit({ git }: TemporaryFetchRepository, commit: string): Promise<boolean> {
  return (await git(['cat-file', '-e', `${commit}^{commit}`])).status === 0;
}

/** Git itself looks at each object before it keeps it, and refuses what no git would have made. */
function explainFetch(url: string, answer: GitRunResult): Error {
  const failure = explainGitFailure(`Git cannot fetch ${url}`, answer);
  const [, check] = /^error: object [\da-f]+: (\w+):/m.exec(answer.stderr) ?? [];
  if (check === undefined) return failure;
  return new ModuleFetchError({
    code: 'invalid-module-content',
    summary: 'The repository of a module holds an object that is not safe to read',
    detail: failure.message,
    hint: `Use another repository, or another commit of it. If it is old and you trust it: git config --global fetch.fsck.${check} ignore.`,
  });
}

function explainGone(url: string, commit: string): ModuleFetchError {
  return new ModuleFetchError({
    code: 'module-commit-gone',
    summary: 'The commit that a module is pinned to is gone',
    detail: `${url} has no commit ${commit}.`,
    hint: 'Check the commit; or run hostwright init --upgrade, which pins what the ref names now.',
  });
}

/** Runs `git fetch` and stops it when it has brought in too much data. */
async function fetchInto(
  { git, directory }: TemporaryFetchRepository,
  args: readonly string[],
): Promise<GitRunResult> {
  const tooMuch = new AbortController();
  const timer = setInterval(() => {
    void measure(join(directory, 'objects', 'pack')).then((bytes) => {
      if (bytes > maxFetchBytes) tooMuch.abort();
    });
  }, lookMs);
  try {
    const answer = await git(['fetch', ...args], {
      timeoutMs: fetchTimeoutMs,
      signal: tooMuch.signal,
      maxBytes: 1024 * 1024,
    });
    if (tooMuch.signal.aborted) throw explainSize('It is larger than 512 MB as git sends it.');
    return answer;
  } finally {
    clearInterval(timer);
  }
}

async function measure(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const sizes = names.map((name) =>
    stat(join(directory, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function explainSize(detail: string): ModuleFetchError {
  return new ModuleFetchError({
    code: 'module-too-large',
    summary: 'The repository of a module is too large',
    detail,
    hint: 'Keep modules in a repository of their own.',
  });
}

/**
 * Reads the content of a commit; submodules are only named. @throws ModuleFetchError where the content is too much, or
 * leads out of the repository
 */
export async function readCommitContent(
  { git }: TemporaryFetchRepository,
  commit: string,
): Promise<RepositoryContent & { readonly submodules: readonly string[] }> {
  const { files, bytes } = moduleContentLimits;
  const tree = await git(['ls-tree', '-r', '-z', '-l', '--full-tree', commit], {
    maxBytes: files * 1_000,
  });
  const most = `It may hold ${files.toLocaleString('en')} files and ${bytes / 1024 / 1024} MB.`;
  if (tree.status === undefined) throw explainSize(most);
  if (tree.status !== 0) throw explainGitFailure('Git cannot read what it fetched', tree);
  const listing = tree.stdout.toString('utf8');
  const submodules = listSubmodules(listing);
  const entries = listGitTreeEntries(listing);
  const sum = entries.reduce((total, { size }) => total + size, 0);
  if (entries.length > files || sum > bytes) throw explainSize(most);
  if (entries.length === 0) return { ...replaceLinksWithCopies([]), submodules };
  const input = [entries.map(({ id }) => `${id}\n`).join('')];
  const answer = await git(['cat-file', '--batch'], { input });
  if (answer.status !== 0) throw explainGitFailure('Git cannot read what it fetched', answer);
  let at = 0;
  const contents = entries.map(({ path, type, size }) => {
    const from = answer.stdout.indexOf('\n', at) + 1;
    at = from + size + 1;
    return { path, type, bytes: answer.stdout.subarray(from, from + size) };
  });
  return { ...replaceLinksWithCopies(contents), submodules };
}
