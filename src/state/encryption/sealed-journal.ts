// A journal, encrypted line by line, so that it can grow. Each line is bound to its journal and to its place in it: none can
// be moved, repeated or taken out of the middle.
import { randomUUID } from 'node:crypto';
import { decrypt, digest, encrypt } from './cipher.ts';
import type { Key, Keyring } from './keyring.ts';
import {
  createTampered,
  makeHeader,
  openHeader,
  type SealHeader,
  type SealedPlace,
} from './seal.ts';

interface SealedLine {
  /** From 0 on. */
  readonly n: number;
  /** Of the first line. */
  readonly sealed?: SealHeader;
  /** Of the first line: tells this journal from another that had its name. */
  readonly id?: string;
  readonly data: string;
  readonly digest: string;
}

/** What is needed to let a journal grow. */
export interface JournalSeal {
  readonly key: Key;
  readonly id: string;
  /** The number of the next line. */
  readonly next: number;
}

/** Begins the seal of a new journal. */
export function beginJournal(key: Key): JournalSeal {
  return { key, id: randomUUID(), next: 0 };
}

/** Encrypts whole lines, and says how the next are encrypted. */
export function sealLines(
  text: string,
  { key, id, next }: JournalSeal,
  address: string,
  name: string,
): { readonly text: string; readonly seal: JournalSeal } {
  const lines = text.split('\n').slice(0, -1);
  const sealed = lines.map((line, index) => {
    const n = next + index;
    const data = encrypt(line, key.bytes, bindLine(address, name, id, n));
    const head = n === 0 ? { sealed: makeHeader(key, address), id } : {};
    const whole = { n, ...head, data };
    return `${JSON.stringify({ ...whole, digest: digestOf(whole) })}\n`;
  });
  return { text: sealed.join(''), seal: { key, id, next: next + lines.length } };
}

/** True for what `sealLines` made. */
export function isSealedJournal(text: string): boolean {
  return text.startsWith('{"n":0,"sealed":');
}

/**
 * The lines again. A last one whose write was cut short stays one.
 * @throws DiagnosticError as `openHeader` does, and `state-tampered`
 */
export async function unsealLines(
  text: string,
  keyring: Keyring | undefined,
  name: string,
  place: SealedPlace,
): Promise<string> {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  let plain = '';
  let key: Key | undefined;
  let id = '';
  for (const [n, line] of lines.entries()) {
    const sealed = parseLine(line);
    // A disk that lost its power may have kept the length of a write and not what was in it.
    if (!sealed && n === lines.length - 1 && line.includes('\0')) return `${plain}${torn}`;
    if (sealed?.n !== n) throw createTampered(place.path, `Line ${n + 1} is not what was written.`);
    if (n === 0 && sealed.sealed) {
      key = await openHeader(sealed.sealed, keyring, place);
      id = sealed.id ?? '';
    }
    const words = key && decrypt(sealed.data, key.bytes, bindLine(place.address, name, id, n));
    if (words === undefined) {
      throw createTampered(place.path, `The key fits, and the seal of line ${n + 1} does not.`);
    }
    plain += `${words}\n`;
  }
  return rest === '' ? plain : `${plain}${torn}`;
}

/**
 * The whole lines again, each by itself: undefined for one that is not what was written. Of a journal whose first line is none,
 * no line can be read: that one names the key, and binds all others.
 */
export async function unsealEachLine(
  text: string,
  keyring: Keyring | undefined,
  name: string,
  place: SealedPlace,
): Promise<readonly (string | undefined)[]> {
  const lines = text.split('\n').slice(0, -1).map(parseLine);
  const { sealed, id = '' } = lines[0] ?? {};
  const key = sealed && (await openHeader(sealed, keyring, place));
  return lines.map((line, n) =>
    line && key ? decrypt(line.data, key.bytes, bindLine(place.address, name, id, n)) : undefined,
  );
}

/** Stands for a write that was cut short: no line, and without an end. */
export const torn = '{';

/** Tells a journal of which not even the first line was written whole. */
export function isTorn(text: string): boolean {
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
  return digest(JSON.stringify([n, sealed ?? null, id ?? null, data]));
}

function bindLine(address: string, name: string, id: string, n: number): string {
  return JSON.stringify(['line', address, name, id, n]);
}
