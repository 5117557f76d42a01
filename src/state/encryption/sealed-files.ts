// The texts of a state, encrypted before they reach the backend, which sees only serials, epochs and sizes.
import {
  parseJournalEpoch,
  stateFileNames,
  splitWholeLines,
  type StateFileName,
  type StateFiles,
} from '../files/files.ts';
import type { StateBackend } from '../backends/backend.ts';
import { createDiagnosticError } from '../faults.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import type { EncryptionKey, EncryptionKeyring } from './keyring.ts';
import { isSealedText, sealText, unsealText } from './seal.ts';
import {
  beginSealedJournal,
  isSealedJournal,
  isTornJournal,
  sealJournalLines,
  tornJournalLine,
  unsealEachJournalLine,
  unsealJournalLines,
  type JournalSeal,
} from './sealed-journal.ts';

/** The keys for the texts of a state, and whether texts without encryption are read. */
export interface SealingKeys {
  /** Keys of the state. Without them, encrypted texts are refused, and texts are written as they are. */
  readonly keyring: EncryptionKeyring | undefined;
  /**
   * Set by `--allow-plain-state`: texts that are not encrypted are read all the same, and encrypted by the next write of the
   * state.
   */
  readonly allowsPlain?: boolean | undefined;
}

/**
 * A backend whose texts are encrypted with the keys of a ring.
 * Reading rejects with `state-not-encrypted` where there are keys and a text is not encrypted.
 */
export function sealStateBackend(backend: StateBackend, sealing: SealingKeys): StateBackend {
  const { kind, place, address, capabilities, lock, takesLateWrite } = backend;
  return {
    kind,
    place,
    address,
    capabilities,
    lock,
    ...(takesLateWrite && { takesLateWrite }),
    openFiles: (fence) => sealStateFiles(backend.openFiles(fence), sealing, address),
    close: () => backend.close(),
  };
}

/** Files whose texts are encrypted as those of `sealStateBackend`; `address` is that of the state. */
export function sealStateFiles(
  files: StateFiles,
  sealing: SealingKeys,
  address: string,
): StateFiles {
  return new SealedFiles(files, sealing, address);
}

class SealedFiles implements StateFiles {
  readonly #files: StateFiles;
  readonly #keyring: EncryptionKeyring | undefined;
  readonly #allowsPlain: boolean;
  readonly #address: string;
  readonly #journals = new Map<StateFileName, JournalSeal>();

  constructor(files: StateFiles, { keyring, allowsPlain = false }: SealingKeys, address: string) {
    this.#files = files;
    this.#keyring = keyring;
    this.#allowsPlain = allowsPlain;
    this.#address = address;
  }

  pathOf(name: StateFileName): string {
    return this.#files.pathOf(name);
  }

  list(): Promise<readonly StateFileName[]> {
    return this.#files.list();
  }

  async read(name: StateFileName): Promise<string | undefined> {
    const text = await this.#files.read(name);
    if (text === undefined) return undefined;
    const place = { address: this.#address, path: this.pathOf(name) };
    if (isJournal(name) && isSealedJournal(text)) {
      return unsealJournalLines(text, this.#keyring, name, place);
    }
    if (!isJournal(name) && isSealedText(text)) return unsealText(text, this.#keyring, name, place);
    if (!this.#keyring || this.#allowsPlain || isInTheClear(name) || text === '') return text;
    // A write that was cut short, or that a disk lost with its power, has no whole line, and so no sign of encryption.
    if (isJournal(name) && isTornJournal(text)) return tornJournalLine;
    throw createPlain(place.path);
  }

  async readLines(name: StateFileName): Promise<readonly (string | undefined)[]> {
    const text = (await this.#files.read(name)) ?? '';
    const place = { address: this.#address, path: this.pathOf(name) };
    // The damage may have hit the very words by which an encrypted journal is recognised.
    const isPlain = !this.#keyring || (this.#allowsPlain && !text.includes('"sealed":'));
    return isPlain && !isSealedJournal(text)
      ? splitWholeLines(text)
      : unsealEachJournalLine(text, this.#keyring, name, place);
  }

  async replace(name: StateFileName, text: string): Promise<void> {
    if (!this.#keyring || isInTheClear(name)) return this.#files.replace(name, text);
    const key = await this.#keyring.writingKey();
    if (!isJournal(name)) {
      await this.#files.replace(name, sealText(text, key, this.#address, name));
      if (this.#allowsPlain && name === stateFileNames.snapshot) await this.#sealRest(key);
      return;
    }
    const sealed = sealJournalLines(text, beginSealedJournal(key), this.#address, name);
    await this.#files.replace(name, sealed.text);
    this.#journals.set(name, sealed.seal);
  }

  async append(name: StateFileName, text: string): Promise<void> {
    const seal = this.#journals.get(name);
    if (!seal) return this.#files.append(name, text);
    const sealed = sealJournalLines(text, seal, this.#address, name);
    await this.#files.append(name, sealed.text);
    this.#journals.set(name, sealed.seal);
  }

  /** Encrypts former states that were written before the state was encrypted. Journals are left out: each is folded and removed. */
  async #sealRest(key: EncryptionKey): Promise<void> {
    for (const name of await this.#files.list()) {
      if (isJournal(name) || isInTheClear(name)) continue;
      const text = (await this.#files.read(name)) ?? '';
      if (text === '' || isSealedText(text)) continue;
      await this.#files.replace(name, sealText(text, key, this.#address, name));
    }
  }

  remove(name: StateFileName): Promise<void> {
    return this.#files.remove(name);
  }

  close(): Promise<void> {
    return this.#files.close();
  }
}

function isJournal(name: StateFileName): boolean {
  return parseJournalEpoch(name) !== undefined;
}

/** The marker of a migration stays readable: a run without the key must still learn that the state has moved. */
function isInTheClear(name: StateFileName): boolean {
  return name === stateFileNames.moved;
}

/**
 * The error for a text in the clear: whoever can write there could have put it in the place of an encrypted one, and nothing
 * proves its origin.
 */
function createPlain(path: string): DiagnosticError {
  return createDiagnosticError('state-not-encrypted', `The state is not encrypted: ${path}`, {
    detail:
      '`encryption` is set, so that whoever can write there may have replaced what was encrypted. Nothing of it is used, and nothing was changed.',
    hint: 'Add --allow-plain-state once to the next apply if `encryption` is new: it encrypts the state and its history. If the state was encrypted before, find out who can write there.',
  });
}
