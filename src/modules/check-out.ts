// Any repository at exactly one commit, written to a directory: what a server plans of. As for modules, git fetches objects
// and prints them, and writes no file of the repository.
import { join } from 'node:path';
import { placeOfPin } from '../config/modules/git-modules.ts';
import type { GitProtocol, GitSource } from '../config/modules/git-source.ts';
import { hashEntries } from '../config/modules/hash-content.ts';
import type { Runtime } from '../model/runtime.ts';
import { BackendError } from '../state/backends/backend-error.ts';
import { fetchCommit, openWorkshop, readContent } from './fetch-content.ts';
import { resolveRef } from './resolve-ref.ts';
import { writeContent } from './write-content.ts';

/** How git may reach repositories. */
export type Means = Pick<Runtime, 'env' | 'beforeAbruptEnd'>;

/** The newest commit of a branch. @throws ModuleError, BackendError */
export async function findBranch(means: Means, url: string, branch: string): Promise<string> {
  const shop = await openWorkshop({ ...means, protocols: [protocolOf(url)] }, 'sha1');
  try {
    return await resolveRef(shop.git, describeSource(url, branch));
  } finally {
    await shop.close();
  }
}

/**
 * Writes what a repository holds at a commit below `root`, a directory of nobody else.
 * @returns the directory of the repository's top
 * @throws ModuleError, BackendError
 */
export async function checkOut(
  means: Means,
  { url, commit, root }: { readonly url: string; readonly commit: string; readonly root: string },
): Promise<string> {
  const format = commit.length === 64 ? 'sha256' : 'sha1';
  const shop = await openWorkshop({ ...means, protocols: [protocolOf(url)] }, format);
  try {
    await fetchCommit(shop, url, commit);
    const entries = await readContent(shop, commit);
    const pin = { commit, content: hashEntries(entries) };
    await writeContent(root, pin, entries);
    return join(root, placeOfPin(pin));
  } finally {
    await shop.close();
  }
}

/** The protocol of an address. @throws BackendError for one that git must not use */
function protocolOf(url: string): GitProtocol {
  const [, protocol] = /^(https|file):\/\//.exec(url) ?? [];
  if (protocol === 'https' || protocol === 'file') return protocol;
  throw new BackendError('broken', 'A repository is reached by https:// or file://.');
}

function describeSource(url: string, ref: string): GitSource {
  return { protocol: protocolOf(url), host: '', url, path: '', ref, pin: url };
}
