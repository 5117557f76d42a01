// Fetches the modules of a configuration that come from git, and pins them. Only `init` does that: other commands read the
// fetched files.
import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { listEnvironmentSecrets } from '../../api/transport/token.ts';
import { isLoopback } from '../../model/text/is-loopback.ts';
import { loadConfigurationSources } from '../../config/load-sources.ts';
import {
  readModulePins,
  type LockFileReadingContext,
  type ModuleFault,
} from '../../config/modules/git-modules.ts';
import type { GitSource } from '../../config/modules/git-source.ts';
import {
  formatModulePins,
  moduleLockFileName,
  type ModulePins,
} from '../../config/modules/lock-file.ts';
import { readSystemErrorCode } from '../../config/source/configuration-files.ts';
import { listConfigurationFiles } from '../../config/source/read-files.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { ReadingRuntime, Runtime } from '../../model/runtime.ts';
import { ModuleFetcher, type FetchedModule } from '../../modules/fetching-modules.ts';
import { removeUnpinnedModules } from '../../modules/remove-unpinned.ts';
import { nameTemporaryFile } from '../../state/files/replace-file.ts';
import { createCommandRefusal } from '../session/refuse.ts';

export type { FetchedModule };

/** Options of `init` for the modules of a configuration, which are fetched from git. */
export interface InitModulesOptions {
  /** As given on the command line, relative to the working directory. */
  readonly directory: string;
  /** True to move pinned modules to the commits that their refs name now. */
  readonly isUpgrade: boolean;
  /** Set to refuse modules without a pin, and to leave the lock file as it is. */
  readonly isLocked: boolean;
}

/** Result of fetching modules. */
export interface InitializedModules {
  readonly modules: readonly FetchedModule[];
  /** Change of the lock file. */
  readonly lock: 'written' | 'removed' | 'unchanged';
  /** Directories of fetched modules that are pinned no more, and were deleted. */
  readonly removed: readonly string[];
  readonly warnings: readonly Diagnostic[];
}

/**
 * Fetches the modules of a directory's configuration and writes their pins: all of them, or no pin. Undefined where there
 * is none to fetch, and none was fetched before. `onFetch` is called before a repository is asked for anything.
 * @throws DiagnosticError with every fault
 */
export async function initModules(
  runtime: ReadingRuntime & Pick<Runtime, 'allowsPlainHttp' | 'beforeAbruptEnd' | 'clock'>,
  { directory, isUpgrade, isLocked }: InitModulesOptions,
  onFetch: (source: GitSource) => void,
): Promise<InitializedModules | undefined> {
  const root = resolve(runtime.cwd, directory);
  const isAsked = isUpgrade || isLocked;
  if ((await listConfigurationFiles(root)).length === 0) {
    if (!isAsked) return undefined;
    throw createCommandRefusal('no-configuration', `There is no configuration in ${directory}`, {
      detail: 'It holds no *.yaml or *.yml file, so there are no modules to fetch.',
      hint: 'Give the directory that holds the YAML files.',
    });
  }
  const path = join(root, moduleLockFileName);
  const hasLock = (await lstat(path).catch(() => undefined)) !== undefined;
  let before: ModulePins = new Map();
  let modules: ModuleFetcher | undefined;
  const open = (reach: LockFileReadingContext): ModuleFetcher => {
    before = readModulePins(reach) ?? before;
    const rules = {
      isUpgrade,
      isLocked,
      refuse: (source: GitSource) => findRefusal(runtime, source),
    };
    modules = new ModuleFetcher({ root, runtime, pins: before, ...rules, onFetch });
    return modules;
  };
  const diagnostics = await loadConfigurationSources(
    {
      directory: root,
      workingDirectory: runtime.cwd,
      bounds: runtime.bounds,
      given: runtime.variables,
      allowsOutsideFiles: runtime.allowsOutsideFiles ?? false,
      secrets: await listEnvironmentSecrets(runtime),
    },
    open,
  );
  const isMeant = diagnostics.some(({ code }) => code === 'invalid-module-source');
  if (!hasLock && !isAsked && !isMeant && modules?.isUsed !== true) return undefined;
  if (hasErrors(diagnostics)) throw new DiagnosticError(diagnostics);
  const fetched = modules?.fetched ?? [];
  const pins = new Map(fetched.map(({ source, pin }) => [source.pin, pin]));
  const lock = isLocked ? 'unchanged' : await keepPins(path, before, pins, hasLock);
  // A pin of a read-only lock file that nothing uses here may be used elsewhere.
  const kept = isLocked ? before : pins;
  const removed = await removeUnpinnedModules(root, kept.values());
  return { modules: fetched, lock, removed, warnings: diagnostics };
}

/** Refuses sources that the person who runs the command must allow first. */
function findRefusal(
  runtime: Pick<Runtime, 'allowsOutsideFiles' | 'allowsPlainHttp'>,
  source: GitSource,
): ModuleFault | undefined {
  const { protocol, host, url } = source;
  if (protocol === 'file' && runtime.allowsOutsideFiles !== true) {
    return {
      code: 'file-outside',
      summary: 'A module comes from a repository on this machine',
      detail: `${url} is outside of the directory of the configuration.`,
      hint: 'Use an https or ssh address, or run with --allow-outside-files.',
    };
  }
  if (protocol === 'http' && !isLoopback({ hostname: host }) && runtime.allowsPlainHttp !== true) {
    return {
      code: 'plain-http',
      summary: `The connection to ${url} would not be encrypted`,
      detail: 'Everybody on the way could put another module in its place.',
      hint: 'Use an https address. In a network that you trust, add --allow-plain-http.',
    };
  }
  return undefined;
}

/** Writes the lock file where its text changes, and removes it where nothing is pinned any more. */
async function keepPins(
  path: string,
  before: ModulePins,
  pins: ModulePins,
  hasLock: boolean,
): Promise<InitializedModules['lock']> {
  try {
    if (pins.size === 0) {
      if (!hasLock) return 'unchanged';
      await rm(path);
      return 'removed';
    }
    const text = formatModulePins(pins);
    if (hasLock && text === formatModulePins(before)) return 'unchanged';
    // Written beside the file and renamed: a link in its place is replaced, and not followed.
    const fresh = nameTemporaryFile(path);
    await writeFile(fresh, text, { flag: 'wx' });
    await rename(fresh, path);
    return 'written';
  } catch (error) {
    throw createCommandRefusal(
      'cannot-write',
      `${moduleLockFileName} cannot be written (${readSystemErrorCode(error)})`,
      {
        detail: 'The modules were fetched, and are not pinned.',
        hint: 'Check the permissions of the directory, and run hostwright init again.',
      },
    );
  }
}
