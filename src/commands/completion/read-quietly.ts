import {
  loadConfiguration,
  type ConfigurationLoadResult,
} from '../../config/load-configuration.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Runtime } from '../../model/runtime.ts';

/**
 * Reads as much of a configuration as has no faults, without reporting any: for completion. The values of the traced resources
 * come with their sources.
 */
export async function readConfigurationLeniently(
  { cwd, env, variables, bounds }: Pick<Runtime, 'bounds' | 'cwd' | 'env' | 'variables'>,
  directory: string,
  traced: readonly ResourceAddress[] = [],
): Promise<ConfigurationLoadResult | undefined> {
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
