import { ModuleFetchError } from './module-error.ts';

/** Error with the reason why the repository of a workspace cannot be used. The message is for people. */
export class RepositoryError extends Error {
  override readonly name = 'RepositoryError';
}

/** The summaries of the faults that modules and workspaces have in common, as they are of a workspace. */
const summaries: Readonly<Record<string, string>> = {
  'module-commit-gone': 'The repository of the workspace does not have the commit any more',
  'module-too-large': 'The repository of the workspace is too large',
  'invalid-module-content':
    'The repository of the workspace holds a path that is not safe to write',
  'file-outside': 'The repository of the workspace holds a link that leads out of it',
};

/** Rethrows an error about a module's content as one about a workspace's repository. @throws RepositoryError */
export function rethrowAsRepositoryError(error: unknown): never {
  if (!(error instanceof ModuleFetchError)) throw error;
  const { code, summary, detail } = error.fault;
  throw new RepositoryError(`${summaries[code] ?? summary}. ${detail}`, { cause: error });
}
