import { listKnownTokens } from '../api/token.ts';
import {
  loadConfiguration,
  type Configuration,
  type LoadResult,
} from '../config/load-configuration.ts';
import type { Runtime } from '../model/runtime.ts';
import { resolve } from 'node:path';

/** What a configuration is worth, read without a network. */
export type Validated = LoadResult;

/** Checks the configuration alone: every fault at once. `saved`: the variables of a plan that was saved. */
export async function validate(
  runtime: Runtime,
  directory: string,
  saved?: Configuration['variables'],
): Promise<Validated> {
  return loadConfiguration({
    directory: resolve(runtime.cwd, directory),
    workingDirectory: runtime.cwd,
    variables: { ...runtime.variables, env: runtime.env, ...(saved && { saved }) },
    bounds: runtime.bounds,
    secrets: await listKnownTokens(runtime),
    allowsOutsideFiles: runtime.allowsOutsideFiles ?? false,
  });
}
