// Keys for the state and for saved plans, derived from passphrases. A derivation takes a third of a second, so each key is
// made once in a process.
import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { createDiagnosticError } from '../faults.ts';

const rounds = 600_000;
/**
 * A key for plans of this length, as "openssl rand -base64 32" prints it, has 32 random bytes: too many to guess, so a slow
 * derivation would gain nothing.
 */
const randomLength = 43;
const saltBytes = 32;
const keyBytes = 32;
/** Shortest passphrase, in characters: shorter ones can be guessed. */
export const minPassphraseLength = 16;

const derive = promisify(pbkdf2);

/** Keys already derived in this process, which takes long, by purpose, passphrase and salt. */
const made = new Map<string, Promise<EncryptionKey>>();

/** An encryption key, with the salt that it was derived with. */
export interface EncryptionKey {
  readonly bytes: Buffer;
  readonly salt: Buffer;
}

/** Source of the encryption passphrases, which is asked once, when the first key is needed. */
export interface PassphraseSource {
  /** The passphrase that everything is encrypted with. @throws DiagnosticError where there is none */
  current(): Promise<string>;
  /** Reads the former passphrase while it is being replaced; undefined otherwise. */
  previous(): string | undefined;
}

/** Encryption keys of one run, derived from its passphrases. */
export class EncryptionKeyring {
  /** The use of the keys: for the state and its history, or for saved plans alone. */
  readonly purpose: 'state' | 'plan';
  readonly #source: PassphraseSource;
  #passphrases: Promise<readonly string[]> | undefined;
  #writing: Promise<EncryptionKey> | undefined;

  constructor(source: PassphraseSource, purpose: EncryptionKeyring['purpose'] = 'state') {
    this.purpose = purpose;
    this.#source = source;
  }

  /** Requires a passphrase. @throws DiagnosticError where there is none, or one that is too short */
  async check(): Promise<void> {
    await this.#read();
  }

  /** The keys that may fit a text with this salt, that of the current passphrase first. */
  async keysFor(salt: Buffer): Promise<readonly (() => Promise<EncryptionKey>)[]> {
    const passphrases = await this.#read();
    return passphrases.map((passphrase, index) => () => {
      const key = this.#make(passphrase, salt);
      // Texts are written with the salt of the text that was read: no second key has to be derived.
      if (index === 0) this.#writing ??= key;
      return key;
    });
  }

  /** The key that encrypts what is written. */
  writingKey(): Promise<EncryptionKey> {
    this.#writing ??= this.#read().then(([current = '']) =>
      this.#make(current, randomBytes(saltBytes)),
    );
    return this.#writing;
  }

  #read(): Promise<readonly string[]> {
    this.#passphrases ??= readPassphrases(this.#source);
    return this.#passphrases;
  }

  #make(passphrase: string, salt: Buffer): Promise<EncryptionKey> {
    const isRandom = this.purpose === 'plan' && passphrase.length >= randomLength;
    const count = isRandom ? 1 : rounds;
    const name = `${count} ${salt.toString('base64')} ${passphrase}`;
    const known = made.get(name);
    if (known) return known;
    const key = derive(passphrase, salt, count, keyBytes, 'sha512').then((bytes) => ({
      bytes,
      salt,
    }));
    made.set(name, key);
    return key;
  }
}

async function readPassphrases(source: PassphraseSource): Promise<readonly string[]> {
  const current = await source.current();
  const previous = source.previous();
  const all = previous === undefined ? [current] : [current, previous];
  for (const one of all) {
    if (one.length >= minPassphraseLength) continue;
    throw createDiagnosticError('state-key-short', 'The passphrase of the state is too short', {
      detail: `It has ${one.length} characters; at least ${minPassphraseLength} are needed, so that nobody guesses it.`,
      hint: 'Choose a longer one, for example what "openssl rand -base64 32" prints.',
    });
  }
  return all;
}
