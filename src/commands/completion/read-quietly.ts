import { loadConfiguration, type LoadResult } from '../../config/load-configuration.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Runtime } from '../../model/runtime.ts';

/** As much of a configuration as can be read, with where the values of the traced resources come from. */
export async function readConfigurationQuietly(
  { cwd, env, variables, bounds }: Pick<Runtime, 'bounds' | 'cwd' | 'env' | 'variables'>,
  directory: string,
  traced: readonly ResourceAddress[] = [],
): Promise<LoadResult | undefined> {
  try {
    return await loadConfiguration({
      directory,
      traced,
      workingDirectory: cwd,
      variables: { given: variables ?? [], env, areOptional: true },
      ...(bounds && { bounds }),
    });
  } catch {
    return undefined;
  }
}
