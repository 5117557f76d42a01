// The texts of a state, encrypted on this side: what keeps them sees serials, epochs and sizes, and nothing else.
import { epochOf, fileNames, type FileName, type StateFiles } from '../files/files.ts';
import type { StateBackend } from '../backends/backend.ts';
import type { Keyring } from './keyring.ts';
import { isSealed, sealText, unsealText } from './seal.ts';
import {
  beginJournal,
  isSealedJournal,
  sealLines,
  unsealLines,
  type JournalSeal,
} from './sealed-journal.ts';

/**
 * A backend whose texts are encrypted with the keys of a ring. Without one, what is encrypted is refused, and nothing is
 * encrypted. What was written before it was encrypted is read as it is; `onPlain` is called once where the state is that.
 */
export function sealBackend(
  backend: StateBackend,
  keyring: Keyring | undefined,
  onPlain: (path: string) => void = () => undefined,
): StateBackend {
  const { kind, place, address, capabilities, lock } = backend;
  let isTold = false;
  const tellOnce = (path: string) => {
    if (!isTold) onPlain(path);
    isTold = true;
  };
  return {
    ...{ kind, place, address, capabilities, lock },
    openFiles: (fence) => sealFiles(backend.openFiles(fence), keyring, address, tellOnce),
    close: () => backend.close(),
  };
}

/** The same for the texts of one place; `address` is that of the state. */
export function sealFiles(
  files: StateFiles,
  keyring: Keyring | undefined,
  address: string,
  onPlain: (path: string) => void = () => undefined,
): StateFiles {
  return new SealedFiles(files, keyring, address, onPlain);
}

class SealedFiles implements StateFiles {
  readonly #files: StateFiles;
  readonly #keyring: Keyring | undefined;
  readonly #address: string;
  readonly #onPlain: (path: string) => void;
  readonly #journals = new Map<FileName, JournalSeal>();

  constructor(
    files: StateFiles,
    keyring: Keyring | undefined,
    address: string,
    onPlain: (path: string) => void,
  ) {
    this.#files = files;
    this.#keyring = keyring;
    this.#address = address;
    this.#onPlain = onPlain;
  }

  pathOf(name: FileName): string {
    return this.#files.pathOf(name);
  }

  list(): Promise<readonly FileName[]> {
    return this.#files.list();
  }

  async read(name: FileName): Promise<string | undefined> {
    const text = await this.#files.read(name);
    if (text === undefined) return undefined;
    const place = { address: this.#address, path: this.pathOf(name) };
    if (isJournal(name)) {
      return isSealedJournal(text) ? unsealLines(text, this.#keyring, name, place) : text;
    }
    if (isSealed(text)) return unsealText(text, this.#keyring, name, place);
    if (this.#keyring && name === fileNames.snapshot) this.#onPlain(place.path);
    return text;
  }

  async replace(name: FileName, text: string): Promise<void> {
    if (!this.#keyring || isInTheClear(name)) return this.#files.replace(name, text);
    const key = await this.#keyring.writingKey();
    if (!isJournal(name)) {
      return this.#files.replace(name, sealText(text, key, this.#address, name));
    }
    const sealed = sealLines(text, beginJournal(key), this.#address, name);
    await this.#files.replace(name, sealed.text);
    this.#journals.set(name, sealed.seal);
  }

  async append(name: FileName, text: string): Promise<void> {
    const seal = this.#journals.get(name);
    if (!seal) return this.#files.append(name, text);
    const sealed = sealLines(text, seal, this.#address, name);
    await this.#files.append(name, sealed.text);
    this.#journals.set(name, sealed.seal);
  }

  remove(name: FileName): Promise<void> {
    return this.#files.remove(name);
  }

  close(): Promise<void> {
    return this.#files.close();
  }
}

function isJournal(name: FileName): boolean {
  return epochOf(name) !== undefined;
}

/** Whoever has no key must still learn that the state has moved. */
function isInTheClear(name: FileName): boolean {
  return name === fileNames.moved;
}
