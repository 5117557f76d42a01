// A journal, encrypted line by line, so that it can grow. Each line is bound to its journal and to its number: none can be
// moved, repeated or taken out of the middle.
import { randomUUID } from 'node:crypto';
import { decryptText, checksumText, encryptText } from './cipher.ts';
import type { EncryptionKey, EncryptionKeyring } from './keyring.ts';
import {
  createTamperedTextError,
  makeEncryptionHeader,
  findKeyForEncryptionHeader,
  type EncryptionHeader,
  type EncryptedTextPlace,
} from './seal.ts';

interface SealedLine {
  /** Number of the journal's line, from 0 on, so that none can be moved. */
  readonly n: number;
  /** Header with the salt of the key, which only the first line has. */
  readonly sealed?: EncryptionHeader;
  /** Id of the journal, in the first line only: it differs from that of another journal with the same name. */
  readonly id?: string;
  readonly data: string;
  readonly digest: string;
}

/** Encryption of a journal that grows: the key, the journal's id, and the number of its next line. */
export interface JournalEncryption {
  readonly key: EncryptionKey;
  readonly id: string;
  /** Number of the journal's next line. */
  readonly next: number;
}

/** Begins the encryption of a new journal. */
export function beginEncryptedJournal(key: EncryptionKey): JournalEncryption {
  return { key, id: randomUUID(), next: 0 };
}

/** Encrypts whole lines of a journal, and returns the encryption for the lines that follow. */
export function encryptJournalLines(
  text: string,
  { key, id, next }: JournalEncryption,
  address: string,
  name: string,
): { readonly text: string; readonly seal: JournalEncryption } {
  const lines = text.split('\n').slice(0, -1);
  const sealed = lines.map((line, index) => {
    const n = next + index;
    const data = encryptText(line, key.bytes, bindLine(address, name, id, n));
    const head = n === 0 ? { sealed: makeEncryptionHeader(key, address), id } : {};
    const whole = { n, ...head, data };
    return `${JSON.stringify({ ...whole, digest: digestOf(whole) })}\n`;
  });
  return { text: sealed.join(''), seal: { key, id, next: next + lines.length } };
}

/** Tells whether a journal's text was encrypted by `encryptJournalLines`. */
export function isEncryptedJournal(text: string): boolean {
  return text.startsWith('{"n":0,"sealed":');
}

/**
 * Decrypts the lines of a journal. A last line whose write was cut short stays a torn one.
 * @throws DiagnosticError as `findKeyForEncryptionHeader` does, and `state-tampered`
 */
export async function decryptJournalLines(
  text: string,
  keyring: EncryptionKeyring | undefined,
  name: string,
  place: EncryptedTextPlace,
): Promise<string> {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  let plain = '';
  let key: EncryptionKey | undefined;
  let id = '';
  for (const [n, line] of lines.entries()) {
    const sealed = parseLine(line);
    // A disk that lost its power may have kept the length of a write without its bytes.
    if (!sealed && n === lines.length - 1 && line.includes('\0'))
      return `${plain}${tornJournalLine}`;
    if (sealed?.n !== n)
      throw createTamperedTextError(place.path, `Line ${n + 1} is not what was written.`);
    if (n === 0 && sealed.sealed) {
      key = await findKeyForEncryptionHeader(sealed.sealed, keyring, place);
      id = sealed.id ?? '';
    }
    const words = key && decryptText(sealed.data, key.bytes, bindLine(place.address, name, id, n));
    if (words === undefined) {
      throw createTamperedTextError(
        place.path,
        `The key fits, and the seal of line ${n + 1} does not.`,
      );
    }
    plain += `${words}\n`;
  }
  return rest === '' ? plain : `${plain}${tornJournalLine}`;
}

/**
 * Decrypts each whole line of a journal by itself: undefined for a line that was changed. Where the first line is
 * damaged no line can be read, since that line names the key and all others are bound to it.
 */
export async function decryptEachJournalLine(
  text: string,
  keyring: EncryptionKeyring | undefined,
  name: string,
  place: EncryptedTextPlace,
): Promise<readonly (string | undefined)[]> {
  const lines = text.split('\n').slice(0, -1).map(parseLine);
  const { sealed, id = '' } = lines[0] ?? {};
  const key = sealed && (await findKeyForEncryptionHeader(sealed, keyring, place));
  return lines.map((line, n) =>
    line && key
      ? decryptText(line.data, key.bytes, bindLine(place.address, name, id, n))
      : undefined,
  );
}

/** Text that replaces the last line of a journal where its write was cut short. */
export const tornJournalLine = '{';

/** Tells whether not even the first line of a journal was written whole. */
export function isTornJournal(text: string): boolean {
  const [first = '', ...rest] = text.split('\n');
  return rest.length === 0 || (rest.join('') === '' && first.includes('\0'));
}

function parseLine(line: string): SealedLine | undefined {
  try {
    const { digest: given, ...whole } = JSON.parse(line) as SealedLine;
    return digestOf(whole) === given ? { ...whole, digest: given } : undefined;
  } catch {
    return undefined;
  }
}

function digestOf({ n, sealed, id, data }: Omit<SealedLine, 'digest'>): string {
  return checksumText(JSON.stringify([n, sealed ?? null, id ?? null, data]));
}

function bindLine(address: string, name: string, id: string, n: number): string {
  return JSON.stringify(['line', address, name, id, n]);
}
