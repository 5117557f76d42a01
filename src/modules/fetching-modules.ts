// Fetches modules from git for `hostwright init`. A pinned commit is fetched exactly; a module without a pin gets one.
// Repositories belong to strangers: see fetch-content.ts and write-content.ts for what their content may do.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isModuleIntact,
  findModulePinDirectory,
  type FetchedModuleDirectoryOrFault,
  type GitModuleFinder,
  type ModuleFault,
} from '../config/modules/git-modules.ts';
import type { GitProtocol, GitSource } from '../config/modules/git-source.ts';
import { hashModuleEntries } from '../config/modules/hash-content.ts';
import {
  moduleLockFileName,
  type ModulePin,
  type ModulePins,
} from '../config/modules/lock-file.ts';
import type { Runtime } from '../model/runtime.ts';
import { stateReadRetryMs, retryUntilReached } from '../state/backends/backend-error.ts';
import { findHttpsHost, listRemoteHosts } from '../state/backends/git/open-repository.ts';
import {
  fetchCommit,
  openTemporaryFetchRepository,
  readCommitContent,
  type TemporaryFetchRepository,
} from './fetch-content.ts';
import { findModuleFault, ModuleFetchError } from './module-error.ts';
import { resolveGitRef } from './resolve-ref.ts';
import { writeModuleContent } from './write-content.ts';

/** A module from git with its pin before and after `init`. */
export interface FetchedModule {
  readonly source: GitSource;
  readonly pin: ModulePin;
  /** The commit that the module was pinned to; undefined when it had no pin. */
  readonly before: string | undefined;
  /** Tells whether the module was fetched; otherwise the pinned content was on the disk already. */
  readonly isFetched: boolean;
}

/** Options for fetching modules: pins, policy and callbacks. */
export interface ModuleFetchOptions {
  /** Absolute path of the configuration's directory. */
  readonly root: string;
  readonly runtime: Pick<Runtime, 'env' | 'clock' | 'beforeAbruptEnd'>;
  readonly pins: ModulePins;
  /** Set by --upgrade: pins move to the commits that their refs name now. */
  readonly isUpgrade: boolean;
  /** Tells whether no pin may be added to the lock file. */
  readonly isLocked: boolean;
  /** Finds the fault of a repository that may not be fetched from; undefined where it may. */
  refuse(source: GitSource): ModuleFault | undefined;
  /** Called before a git repository is contacted. */
  onFetch(source: GitSource): void;
}

const mostRepositories = 100;

/** Protocols that git may use for an address: settings of the user may rewrite https to ssh, or ssh to https. */
const reachable: Readonly<Record<GitProtocol, readonly string[]>> = {
  https: ['https', 'ssh'],
  ssh: ['ssh', 'https'],
  http: ['http'],
  file: ['file'],
};

/** Finds modules by fetching their repositories, as `init` does. */
export class ModuleFetcher implements GitModuleFinder {
  readonly #options: ModuleFetchOptions;
  readonly #found = new Map<string, Promise<FetchedModuleDirectoryOrFault>>();
  readonly #fetched = new Map<string, FetchedModule>();
  #ownHosts: Promise<ReadonlySet<string>> | undefined;

  constructor(options: ModuleFetchOptions) {
    this.#options = options;
  }

