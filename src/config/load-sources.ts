import { resolve } from 'node:path';
import { defaultConfigurationSizeLimits, type ConfigurationSizeLimits } from '../model/bounds.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { OutsideFilesPermission, GivenVariable } from '../model/runtime.ts';
import type { GitModuleFinder, LockFileReadingContext } from './modules/git-modules.ts';
import { ConfigurationFiles, type FileTextOverrides } from './source/configuration-files.ts';
import { ConfigurationFaultList } from './source/fault-list.ts';
import { readSourceDirectory, type ConfigurationReadingContext } from './modules/read-source.ts';

/** Files of a configuration, and limits on the reading. */
export interface ConfigurationSourceOptions {
  /** Directory of the YAML files; relative to the working directory unless absolute. */
  readonly directory: string;
  /** Directory to which paths in messages are relative; absolute. */
  readonly workingDirectory: string;
  /** Files that set variables: they are no part of the configuration, although they may be in its directory. */
  readonly given?: readonly GivenVariable[] | undefined;
  /** Set where files may lie outside of the configuration's directory. */
  readonly allowsOutsideFiles?: OutsideFilesPermission;
  /** Directories whose policies are evaluated beside those of the configuration; absolute. */
  readonly policyDirectories?: readonly string[] | undefined;
  /** Limits on the size of the configuration. */
  readonly bounds?: ConfigurationSizeLimits | undefined;
  readonly instead?: FileTextOverrides | undefined;
}

/** Prepares the reading of a configuration's files, before any is read; `openModules` makes the finder of modules from git. */
export function openConfigurationReading(
  options: ConfigurationSourceOptions,
  faults: ConfigurationFaultList,
  openModules: (reach: LockFileReadingContext) => GitModuleFinder,
): ConfigurationReadingContext {
  const { workingDirectory, bounds = defaultConfigurationSizeLimits, given = [] } = options;
  const named = given.flatMap((one) =>
    'file' in one ? [resolve(workingDirectory, one.file)] : [],
  );
  const root = resolve(workingDirectory, options.directory);
  const files = new ConfigurationFiles(root, options.allowsOutsideFiles ?? false, options.instead);
  const reach = { workingDirectory, root, faults, files };
  return {
    ...reach,
    gitModules: openModules(reach),
    modules: new Map(),
    fileBytes: bounds.fileBytes,
    variableFiles: new Set(named),
  };
}

/**
 * Reads the files of a configuration and of all of its modules, without evaluating anything, so that each `source` is
 * looked for once.
 * @returns diagnostics about the files
 */
export async function loadConfigurationSources(
  options: ConfigurationSourceOptions & { readonly secrets?: readonly string[] },
  openModules: (reach: LockFileReadingContext) => GitModuleFinder,
): Promise<readonly Diagnostic[]> {
  const faults = new ConfigurationFaultList(options.secrets);
  const reading = openConfigurationReading(options, faults, openModules);
  // Errors in the lock file are reported before anything is fetched.
  if (faults.isEmpty) await readSourceDirectory(reading.root, reading);
  return faults.toDiagnostics();
}
