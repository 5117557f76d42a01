// Modules from git, as they are found below the configuration's directory. A run that only reads takes the copies that
// `hostwright init` has fetched, exactly as the lock file pins them, and never asks a network; `init` finds them by fetching.
import { join, relative } from 'node:path';
import { decodeUtf8Text } from '../source/read-files.ts';
import type { ConfigurationFiles } from '../source/configuration-files.ts';
import type { ConfigurationFault, ConfigurationFaultList } from '../source/fault-list.ts';
import type { GitSource } from './git-source.ts';
import { hashDirectory } from './hash-content.ts';
import {
  moduleLockFileName,
  parseModulePins,
  type ModulePin,
  type ModulePins,
} from './lock-file.ts';

/** Fault of a module that cannot be used; its place is that of the module's `source`. */
export type ModuleFault = Required<
  Pick<ConfigurationFault, 'code' | 'summary' | 'detail' | 'hint'>
>;

/**
 * Directory with the fetched content of a module's git repository, or the fault because of which there is none;
 * undefined where that was reported already.
 */
export type FetchedModuleDirectoryOrFault =
  { readonly directory: string } | { readonly fault: ModuleFault } | undefined;

/** Finds the content of the git repositories that modules come from, either on the disk or by fetching it. */
export interface GitModuleFinder {
  /** Finds the absolute path of the repository's content at its pin. */
  find(source: GitSource): Promise<FetchedModuleDirectoryOrFault>;
}

/** Context for reading the lock file of modules. */
export interface LockFileReadingContext {
  /** Absolute path of the configuration's directory. */
  readonly root: string;
  readonly workingDirectory: string;
  readonly files: ConfigurationFiles;
  readonly faults: ConfigurationFaultList;
}

const maxLockBytes = 4 * 1024 * 1024;

/** Directory of fetched modules, each under the hash of its content; it may be removed at any time. */
export const modulesDirectory = join('.hostwright', 'modules');

/** Finds the directory with the content of a pinned module, relative to that of the configuration. */
export function findModulePinDirectory({ content }: ModulePin): string {
  return join(modulesDirectory, content.slice('sha256:'.length, 'sha256:'.length + 16));
}

/** Reads the pins of the lock file; none where there is no such file, undefined where it is invalid, which is reported. */
export function readModulePins({
  root,
  workingDirectory,
  files,
  faults,
}: LockFileReadingContext): ModulePins | undefined {
  const path = join(root, moduleLockFileName);
  const content = files.read(path, maxLockBytes);
  const shown = relative(workingDirectory, path);
  if ('bytes' in content) {
    const file = decodeUtf8Text(content.bytes, shown, content.isInside, faults);
    return file && parseModulePins(file, faults);
  }
  const { code, why, hint, system } = content.refusal;
  if (system === 'ENOENT') return new Map();
  faults.add({ code, summary: `${shown} cannot be read: ${why}`, hint });
  return undefined;
}

/** Tells whether a fetched module still has the content that the lock file pins. */
export function isModuleIntact(directory: string, { content }: ModulePin): boolean {
  try {
    return hashDirectory(directory) === content;
  } catch {
    return false;
  }
}

/** Finds the fetched modules, as the lock file pins them, without asking a network. */
export class LockedModuleFinder implements GitModuleFinder {
  readonly #reading: LockFileReadingContext;
  readonly #found = new Map<string, FetchedModuleDirectoryOrFault>();
  #pins: { readonly read: ModulePins | undefined } | undefined;

  constructor(reading: LockFileReadingContext) {
    this.#reading = reading;
  }

  find({ pin }: GitSource): Promise<FetchedModuleDirectoryOrFault> {
    // The content of a module is hashed once in a run, as that reads all of its files.
    if (!this.#found.has(pin)) this.#found.set(pin, this.#look(pin));
    return Promise.resolve(this.#found.get(pin));
  }

  #look(name: string): FetchedModuleDirectoryOrFault {
    const { root, workingDirectory, files } = this.#reading;
    this.#pins ??= { read: readModulePins(this.#reading) };
    const { read: pins } = this.#pins;
    if (!pins) return undefined;
    const place = relative(workingDirectory, root);
    const init = `Run hostwright init${place === '' ? '' : ` ${place}`}`;
    const pin = pins.get(name);
    const missing = { code: 'module-not-fetched', summary: 'A module from git is not fetched' };
    if (!pin) {
      return {
        fault: { ...missing, detail: `${moduleLockFileName} has no ${name}.`, hint: `${init}.` },
      };
    }
    const below = findModulePinDirectory(pin);
    const found = files.findDirectory(join(root, below));
    if (!('path' in found)) {
      const detail = `${name} belongs in ${below}, which is not there.`;
      return { fault: { ...missing, detail, hint: `${init}.` } };
    }
    if (isModuleIntact(found.path, pin)) return { directory: found.path };
    const detail = `${below} does not hold what ${moduleLockFileName} pins for ${name}.`;
    return {
      fault: {
        code: 'module-changed',
        summary: 'A module from git was changed after it was fetched',
        detail,
        hint: `${init}: it fetches the pinned commit again.`,
      },
    };
  }
}
