// Checkout of a run: a private directory with one commit of a repository, which is deleted when the run has ended.
import { lstat, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkOutCommit, type GitRuntime } from '../../modules/check-out.ts';
import { listCommitAuthors, type CommitRange } from '../../modules/list-authors.ts';
import type { RepositoryContent } from '../../modules/module-files.ts';
import { stateDirectoryName } from '../../state/files/files.ts';
import { isPathInDirectory } from '../../state/files/written-file.ts';
import { readRegularFile } from '../../state/files/regular-file.ts';
import { isProcessGone, type ProcessIdentity } from '../../state/lock/lock-holder.ts';
import { GitHostFault } from '../hosts/host-fault.ts';
import type { GitHosts } from '../hosts/open-hosts.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { EqualOlderPlan } from '../store/run.ts';
import type { Workspace } from '../store/workspaces.ts';

/** The checked-out files of a run. */
export interface RunCheckout {
  /** Absolute path of the configuration's directory in the checkout. */
  readonly directory: string;
  /** Directory for the run's own files, beside the checkout. */
  readonly scratch: string;
  /** Further directories that the configuration may have read; absolute. */
  readonly reads: readonly string[];
  /** Submodules of the commit, which are left out. */
  readonly submodules: readonly string[];
  close(): Promise<void>;
}

/** Checks out a commit of a workspace's repository into a new directory. @throws RunFault where that cannot be done */
export type OpenRunCheckout = (
  workspace: Pick<Workspace, 'connection' | 'repository' | 'directory' | 'reads'>,
  commit: string,
  /** Signal that ends git and the wait for its host. */
  signal: AbortSignal,
) => Promise<RunCheckout>;

const scratchPrefix = 'hostwright-run-';
/** File that says which process a checkout belongs to. */
const ownerName = 'owner.json';
const hostDelaysMs = [1_000, 2_000, 4_000, 8_000];
const longestHostDelayMs = 30_000;

/**
 * Removes checkouts that killed workers have left on this machine, as one may contain a saved plan. Those of another user cannot
 * be removed, and stay.
 */
export async function removeAbandonedCheckouts(host: string, parent = tmpdir()): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(scratchPrefix));
  for (const name of names) {
    const directory = join(parent, name);
    try {
      const text = await readRegularFile(join(directory, ownerName));
      if (isProcessGone(JSON.parse(text) as ProcessIdentity, host))
        await rm(directory, { recursive: true, force: true });
    } catch {
      // Without a readable owner, nothing shows that the directory is left over.
    }
  }
}

/** Lists who wrote the commits after an older one, by their e-mail addresses; undefined where nobody knows. */
export type ListRunAuthors = (
  workspace: Pick<Workspace, 'connection' | 'repository'>,
  range: Omit<CommitRange, 'url'>,
) => Promise<EqualOlderPlan['authors']>;

/**
 * Makes the function that lists the authors of commits by git. A git host that does not answer fails no run: the authors are
 * unknown then.
 */
export function createRunAuthorLister(hosts: GitHosts): ListRunAuthors {
  return async (workspace, range) => {
    try {
      const git = await hosts.openGit(workspace);
      return await listCommitAuthors(git, { url: workspace.repository, ...range });
    } catch {
      return undefined;
    }
  };
}

/**
 * Makes the function that checks out the commits of runs by git. `owner` is this process, by which others recognise checkouts
 * that were left.
 */
export function createRunCheckoutOpener(hosts: GitHosts, owner: ProcessIdentity): OpenRunCheckout {
  return async (workspace, commit, signal) => {
    const { repository, directory, reads } = workspace;
    const git = await reachHost(() => hosts.openGit(workspace), signal).catch(explainHost);
    return writeCheckout(git, { repository, commit, directory, reads, owner, signal });
  };
}

async function writeCheckout(
  means: GitRuntime,
  source: {
    readonly repository: string;
    readonly commit: string;
    readonly directory: string;
    readonly reads: readonly string[];
    readonly owner: ProcessIdentity;
    readonly signal: AbortSignal;
  },
): Promise<RunCheckout> {
  const scratch = await mkdtemp(join(tmpdir(), scratchPrefix));
  const close = () => rm(scratch, { recursive: true, force: true });
  try {
    const { repository: url, commit, signal } = source;
    const given = { url, commit, root: scratch, signal };
    await writeFile(join(scratch, ownerName), JSON.stringify(source.owner), { mode: 0o600 });
    const { top, follow, submodules } = await checkOutCommit(means, given).catch(explain);
    const directory = await findDirectory(top, source.directory, follow);
    await requireNoState(directory);
    const finding = source.reads.map((written) => findDirectory(top, written, follow));
    return { directory, scratch, reads: await Promise.all(finding), submodules, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function explain(error: unknown): never {
  const detail = error instanceof Error ? error.message : String(error);
  throw new RunFault(`The commit cannot be checked out. ${detail}`, { cause: error });
}

/** Refuses a commit that contains Hostwright's own directory: its files would count as written by an earlier run. */
async function requireNoState(directory: string): Promise<void> {
  const found = await lstat(join(directory, stateDirectoryName)).catch(() => undefined);
  if (!found) return;
  throw new RunFault(
    `The commit has ${stateDirectoryName} in the directory of the workspace, which belongs to Hostwright. Remove it from the repository with "git rm -r", and add it to .gitignore.`,
  );
}

/** Finds the directory of a workspace. A path through a link is refused: changes of its target would plan no workspace. */
async function findDirectory(
  top: string,
  written: string,
  follow: RepositoryContent['follow'],
): Promise<string> {
  const plain = relative(top, resolve(top, written));
  const directory = join(top, plain);
  const isWithin = directory === top || isPathInDirectory(directory, top);
  const found = isWithin ? await lstat(directory).catch(() => undefined) : undefined;
  const end = found?.isDirectory() ? follow(plain) : undefined;
  if (end === plain) return directory;
  if (end !== undefined)
    throw new RunFault(
      `The directory ${JSON.stringify(written)} of the workspace leads through a link. Set the directory of the workspace to ${JSON.stringify(end)}.`,
    );
  throw new RunFault(
    `The commit has no directory ${JSON.stringify(written)}, which the workspace names. Correct the directory of the workspace, or commit it.`,
  );
}

/** A host may be out of reach for a moment: so short a one fails no run. */
async function reachHost<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const delayMs of hostDelaysMs) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof GitHostFault) || !error.isOutage) throw error;
      const waitMs = Math.max(delayMs, Math.min(error.retryAfterMs, longestHostDelayMs));
      await sleep(waitMs, undefined, { signal });
    }
  }
  return attempt();
}

/** A host that gives no token fails the run, as a repository that cannot be read does. */
function explainHost(error: unknown): never {
  if (!(error instanceof GitHostFault)) throw error;
  throw new RunFault(`The commit cannot be checked out. ${error.message}`, { cause: error });
}
