import { readFile, stat } from 'node:fs/promises';
import { basename, relative, dirname, isAbsolute, join, resolve } from 'node:path';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Runtime } from '../../model/runtime.ts';
import { formatRelativePath } from '../session/session.ts';

/**
 * The identity of a plan. Its directory counts from the root of the repository, so that it is the same from every working
 * directory; without a repository, from the working directory.
 * @param directory of the configuration, absolute
 */
export async function identifyPlan(
  runtime: Pick<Runtime, 'cwd' | 'env'>,
  directory: string,
  { account }: { readonly account?: string } = {},
): Promise<PlanIdentity> {
  const repository = await findConfigurationRepository(directory);
  const fromRoot = repository
    ? relative(repository.root, directory).replaceAll('\\', '/') || '.'
    : formatRelativePath(runtime, directory);
  const commit = await readCommit(runtime, repository);
  // A server checks out one commit without its repository, in a directory that has no name.
  const workspace = runtime.env.HOSTWRIGHT_SERVER_WORKSPACE;
  if (workspace !== undefined) {
    return {
      name: workspace,
      directory: workspace,
      ...(account !== undefined && { account }),
      ...(commit !== undefined && { commit }),
    };
  }
  return {
    name: fromRoot === '.' ? basename(directory) || directory : fromRoot,
    directory: fromRoot,
    ...(account !== undefined && { account }),
    ...(commit !== undefined && { commit }),
  };
}

// The commit of a configuration and the root of its repository: read from `.git`, without a process.

/** Environment variables in which pipelines give their commit, the most common first. */
const variables = [
  'GITHUB_SHA',
  'CI_COMMIT_SHA',
  'BUILDKITE_COMMIT',
  'CIRCLE_SHA1',
  'BITBUCKET_COMMIT',
  'BUILD_SOURCEVERSION',
  'GIT_COMMIT',
] as const;

/** Size limit of the files that are read; a list of packed refs may be long. */
const maxBytes = 8 * 1024 * 1024;

const hash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Names of refs that are followed: without `..`, so that they lead to no other directory. */
const refName = /^refs\/(?!.*\.\.)[^\s\0]+$/;

/** The git repository on this machine that the configuration lies in. */
interface ConfigurationRepository {
  /** The directory that holds `.git`; absolute. */
  readonly root: string;
  /** Directory with HEAD; absolute. */
  readonly gitDirectory: string;
}

/** The repository that a directory lies in; undefined where it belongs to none. */
async function findConfigurationRepository(
  directory: string,
): Promise<ConfigurationRepository | undefined> {
  for (let root = directory; ; root = dirname(root)) {
    const path = join(root, '.git');
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return { root, gitDirectory: path };
    if (found?.isFile()) {
      // A worktree, or a submodule.
      const [, place] = /^gitdir: (.+)$/m.exec((await readText(path)) ?? '') ?? [];
      if (place !== undefined) return { root, gitDirectory: resolve(root, place.trim()) };
    }
    if (dirname(root) === root) return undefined;
  }
}

/** The commit in hex: that of the pipeline, or else that of the checkout. Undefined without either. */
async function readCommit(
  { env }: Pick<Runtime, 'env'>,
  repository: ConfigurationRepository | undefined,
): Promise<string | undefined> {
  const given = variables.map((name) => env[name]?.trim().toLowerCase() ?? '');
  return given.find((text) => hash.test(text)) ?? (repository && (await readHeadOf(repository)));
}

async function readHeadOf({ gitDirectory }: ConfigurationRepository): Promise<string | undefined> {
  const head = (await readText(join(gitDirectory, 'HEAD')))?.trim() ?? '';
  if (hash.test(head)) return head;
  const [, ref = ''] = /^ref: (.+)$/.exec(head) ?? [];
  if (!refName.test(ref)) return undefined;
  const common = (await readText(join(gitDirectory, 'commondir')))?.trim() ?? '.';
  const shared = isAbsolute(common) ? common : join(gitDirectory, common);
  for (const directory of new Set([gitDirectory, shared])) {
    const text = (await readText(join(directory, ref)))?.trim() ?? '';
    if (hash.test(text)) return text;
  }
  return findPacked((await readText(join(shared, 'packed-refs'))) ?? '', ref);
}

function findPacked(text: string, ref: string): string | undefined {
  const line = text.split('\n').find((one) => one.endsWith(` ${ref}`));
  const commit = line?.slice(0, -ref.length - 1) ?? '';
  return hash.test(commit) ? commit : undefined;
}

/** Reads a text file; one that cannot be read counts as absent, since the commit is optional. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= maxBytes ? await readFile(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
