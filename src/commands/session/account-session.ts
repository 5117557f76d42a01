import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { classifyRefusal } from '../../api/errors/classify-error.ts';
import { describeError } from '../../api/errors/describe-error.ts';
import { ServiceError } from '../../api/errors/errors.ts';
import type { Configuration } from '../../config/load-configuration.ts';
import { defaultStateSettings } from '../../config/load-state-settings.ts';
import { listConfigurationFiles } from '../../config/source/read-files.ts';
import { DiagnosticError } from '../../model/errors.ts';
import { emptyDesiredGraph } from '../../model/resource.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import type { State } from '../../model/state/state.ts';
import { readConfiguredState } from './state/open-backend.ts';
import { connectToService, type ServiceConnection } from './connect.ts';
import { createCommandRefusal } from './refuse.ts';
import type { Reporter } from './reporter.ts';
import { readConfiguration } from './session.ts';

/** Configuration, state and connection of an account, opened without a lock: for commands that do not change the state. */
export interface AccountSession {
  readonly configuration: Configuration;
  /** State as it was when it was read. It is not locked, so an apply may be changing it. */
  readonly state: State;
  readonly connection: ServiceConnection;
}

/**
 * Opens the account of a configuration for as long as `work` takes, without locking the state. The configuration is the one in
 * the working directory unless another directory is given.
 */
export async function withConfiguredAccount<T>(
  runtime: SessionRuntime,
  reporter: Pick<Reporter, 'showDiagnostics'>,
  work: (session: AccountSession) => Promise<T>,
  directory = '.',
): Promise<T> {
  const configuration = await readConfiguration(runtime, directory, reporter);
  return workOn(runtime, configuration, reporter, work);
}

/**
 * Opens an account as `withConfiguredAccount` does. In a directory without a configuration, the account is that of the service whose
 * address the environment has.
 */
export async function withOptionallyConfiguredAccount<T>(
  runtime: SessionRuntime,
  reporter: Pick<Reporter, 'showDiagnostics'>,
  work: (session: AccountSession) => Promise<T>,
  directory = '.',
): Promise<T> {
  const absolute = resolve(runtime.cwd, directory);
  if ((await listConfigurationFiles(absolute)).length > 0 || !existsSync(absolute)) {
    return withConfiguredAccount(runtime, reporter, work, directory);
  }
  if (!runtime.env.HOSTWRIGHT_BASE_URL) {
    throw createCommandRefusal('no-configuration', `There is no configuration in ${directory}`, {
      detail: 'It would say where the account is.',
      hint: 'Set HOSTWRIGHT_BASE_URL and HOSTWRIGHT_TOKEN, or give the directory of a configuration.',
    });
  }
  const configuration: Configuration = {
    directory: absolute,
    files: [],
    service: undefined,
    state: defaultStateSettings,
    variables: {},
    sensitiveVariables: [],
    graph: emptyDesiredGraph,
  };
  return workOn(runtime, configuration, reporter, work);
}

async function workOn<T>(
  runtime: SessionRuntime,
  configuration: Configuration,
  reporter: Pick<Reporter, 'showDiagnostics'>,
  work: (session: AccountSession) => Promise<T>,
): Promise<T> {
  const { state, diagnostics } = await readConfiguredState(runtime, configuration.directory);
  reporter.showDiagnostics(diagnostics.filter(({ severity }) => severity !== 'note'));
  const connection = await connectToService(runtime, configuration, state, reporter);
  try {
    return await work({ configuration, state, connection });
  } catch (error) {
    throw explainRefused(error);
  } finally {
    connection.close();
  }
}

/**
 * Explains a value that the service refuses: it was given on the command line, so the hint names that and not the
 * configuration.
 */
function explainRefused(error: unknown): unknown {
  if (!(error instanceof ServiceError) || classifyRefusal(error) !== 'validation') return error;
  const diagnostic = { ...describeError(error), hint: 'Correct the value on the command line.' };
  return new DiagnosticError([diagnostic], { cause: error });
}
