import { listKnownTokens } from '../../api/transport/token.ts';
import {
  loadConfiguration,
  type LoadResult,
  type VariableInputs,
} from '../../config/load-configuration.ts';
import type { Runtime } from '../../model/runtime.ts';
import { resolve } from 'node:path';

/** What a configuration is worth, read without a network. */
export type Validated = LoadResult;

/**
 * Checks the configuration alone: every fault at once. `variables`: those of a plan that was saved, or that none of them
 * has to be set.
 */
export async function validate(
  runtime: Runtime,
  directory: string,
  variables: Pick<VariableInputs, 'saved' | 'areOptional'> = {},
): Promise<Validated> {
  return loadConfiguration({
    directory: resolve(runtime.cwd, directory),
    workingDirectory: runtime.cwd,
    variables: { ...runtime.variables, env: runtime.env, ...variables },
    bounds: runtime.bounds,
    secrets: await listKnownTokens(runtime),
    allowsOutsideFiles: runtime.allowsOutsideFiles ?? false,
  });
}
