// Who wrote the commits between two of a branch, by their e-mail addresses. Git fetches the commits without their files.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readErrorCode } from '../model/errors.ts';
import { findRepositoryProtocol, type GitRuntime } from './check-out.ts';
import {
  fetchCommitHistory,
  openTemporaryFetchRepository,
  type TemporaryFetchRepository,
} from './fetch-content.ts';

/** Number of commits that are searched backwards for the older end of a range. */
const mostCommits = 100;
/** For each commit, its hash, and on lines of their own the addresses of its author, its committer and further authors. */
const format = '%H%n%ae%n%ce%n%(trailers:key=Co-authored-by,valueonly)';

/** Range of commits of a branch, and the repository to read them from. */
export interface CommitRange {
  readonly url: string;
  /** Hash of the older commit, which is not looked at itself. */
  readonly since: string;
  readonly commit: string;
  readonly signal?: AbortSignal;
}

/**
 * Lists the e-mail addresses, in small letters, of all authors and committers since an older commit; undefined where
 * that commit is no ancestor, as after a forced push, or too far back. Git does not prove that an address is true.
 * @throws ModuleFetchError, BackendError
 */
export async function listCommitAuthors(
  means: GitRuntime,
  { url, since, commit, signal }: CommitRange,
): Promise<ReadonlySet<string> | undefined> {
  const place = { ...means, protocols: [findRepositoryProtocol(url)], ...(signal && { signal }) };
  const shop = await openTemporaryFetchRepository(place, commit.length === 64 ? 'sha256' : 'sha1');
  try {
    await fetchCommitHistory(shop, url, { commit, depth: mostCommits });
    const { git } = shop;
    const ancestry = await git(['merge-base', '--is-ancestor', since, commit]);
    if (ancestry.status !== 0) return undefined;
    const log = ['log', '-z', '--no-show-signature', '--no-color', `--format=${format}`];
    const { status, stdout } = await git([...log, commit, `^${since}`, '--']);
    if (status !== 0) return undefined;
    const commits = stdout.toString('utf8').split('\0').filter(Boolean);
    const lines = commits.map((one) => one.split('\n'));
    const cut = await readCut(shop);
    // Commits behind one without its parents may have come after the older one, too.
    if (lines.some(([hash = '']) => cut.has(hash))) return undefined;
    return new Set(lines.flatMap(([, ...written]) => written.flatMap(readAddress)));
  } finally {
    await shop.close();
  }
}

/** A commit as the API of a git host has it. */
interface WrittenCommit {
  readonly addresses: readonly string[];
  readonly message: string;
}

/**
 * Reads the e-mail addresses of the authors of a pull request's commits from the git host's list; undefined where the
 * list is empty, or so long that it may have been cut.
 */
export function readPullRequestAuthors(
  commits: readonly WrittenCommit[],
): ReadonlySet<string> | undefined {
  if (commits.length === 0 || commits.length >= mostCommits) return undefined;
  const written = commits.flatMap(({ addresses, message }) =>
    addresses.concat(listCoAuthors(message)),
  );
  return new Set(written.flatMap(readAddress));
}

function listCoAuthors(message: string): readonly string[] {
  return [...message.matchAll(/^co-authored-by:(.*)$/gim)].map(([, value = '']) => value);
}

/** The commits whose parents were not fetched. */
async function readCut({ directory }: TemporaryFetchRepository): Promise<ReadonlySet<string>> {
  try {
    return new Set((await readFile(join(directory, 'shallow'), 'utf8')).split('\n'));
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return new Set();
    throw error;
  }
}

/** A trailer has a name beside the address. */
function readAddress(written: string): readonly string[] {
  const [, within] = /<([^<>]*)>\s*$/.exec(written) ?? [];
  const address = (within ?? written).trim().toLowerCase();
  return address === '' ? [] : [address];
}
