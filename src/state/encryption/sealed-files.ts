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
import { isEncryptedStateText, encryptStateText, decryptStateText } from './seal.ts';
import {
  beginEncryptedJournal,
  isEncryptedJournal,
  isTornJournal,
  encryptJournalLines,
  tornJournalLine,
  decryptEachJournalLine,
  decryptJournalLines,
  type JournalEncryption,
} from './sealed-journal.ts';

/** Encryption keys for the files of a state, and the permission to read files that are not encrypted. */
export interface StateEncryptionKeys {
  /** Keys of the state. Without them, encrypted texts are refused, and texts are written as they are. */
  readonly keyring: EncryptionKeyring | undefined;
  /**
   * Set by `--allow-plain-state`: texts that are not encrypted are read all the same, and encrypted by the next write of the
   * state.
   */
  readonly allowsPlain?: boolean | undefined;
}

/**
 * Wraps a backend so that the files of its state are encrypted. Reading rejects with `state-not-encrypted` where there
 * are keys and a file is not encrypted.
 */
export function encryptStateBackend(
  backend: StateBackend,
  sealing: StateEncryptionKeys,
): StateBackend {
  const { kind, place, address, capabilities, lock, takesLateWrite } = backend;
  return {
    kind,
    place,
    address,
    capabilities,
    lock,
    ...(takesLateWrite && { takesLateWrite }),
    openFiles: (fence) => encryptStateFiles(backend.openFiles(fence), sealing, address),
    close: () => backend.close(),
  };
}

/** Wraps the files of a state so that they are encrypted as by `encryptStateBackend`; `address` is that of the state. */
export function encryptStateFiles(
  files: StateFiles,
  sealing: StateEncryptionKeys,
  address: string,
): StateFiles {
  return new SealedFiles(files, sealing, address);
}

class SealedFiles implements StateFiles {
  readonly #files: StateFiles;
  readonly #keyring: EncryptionKeyring | undefined;
  readonly #allowsPlain: boolean;
  readonly #address: string;
  readonly #journals = new Map<StateFileName, JournalEncryption>();

  constructor(
    files: StateFiles,
    { keyring, allowsPlain = false }: StateEncryptionKeys,
    address: string,
  ) {
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
    if (isJournal(name) && isEncryptedJournal(text)) {
      return decryptJournalLines(text, this.#keyring, name, place);
    }
    if (!isJournal(name) && isEncryptedStateText(text))
      return decryptStateText(text, this.#keyring, name, place);
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
    return isPlain && !isEncryptedJournal(text)
      ? splitWholeLines(text)
      : decryptEachJournalLine(text, this.#keyring, name, place);
  }

  async replace(name: StateFileName, text: string): Promise<void> {
    if (!this.#keyring || isInTheClear(name)) return this.#files.replace(name, text);
    const key = await this.#keyring.writingKey();
    if (!isJournal(name)) {
      await this.#files.replace(name, encryptStateText(text, key, this.#address, name));
      if (this.#allowsPlain && name === stateFileNames.snapshot) await this.#sealRest(key);
      return;
    }
    const sealed = encryptJournalLines(text, beginEncryptedJournal(key), this.#address, name);
    await this.#files.replace(name, sealed.text);
    this.#journals.set(name, sealed.seal);
  }

  async append(name: StateFileName, text: string): Promise<void> {
    const seal = this.#journals.get(name);
    if (!seal) return this.#files.append(name, text);
    const sealed = encryptJournalLines(text, seal, this.#address, name);
    await this.#files.append(name, sealed.text);
    this.#journals.set(name, sealed.seal);
  }

  /** Encrypts former states that were written before the state was encrypted. Journals are left out: each is folded and removed. */
  async #sealRest(key: EncryptionKey): Promise<void> {
    for (const name of await this.#files.list()) {
      if (isJournal(name) || isInTheClear(name)) continue;
      const text = (await this.#files.read(name)) ?? '';
      if (text === '' || isEncryptedStateText(text)) continue;
      await this.#files.replace(name, encryptStateText(text, key, this.#address, name));
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
