import { loadConfiguration, type LoadResult } from '../../config/load-configuration.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Runtime } from '../../model/runtime.ts';

/** Reads as much of a configuration as is readable, with the sources of the traced resources' values. */
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
