// Where the modules are that come from git. A run that only reads takes what `hostwright init` has fetched, exactly as the
// lock file pins it, and never asks a network; `init` finds them by fetching.
import { join, relative } from 'node:path';
import { decodeText } from '../source/read-files.ts';
import type { ConfigurationFiles } from '../source/configuration-files.ts';
import type { Fault, FaultList } from '../source/fault-list.ts';
import type { GitSource } from './git-source.ts';
import { hashDirectory } from './hash-content.ts';
import { lockFileName, parsePins, type Pin, type Pins } from './lock-file.ts';

/** Why a module cannot be used; its place is that of its `source`. */
export type ModuleFault = Required<Pick<Fault, 'code' | 'summary' | 'detail' | 'hint'>>;

/** Where the content of a repository lies, or why nowhere; undefined where that was reported. */
export type FoundRepository =
  { readonly directory: string } | { readonly fault: ModuleFault } | undefined;

/** Finds the repositories that modules come from. */
export interface GitModules {
  /** The absolute path of what the repository holds at its pin. */
  find(source: GitSource): Promise<FoundRepository>;
}

/** What the lock file is read with. */
export interface LockReading {
  /** The directory of the configuration; absolute. */
  readonly root: string;
  readonly workingDirectory: string;
  readonly files: ConfigurationFiles;
  readonly faults: FaultList;
}

const maxLockBytes = 4 * 1024 * 1024;

/** What a directory holds below this, each under the hash of its content, is fetched and may be removed at any time. */
export const modulesDirectory = join('.hostwright', 'modules');

/** Where what a pin stands for lies, below the directory of the configuration. */
export function placeOfPin({ content }: Pin): string {
  return join(modulesDirectory, content.slice('sha256:'.length, 'sha256:'.length + 16));
}

/** The pins of the lock file; none where there is no such file, undefined where it is broken, which is reported. */
export function readPins({ root, workingDirectory, files, faults }: LockReading): Pins | undefined {
  const path = join(root, lockFileName);
  const content = files.read(path, maxLockBytes);
  const shown = relative(workingDirectory, path);
  if ('bytes' in content) {
    const file = decodeText(content.bytes, shown, content.isInside, faults);
    return file && parsePins(file, faults);
  }
  const { code, why, hint, system } = content.refusal;
  if (system === 'ENOENT') return new Map();
  faults.add({ code, summary: `${shown} cannot be read: ${why}`, hint });
  return undefined;
}

/** True when what lies under a pin is what was pinned. */
export function isIntact(directory: string, { content }: Pin): boolean {
  try {
    return hashDirectory(directory) === content;
  } catch {
    return false;
  }
}

/** What has been fetched, as the lock file pins it. */
export class LockedModules implements GitModules {
  readonly #reading: LockReading;
  readonly #found = new Map<string, FoundRepository>();
  #pins: { readonly read: Pins | undefined } | undefined;

  constructor(reading: LockReading) {
    this.#reading = reading;
  }

  find({ pin }: GitSource): Promise<FoundRepository> {
    // What a module holds is looked at once a run.
    if (!this.#found.has(pin)) this.#found.set(pin, this.#look(pin));
    return Promise.resolve(this.#found.get(pin));
  }

  #look(name: string): FoundRepository {
    const { root, workingDirectory, files } = this.#reading;
    this.#pins ??= { read: readPins(this.#reading) };
    const { read: pins } = this.#pins;
    if (!pins) return undefined;
    const place = relative(workingDirectory, root);
    const init = `Run hostwright init${place === '' ? '' : ` ${place}`}`;
    const pin = pins.get(name);
    const missing = { code: 'module-not-fetched', summary: 'A module from git is not fetched' };
    if (!pin) {
      return { fault: { ...missing, detail: `${lockFileName} has no ${name}.`, hint: `${init}.` } };
    }
    const below = placeOfPin(pin);
    const found = files.findDirectory(join(root, below));
    if (!('path' in found)) {
      const detail = `${name} belongs in ${below}, which is not there.`;
      return { fault: { ...missing, detail, hint: `${init}.` } };
    }
    if (isIntact(found.path, pin)) return { directory: found.path };
    const detail = `${below} does not hold what ${lockFileName} pins for ${name}.`;
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
