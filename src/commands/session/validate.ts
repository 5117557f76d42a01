import { listEnvironmentSecrets } from '../../api/transport/token.ts';
import {
  loadConfiguration,
  type ConfigurationLoadResult,
  type VariableInputs,
} from '../../config/load-configuration.ts';
import type { FileTextOverrides } from '../../config/source/configuration-files.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import type { ReadingRuntime } from '../../model/runtime.ts';
import { resolve } from 'node:path';

/** Result of reading a configuration without a network. */
export type ValidatedConfiguration = ConfigurationLoadResult;

/** Options of reading a configuration. */
export interface ValidateOptions extends Pick<
  VariableInputs,
  'saved' | 'areOptional' | 'isEnvironmentOptional'
> {
  /** Resources whose values are traced to their places in the configuration; none unless given. */
  readonly traced?: readonly ResourceAddress[] | undefined;
  /** Mode of the plan that the configuration is read for; a destroy needs less of it. */
  readonly mode?: PlanMode | undefined;
  readonly instead?: FileTextOverrides | undefined;
}

/** Checks the configuration alone: every fault at once. */
export async function validate(
  runtime: ReadingRuntime,
  directory: string,
  { traced, mode, instead, ...variables }: ValidateOptions = {},
): Promise<ValidatedConfiguration> {
  return loadConfiguration({
    directory: resolve(runtime.cwd, directory),
    workingDirectory: runtime.cwd,
    variables: {
      given: runtime.variables ?? [],
      env: runtime.env,
      readableEnv: runtime.readableEnv,
      ...variables,
    },
    bounds: runtime.bounds,
    secrets: await listEnvironmentSecrets(runtime),
    allowsOutsideFiles: runtime.allowsOutsideFiles ?? false,
    policyDirectories: runtime.policyDirectories,
    instead,
    ...(traced && { traced }),
    isForDestroy: mode === 'destroy',
  });
}