  /** Modules found so far, sorted as their pins. */
  get fetched(): readonly FetchedModule[] {
    return [...this.#fetched].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  }

  /** Tells whether the configuration has asked for a module from git. */
  get isUsed(): boolean {
    return this.#found.size > 0;
  }

  find(source: GitSource): Promise<FetchedModuleDirectoryOrFault> {
    const found = this.#found.get(source.pin) ?? this.#find(source);
    this.#found.set(source.pin, found);
    return found;
  }

  async #find(source: GitSource): Promise<FetchedModuleDirectoryOrFault> {
    try {
      if (this.#found.size >= mostRepositories) throw explainTooMany();
      const fetched = await this.#fetch(source);
      this.#fetched.set(source.pin, fetched);
      return {
        directory: await realpath(join(this.#options.root, findModulePinDirectory(fetched.pin))),
      };
    } catch (error) {
      const fault = findModuleFault(error);
      if (!fault) throw error;
      return { fault };
    }
  }

  async #fetch(source: GitSource): Promise<FetchedModule> {
    const { root, pins, isUpgrade, isLocked } = this.#options;
    const pinned = pins.get(source.pin);
    const before = pinned?.commit;
    const isThere = (pin: ModulePin) =>
      isModuleIntact(join(root, findModulePinDirectory(pin)), pin);
    if (pinned && !isUpgrade && isThere(pinned)) {
      return { source, pin: pinned, before, isFetched: false };
    }
    if (!pinned && isLocked) throw explainLocked(source);
    const refusal = this.#options.refuse(source);
    if (refusal) throw new ModuleFetchError(refusal);
    this.#options.onFetch(source);
    const commit = pinned && !isUpgrade ? pinned.commit : await this.#resolve(source);
    if (pinned?.commit === commit && isThere(pinned)) {
      return { source, pin: pinned, before, isFetched: false };
    }
    const pin = await this.#fetchCommit(source, commit, isUpgrade ? undefined : pinned);
    return { source, pin, before, isFetched: true };
  }

  #resolve(source: GitSource): Promise<string> {
    return this.#inWorkshop(source, 'sha1', ({ git }) =>
      this.#reach(() => resolveGitRef(git, source)),
    );
  }

  #fetchCommit(
    source: GitSource,
    commit: string,
    expected: ModulePin | undefined,
  ): Promise<ModulePin> {
    return this.#inWorkshop(source, commit.length === 64 ? 'sha256' : 'sha1', async (shop) => {
      await this.#reach(() => fetchCommit(shop, source.url, commit));
      const { files } = await readCommitContent(shop, commit);
      const pin = { commit, content: hashModuleEntries(files) };
      if (expected && expected.content !== pin.content) throw explainOther(source);
      await writeModuleContent(this.#options.root, pin, files);
      return pin;
    });
  }

  async #inWorkshop<T>(
    { protocol, url }: GitSource,
    format: 'sha1' | 'sha256',
    work: (shop: TemporaryFetchRepository) => Promise<T>,
  ): Promise<T> {
    const { env, beforeAbruptEnd } = this.#options.runtime;
    const own = await this.#findOwnHosts();
    const isOwn = own.has(findHttpsHost(url) ?? '');
    // A program that answers for the host of the checkout does so for any host. Empty, it also stands for that of the settings.
    const asking = isOwn ? env : { ...env, GIT_ASKPASS: '' };
    const place = { env: asking, beforeAbruptEnd, protocols: reachable[protocol] };
    const shop = await openTemporaryFetchRepository(place, format);
    try {
      return await work(shop);
    } finally {
      await shop.close();
    }
  }

  #findOwnHosts(): Promise<ReadonlySet<string>> {
    const { root: directory, runtime } = this.#options;
    this.#ownHosts ??= listRemoteHosts({ directory, env: runtime.env }).catch(() => new Set());
    return this.#ownHosts;
  }

  #reach<T>(attempt: () => Promise<T>): Promise<T> {
    return retryUntilReached(attempt, {
      clock: this.#options.runtime.clock,
      patienceMs: stateReadRetryMs,
    });
  }
}

function explainTooMany(): ModuleFetchError {
  return new ModuleFetchError({
    code: 'too-many-modules',
    summary: `The configuration uses more than ${mostRepositories} modules from git`,
    detail: 'No more of them were fetched.',
    hint: 'Use fewer repositories, or fewer refs of them.',
  });
}

function explainLocked({ pin }: GitSource): ModuleFetchError {
  return new ModuleFetchError({
    code: 'module-not-pinned',
    summary: `A module from git has no pin in ${moduleLockFileName}`,
    detail: `It is ${pin}, and --lockfile readonly adds no pin.`,
    hint: `Run hostwright init without that flag, and commit ${moduleLockFileName}.`,
  });
}

function explainOther({ pin }: GitSource): ModuleFetchError {
  return new ModuleFetchError({
    code: 'module-changed',
    summary: `A module does not hold what ${moduleLockFileName} says`,
    detail: `The commit of ${pin} holds something else than was pinned: somebody has edited the file.`,
    hint: `Restore ${moduleLockFileName} from version control, or run hostwright init --upgrade and review what changes.`,
  });
}
