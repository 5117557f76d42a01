// The texts of a state on a branch. Without a lock, `list` asks the remote, and what is read after it is of the same
// commit. Under a lock they are as the last write left them.
import { InternalError } from '../../../model/errors.ts';
import type { Clock } from '../../../model/runtime.ts';
import type { FileName, StateFiles } from '../../files/files.ts';
import type { HeldBranch } from './held-branch.ts';
import type { RemoteBranch } from './remote-branch.ts';
import { lookAndFetch, readText, readTree, type StateTree } from './state-tree.ts';

/** What the files of a state are read with. */
export interface GitFilesOptions {
  readonly remote: RemoteBranch;
  readonly clock: Clock;
  /** Below which folder of the tree the state is: `''`, or ending in `/`. */
  readonly folder: string;
  /** What stands before a name in messages; `git show` takes the whole. */
  readonly prefix: string;
  /** The branch in the hands of the lock's holder; undefined for those who only read. */
  readonly held: HeldBranch | undefined;
}

/** The files of a state on a branch. */
export class GitFiles implements StateFiles {
  readonly #options: GitFilesOptions;
  #seen: StateTree | undefined;

  constructor(options: GitFilesOptions) {
    this.#options = options;
  }

  pathOf(name: FileName): string {
    return `${this.#options.prefix}${name}`;
  }

  async list(): Promise<readonly FileName[]> {
    this.#seen = undefined;
    return [...(await this.#readTree()).files.keys()];
  }

  async read(name: FileName): Promise<string | undefined> {
    const { files } = await this.#readTree();
    const id = files.get(name);
    if (id === undefined) return undefined;
    return (await readText(this.#options.remote.repository, id)).toString('utf8');
  }

  async replace(name: FileName, text: string): Promise<void> {
    await this.#branch.write({ kind: 'replace', name, text });
  }

  async append(name: FileName, text: string): Promise<void> {
    await this.#branch.write({ kind: 'append', name, text });
  }

  async remove(name: FileName): Promise<void> {
    await this.#branch.write({ kind: 'remove', name, text: '' });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get #branch(): HeldBranch {
    const { held } = this.#options;
    if (held) return held;
    throw new InternalError('A state on a git branch is written without its lock.');
  }

  async #readTree(): Promise<StateTree> {
    const { remote, clock, folder, held } = this.#options;
    if (held) return held.readTree();
    if (this.#seen) return this.#seen;
    const { tip } = await lookAndFetch(remote, clock, ['tip']);
    this.#seen = await readTree(remote.repository, tip, folder);
    return this.#seen;
  }
}
