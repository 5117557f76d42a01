// The repository that holds a directory, opened to keep a state in one of its branches. Of its settings only those are used
// that name remotes and their credentials; fetched and new objects lie in a repository of Hostwright's own inside of it.
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { readErrorCode } from '../../../model/errors.ts';
import { BackendError } from '../backend-error.ts';
import {
  findEnclosingRepository,
  pathExists,
  requireRepositoryOwner,
  type EnclosingRepository,
} from './find-repository.ts';
import { explainGitFailure } from './git-faults.ts';
import {
  initBareRepository,
  openGitRunner,
  type GitRunContext,
  type GitSettingEntry,
  type GitObjectFormat,
  type OpenGitRepository,
} from './git-program.ts';

/** The repository on this machine, with its settings about remotes. */
export interface LocalRepository extends OpenGitRepository {
  /** Directory that relative addresses of remotes start from. */
  readonly top: string;
  /** Remotes of the repository, by name. */
  readonly remotes: ReadonlyMap<string, GitRemote>;
  /** Name of the current branch's remote, from git's settings; undefined without one. */
  readonly branchRemote: string | undefined;
}

/** The addresses of a remote; the user's own `insteadOf` is applied. */
export interface GitRemote {
  readonly fetchUrl: string;
  readonly pushUrls: readonly string[];
}

/** Directory whose git repository is looked for, with the environment of git. */
export type RepositoryPlace = Pick<GitRunContext, 'env'> & {
  /** Absolute path of the configuration's directory. */
  readonly directory: string;
};

/** Opens the repository that holds a directory. @throws BackendError `broken` where there is none that can be used */
export async function openRepository({
  directory,
  env,
}: RepositoryPlace): Promise<LocalRepository> {
  const found = await findEnclosingRepository(directory);
  await requireRepositoryOwner(found, env);
  const settings = await readSettings(found, env);
  const valueOf = (name: string) => settings.findLast(([key]) => key === name)?.[1];
  const format = valueOf('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1';
  const own = await openOwn(found, format, env);
  const given = settings.flatMap(([key, value]) => passOn(key, value, found.top));
  const git = openGitRunner({ directory: own, env, settings: given });
  const head = await readFile(join(found.gitDirectory, 'HEAD'), 'utf8').catch(() => '');
  const [, branch] = /^ref: refs\/heads\/(.+)\n?$/.exec(head) ?? [];
  return {
    git,
    top: found.top,
    noObject: '0'.repeat(format === 'sha256' ? 64 : 40),
    isShallow: await pathExists(join(found.common, 'shallow')),
    remotes: await readRemotes(git),
    branchRemote: branch === undefined ? undefined : valueOf(`branch.${branch}.remote`),
  };
}

/**
 * Lists the hosts of the repository's https remotes, to which credentials may be sent. @throws BackendError where the
 * repository cannot be used
 */
export async function listRemoteHosts({
  directory,
  env,
}: RepositoryPlace): Promise<ReadonlySet<string>> {
  const found = await findEnclosingRepository(directory);
  await requireRepositoryOwner(found, env);
  const settings = await readSettings(found, env);
  const urls = settings.flatMap(([key, url]) => (/^remote\.[^]+\.url$/.test(key) ? [url] : []));
  return new Set(urls.flatMap((url) => findHttpsHost(url) ?? []));
}

/** Finds the host and port of an https address; undefined for any other address. */
export function findHttpsHost(url: string): string | undefined {
  const { protocol, host } = URL.canParse(url) ? new URL(url) : {};
  return protocol === 'https:' ? host : undefined;
}

/** All settings of the repository, in their order, with keys as git writes them. Git reads them as a plain file. */
async function readSettings(
  { gitDirectory, common }: EnclosingRepository,
  env: GitRunContext['env'],
): Promise<readonly GitSettingEntry[]> {
  const git = openGitRunner({ directory: gitDirectory, env });
  const file = join(common, 'config');
  // The credentials of a CI job may lie in a file that is included for this very repository.
  const answer = await git(['config', '--file', file, '--includes', '-z', '--list']);
  if (answer.status !== 0) throw explainGitFailure(`Git cannot read ${file}`, answer);
  return answer.stdout
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '')
    .map((line): GitSettingEntry => {
      const end = line.indexOf('\n');
      return end === -1 ? [line, ''] : [line.slice(0, end), line.slice(end + 1)];
    });
}

/** Settings that git is run with later: the addresses of remotes, and credentials that a CI job has stored. */
function passOn(key: string, value: string, top: string): readonly GitSettingEntry[] {
  if (/^remote\.[^]+\.(?:push)?url$/.test(key)) return [[key, makeAbsolute(value, top)]];
  return /^http\.[^]+\.extraheader$/.test(key) ? [[key, value]] : [];
}

/** An address with a scheme, or with a host before its first slash, is no path. */
function makeAbsolute(url: string, top: string): string {
  return isAbsolute(url) || /^[^/]*:/.test(url) ? url : resolve(top, url);
}

/** Opens Hostwright's own repository, and makes it with its own settings where there is none. */
async function openOwn(
  { common }: EnclosingRepository,
  format: GitObjectFormat,
  env: GitRunContext['env'],
): Promise<string> {
  const folder = join(common, 'hostwright');
  const own = join(folder, format);
  try {
    if (!(await pathExists(join(own, 'HEAD')))) await makeOwn(folder, own, format, env);
    const settings = `[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = ${format}\n`;
    const file = join(own, 'config');
    if ((await readFile(file, 'utf8')) !== settings) await writeFile(file, settings);
  } catch (cause) {
    if (cause instanceof BackendError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BackendError('denied', `The state of a git branch needs ${folder}: ${reason}.`, {
      cause,
    });
  }
  return own;
}

async function makeOwn(
  folder: string,
  own: string,
  format: GitObjectFormat,
  env: GitRunContext['env'],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const fresh = await mkdtemp(join(folder, 'new-'));
  try {
    const git = openGitRunner({ directory: fresh, env });
    const answer = await initBareRepository(git, format);
    if (answer.status !== 0)
      throw explainGitFailure(`Git cannot make a repository in ${folder}`, answer);
    await rename(fresh, own).catch((error: unknown) => {
      // Another run has created the repository meanwhile, which is as good.
      if (readErrorCode(error) !== 'ENOTEMPTY' && readErrorCode(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function readRemotes(git: OpenGitRepository['git']): Promise<ReadonlyMap<string, GitRemote>> {
  const remotes = new Map<string, GitRemote>();
  const { stdout } = await git(['remote', '--verbose']);
  for (const line of stdout.toString('utf8').split('\n')) {
    const [, name, url, use] = /^(\S+)\t(.*) \((fetch|push)\)$/.exec(line) ?? [];
    if (name === undefined || url === undefined) continue;
    const { fetchUrl = url, pushUrls = [] } = remotes.get(name) ?? {};
    remotes.set(name, { fetchUrl, pushUrls: use === 'push' ? [...pushUrls, url] : pushUrls });
  }
  return remotes;
}
