// An encrypted text. In the clear it has the salt of its key, a check that detects a wrong key, and the address of the state
// that it belongs to; everything else is encrypted.
import { createDiagnosticError } from '../faults.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import { decryptText, checksumText, encryptText } from './cipher.ts';
import type { EncryptionKey, EncryptionKeyring } from './keyring.ts';

/** Header of an encrypted text: the members that are not encrypted themselves. */
export interface EncryptionHeader {
  readonly version: 1;
  /** Address of the state that the text belongs to. */
  readonly address: string;
  /** Salt of the encryption key, in base64. */
  readonly salt: string;
  /** Known text, encrypted with the key, by which a wrong key is noticed. */
  readonly check: string;
}

const checkText = 'hostwright';

/** Makes the header for texts that are encrypted with a key. */
export function makeEncryptionHeader(
  { bytes, salt }: EncryptionKey,
  address: string,
): EncryptionHeader {
  const check = encryptText(checkText, bytes, checkText);
  return { version: 1, address, salt: salt.toString('base64'), check };
}

/** Place of an encrypted text: the state's address to check, and a path for messages. */
export interface EncryptedTextPlace {
  /** Address of the state that is read, which the encrypted text must name. */
  readonly address: string;
  /** Path of the encrypted text. */
  readonly path: string;
}

/**
 * Finds the key that fits a header.
 * @throws DiagnosticError `state-key-missing`, `state-key-wrong`, `state-of-another-address`
 */
export async function findKeyForEncryptionHeader(
  { address, salt, check }: EncryptionHeader,
  keyring: EncryptionKeyring | undefined,
  place: EncryptedTextPlace,
): Promise<EncryptionKey> {
  if (!keyring) throw createKeyMissing(place.path);
  if (address !== place.address) throw createOtherAddress(address, place);
  for (const make of await keyring.keysFor(Buffer.from(salt, 'base64'))) {
    const key = await make();
    if (decryptText(check, key.bytes, checkText) === checkText) return key;
  }
  throw createDiagnosticError('state-key-wrong', `The key of the state is wrong: ${place.path}`, {
    detail: 'It was encrypted with another passphrase. Nothing was changed.',
    hint: 'Set HOSTWRIGHT_STATE_PASSPHRASE to the passphrase that it was written with, or that to HOSTWRIGHT_STATE_PASSPHRASE_PREVIOUS while you replace it.',
  });
}

/** Creates the error for an encrypted text that somebody changed, or of which a part is lost. */
export function createTamperedTextError(path: string, what: string): DiagnosticError {
  return createDiagnosticError('state-tampered', `The encrypted state was changed: ${path}`, {
    detail: `${what} No part of it is used.`,
    hint: 'Find out who can write there. Restore a whole copy: "hostwright state history" lists the former states. Of a journal, "hostwright state journal" drops the lines that were changed.',
  });
}

function createKeyMissing(path: string): DiagnosticError {
  return createDiagnosticError(
    'state-key-missing',
    `The state is encrypted, and no key is set: ${path}`,
    {
      detail: 'The configuration has no `state.encryption`. Nothing was changed.',
      hint: 'Give `state.encryption`, for example `{ key: passphrase }`, and set HOSTWRIGHT_STATE_PASSPHRASE.',
    },
  );
}

function createOtherAddress(found: string, { address, path }: EncryptedTextPlace): DiagnosticError {
  return createDiagnosticError(
    'state-of-another-address',
    `The file belongs to another state: ${path}`,
    {
      detail: `It was encrypted for ${found}; this state is ${address}. Somebody has copied it here.`,
      hint: 'Move a state with "hostwright state migrate", which encrypts it again for its new place.',
    },
  );
}

/** A text of the state, encrypted as a whole. */
interface SealedText {
  /** Serial and epoch of the text, where it has them: the backends need them in the clear. */
  readonly serial?: number;
  readonly epoch?: number;
  readonly sealed: EncryptionHeader;
  readonly data: string;
  readonly digest: string;
}

const mark = '"sealed": {';

/** Tells whether a text was encrypted by `encryptStateText`, even if a part of it was changed since. */
export function isEncryptedStateText(text: string): boolean {
  return text.includes(mark);
}

/** Encrypts a text of the state under the name of its file, so that no other file can take its place. */
export function encryptStateText(
  text: string,
  key: EncryptionKey,
  address: string,
  name: string,
): string {
  const numbers = readNumbers(text);
  const sealed = makeEncryptionHeader(key, address);
  const data = encryptText(text, key.bytes, bindText(address, name, numbers));
  const whole = { ...numbers, sealed, data };
  return `${JSON.stringify({ ...whole, digest: digestOf(whole) }, null, 2)}\n`;
}

/** Decrypts a text of the state. @throws DiagnosticError as `findKeyForEncryptionHeader` does, and `state-tampered` */
export async function decryptStateText(
  text: string,
  keyring: EncryptionKeyring | undefined,
  name: string,
  place: EncryptedTextPlace,
): Promise<string> {
  const { digest: given, ...whole } = parse(text, place.path);
  if (digestOf(whole) !== given) {
    throw createTamperedTextError(place.path, 'Its parts do not fit together.');
  }
  const { sealed, data, ...numbers } = whole;
  const key = await findKeyForEncryptionHeader(sealed, keyring, place);
  const plain = decryptText(data, key.bytes, bindText(place.address, name, numbers));
  if (plain === undefined)
    throw createTamperedTextError(place.path, 'Its key fits, and its seal does not.');
  return plain;
}

function parse(text: string, path: string): SealedText {
  try {
    const found = JSON.parse(text) as Partial<SealedText>;
    const { sealed, data, digest: given } = found;
    if (sealed && data !== undefined && given !== undefined) return found as SealedText;
  } catch {
    // A text that is no JSON is reported below.
  }
  throw createTamperedTextError(path, 'It is not whole.');
}

function digestOf({ sealed, data, ...numbers }: Omit<SealedText, 'digest'>): string {
  const { version, address, salt, check } = sealed;
  return checksumText(JSON.stringify([numbers, version, address, salt, check, data]));
}

function bindText(address: string, name: string, numbers: object): string {
  return JSON.stringify(['text', address, name, numbers]);
}

/** The serial and the epoch of a snapshot, which stand near its beginning. */
function readNumbers(text: string): { serial?: number; epoch?: number } {
  const head = text.slice(0, 1_024);
  const numbers: { serial?: number; epoch?: number } = {};
  for (const name of ['serial', 'epoch'] as const) {
    const [, digits] = new RegExp(`^ {2}"${name}": (\\d{1,15}),?$`, 'm').exec(head) ?? [];
    if (digits !== undefined) numbers[name] = Number(digits);
  }
  return numbers;
}
