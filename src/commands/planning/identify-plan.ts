import { basename, relative } from 'node:path';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Runtime } from '../../model/runtime.ts';
import { relativeTo } from '../session/session.ts';
import { findConfigurationRepository, readCommit } from './read-commit.ts';

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
    : relativeTo(runtime, directory);
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
