// Which workspaces a change of files concerns: those that have one of them in their directory, or in one of `reads`. A run reads
// nothing else, so that nothing else can change its plan.
import type { Workspace } from '../store/workspaces.ts';
import type { GitHost, PullRequest } from '../hosts/git-host.ts';

/** Lists the files that a pull request touches. */
interface PullFiles {
  readonly host: Pick<GitHost, 'listChangedFiles'>;
  readonly repository: string;
  readonly pull: Pick<PullRequest, 'number'>;
}

type Placed = Pick<Workspace, 'directory' | 'reads'>;

/**
 * Lists the workspaces that read a directory which a pull request changes. Where the host cannot list the files, all workspaces
 * count as touched.
 */
export async function listTouchedWorkspaces<W extends Placed>(
  { host, repository, pull }: PullFiles,
  workspaces: readonly W[],
): Promise<readonly W[]> {
  return filterTouchedWorkspaces(workspaces, () => host.listChangedFiles(repository, pull.number));
}

/**
 * Filters workspaces by the directories that they read: those remain that read one of the changed files. The files are asked for
 * only if the answer matters.
 */
export async function filterTouchedWorkspaces<W extends Placed>(
  workspaces: readonly W[],
  listFiles: () => Promise<readonly string[] | undefined>,
): Promise<readonly W[]> {
  if (workspaces.every((one) => listRead(one).some(isTop))) return workspaces;
  const files = await listFiles();
  if (!files) return workspaces;
  const touched = new Set(files.flatMap(listAbove));
  return workspaces.filter((one) =>
    listRead(one).some((directory) => isTop(directory) || touched.has(trimDirectory(directory))),
  );
}

/** Directories that its runs read. */
function listRead({ directory, reads }: Placed): readonly string[] {
  return [directory, ...reads];
}

/** A path, and each directory that it is in: `a/b.yaml`, `a`. */
function listAbove(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

function trimDirectory(directory: string): string {
  return directory.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}

/** A directory that is written in any other way than plainly is taken for all of the repository. */
function isTop(directory: string): boolean {
  return directory === '.' || /(?:^|\/)\.?\/|\/\.$/.test(directory.replace(/^\.\//, ''));
}
