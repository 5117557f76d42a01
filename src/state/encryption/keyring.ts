// Keys for the state and for saved plans, made from passphrases. Making one takes a third of a second, so each is made once in
// a process.
import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { createError } from '../faults.ts';

const rounds = 600_000;
/** A key for plans of this length, as "openssl rand -base64 32" prints it, has 32 random bytes: nobody guesses it faster. */
const randomLength = 43;
const saltBytes = 32;
const keyBytes = 32;
/** Shorter passphrases can be guessed. */
export const leastCharacters = 16;

const derive = promisify(pbkdf2);

/** The keys that were made, by what they were made of. */
const made = new Map<string, Promise<Key>>();

/** A key, and the salt that it was made with. */
export interface Key {
  readonly bytes: Buffer;
  readonly salt: Buffer;
}

/** Where passphrases come from: asked for once, when the first is needed. */
export interface PassphraseSource {
  /** That which everything is written with. @throws DiagnosticError where there is none */
  current(): Promise<string>;
  /** That which was used before, while it is being replaced. */
  previous(): string | undefined;
}

/** The keys of one run. */
export class Keyring {
  /** The use of the keys: for the state and its history, or for saved plans alone. */
  readonly purpose: 'state' | 'plan';
  readonly #source: PassphraseSource;
  #passphrases: Promise<readonly string[]> | undefined;
  #writing: Promise<Key> | undefined;

  constructor(source: PassphraseSource, purpose: Keyring['purpose'] = 'state') {
    this.purpose = purpose;
    this.#source = source;
  }

  /** Makes sure that there is a passphrase. @throws DiagnosticError where there is none, or one that is too short */
  async check(): Promise<void> {
    await this.#read();
  }

  /** The keys that may fit what was written with this salt, that of the current passphrase first. */
  async keysFor(salt: Buffer): Promise<readonly (() => Promise<Key>)[]> {
    const passphrases = await this.#read();
    return passphrases.map((passphrase, index) => () => {
      const key = this.#make(passphrase, salt);
      // What is written goes by the salt of what was read: no second key has to be made.
      if (index === 0) this.#writing ??= key;
      return key;
    });
  }

  /** The key that is written with. */
  writingKey(): Promise<Key> {
    this.#writing ??= this.#read().then(([current = '']) =>
      this.#make(current, randomBytes(saltBytes)),
    );
    return this.#writing;
  }

  #read(): Promise<readonly string[]> {
    this.#passphrases ??= readPassphrases(this.#source);
    return this.#passphrases;
  }

  #make(passphrase: string, salt: Buffer): Promise<Key> {
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
    if (one.length >= leastCharacters) continue;
    throw createError('state-key-short', 'The passphrase of the state is too short', {
      detail: `It has ${one.length} characters; at least ${leastCharacters} are needed, so that nobody guesses it.`,
      hint: 'Choose a longer one, for example what "openssl rand -base64 32" prints.',
    });
  }
  return all;
}
