// The files of one state in a commit of its branch. A commit never changes, so files read from one commit fit together.
import { stateReadRetryMs, retryUntilReached, BackendError } from '../backend-error.ts';
import { isStateFileName, type StateFileName } from '../../files/files.ts';
import type { StateFileReader } from '../server-files.ts';
import type { Clock } from '../../../model/runtime.ts';
import type { GitObjectId } from './commit-writer.ts';
import { explainGitFailure } from './git-faults.ts';
import type { OpenGitRepository } from './git-program.ts';
import type { RemoteBranch, GitRemoteRefs } from './remote-branch.ts';

/** Files of the state in one git commit. */
export interface StateTree {
  /** Hash of the commit; undefined where the branch does not exist yet. */
  readonly tip: GitObjectId | undefined;
  readonly files: ReadonlyMap<StateFileName, GitObjectId>;
}

/** Lists the files below `folder` (`''`, or ending in `/`) in a commit that was fetched. */
export async function readStateTree(
  { git }: OpenGitRepository,
  tip: GitObjectId | undefined,
  folder: string,
): Promise<StateTree> {
  const files = new Map<StateFileName, GitObjectId>();
  if (tip === undefined) return { tip, files };
  const paths = folder === '' ? [] : [folder];
  const answer = await git(['ls-tree', '-r', '-z', '--full-tree', tip, '--', ...paths]);
  if (answer.status !== 0)
    throw explainGitFailure('Git cannot list the files of the state', answer);
  for (const entry of answer.stdout.toString('utf8').split('\0')) {
    // Only plain files belong to the state: no links, no submodules.
    const [, id = '', path = ''] = /^100\d{3} blob ([\da-f]+)\t(.*)$/s.exec(entry) ?? [];
    const name = path.startsWith(folder) ? path.slice(folder.length) : '';
    if (isStateFileName(name)) files.set(name, id);
  }
  return { tip, files };
}

/** Reads the content of a file from git. */
export async function readGitBlob({ git }: OpenGitRepository, id: GitObjectId): Promise<Buffer> {
  const answer = await git(['cat-file', 'blob', id]);
  if (answer.status !== 0) throw explainGitFailure('Git cannot read a file of the state', answer);
  return answer.stdout;
}

/** Reads the texts of the state in one git commit. */
export class GitTreeStateReader implements StateFileReader {
  readonly #repository: OpenGitRepository;
  readonly #tree: StateTree;

  constructor(repository: OpenGitRepository, tree: StateTree) {
    this.#repository = repository;
    this.#tree = tree;
  }

  list(): Promise<readonly StateFileName[]> {
    return Promise.resolve([...this.#tree.files.keys()]);
  }

  async read(name: StateFileName): Promise<string | undefined> {
    const id = this.#tree.files.get(name);
    if (id === undefined) return undefined;
    return (await readGitBlob(this.#repository, id)).toString('utf8');
  }
}

/** Asks the remote for its refs, and fetches both commits. Tries again while nobody answers. */
export async function fetchRemoteRefs(
  remote: RemoteBranch,
  clock: Clock,
  wanted: readonly (keyof GitRemoteRefs)[],
): Promise<GitRemoteRefs> {
  return retryUntilReached(
    async () => {
      const refs = await remote.look();
      if (await remote.fetch(Object.fromEntries(wanted.map((ref) => [ref, refs[ref]]))))
        return refs;
      throw new BackendError(
        'unreachable',
        `${remote.place} changes faster than it can be fetched.`,
      );
    },
    { clock, patienceMs: stateReadRetryMs },
  );
}
