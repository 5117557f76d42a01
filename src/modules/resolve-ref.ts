// Resolves the ref of a module to a commit, by asking its repository. Nothing is fetched for it.
import type { GitSource } from '../config/modules/git-source.ts';
import { formatNameList, suggestNearestName } from '../model/text/suggest.ts';
import { explainGitFailure } from '../state/backends/git/git-faults.ts';
import type { RunGit } from '../state/backends/git/git-program.ts';
import { ModuleFetchError } from './module-error.ts';

const usualPatienceMs = 60_000;
/** Most bytes of a repository's list of refs that are read: it may have any number of them. */
const maxBytes = 16 * 1024 * 1024;
const commitPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Resolves the ref of a module's source to the full hash of its commit. @throws ModuleFetchError `unknown-ref`; BackendError */
export async function resolveGitRef(git: RunGit, source: GitSource): Promise<string> {
  const commit = await findGitRefCommit(git, source);
  if (commit !== undefined) return commit;
  throw source.ref === undefined
    ? explainEmpty(source)
    : await explainMissing(git, source, source.ref);
}

/** Finds the commit of a ref; undefined where there is no ref of that name. @throws BackendError */
export async function findGitRefCommit(
  git: RunGit,
  { ref, url }: Pick<GitSource, 'ref' | 'url'>,
  patienceMs = usualPatienceMs,
): Promise<string | undefined> {
  if (ref !== undefined && commitPattern.test(ref)) return ref;
  // As git itself has it: a tag before a branch of the same name. A tag with words of its own stands for a commit.
  const names =
    ref === undefined ? ['HEAD'] : [`refs/tags/${ref}^{}`, `refs/tags/${ref}`, `refs/heads/${ref}`];
  const refs = await listRefs(git, url, ['--', url, ...names], patienceMs);
  return names.map((name) => refs.get(name)).find((one) => one !== undefined);
}

/** Lists the branches and tags of a repository, the newest tags first. @throws BackendError */
export async function listGitRefNames(
  git: RunGit,
  url: string,
  patienceMs = usualPatienceMs,
): Promise<{ readonly tags: readonly string[]; readonly branches: readonly string[] }> {
  const refs = await listRefs(git, url, ['--refs', '--tags', '--heads', '--', url], patienceMs);
  const of = (kind: string) =>
    [...refs.keys()].flatMap((name) => (name.startsWith(kind) ? [name.slice(kind.length)] : []));
  // The newest versions stand last in most orders that people number them in.
  const tags = of('refs/tags/').sort(compareVersions).reverse();
  return { tags, branches: of('refs/heads/').sort() };
}

async function listRefs(
  git: RunGit,
  url: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<ReadonlyMap<string, string>> {
  const answer = await git(['ls-remote', '--quiet', ...args], { timeoutMs, maxBytes });
  if (answer.status !== 0) throw explainGitFailure(`Git cannot read ${url}`, answer);
  const lines = answer.stdout.toString('utf8').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [id = '', name] = line.split('\t');
      return name !== undefined && commitPattern.test(id) ? [[name, id] as const] : [];
    }),
  );
}

function explainEmpty({ url }: GitSource): ModuleFetchError {
  return new ModuleFetchError({
    code: 'unknown-ref',
    summary: 'The repository of a module has no default branch',
    detail: `${url} does not say which of its branches is meant.`,
    hint: 'Name a tag, a branch or a whole commit: `?ref=v1.0.0`.',
  });
}

async function explainMissing(
  git: RunGit,
  { url }: GitSource,
  ref: string,
): Promise<ModuleFetchError> {
  const { tags, branches } = await listGitRefNames(git, url);
  const meant = suggestNearestName(ref, [...tags, ...branches]);
  const isShortCommit = /^[0-9a-f]{7,39}$/.test(ref);
  return new ModuleFetchError({
    code: 'unknown-ref',
    summary: `The repository of a module has no tag and no branch \`${ref}\``,
    detail: `${url} has ${describe(tags, 'tag')} and ${describe(branches, 'branch')}.`,
    hint: isShortCommit
      ? 'Write a commit in full: 40 hexadecimal digits.'
      : meant === undefined
        ? 'Name one of these, or a whole commit.'
        : `Did you mean \`${meant}\`?`,
  });
}

function describe(names: readonly string[], word: 'tag' | 'branch'): string {
  if (names.length === 0) return `no ${word}`;
  const plural = word === 'tag' ? 'tags' : 'branches';
  return `the ${names.length === 1 ? word : plural} ${formatNameList(names, 8)}`;
}

/** Compares versions so that `v1.10.0` comes after `v1.9.0`. */
function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
