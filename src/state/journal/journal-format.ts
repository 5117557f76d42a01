// Format of the journal: JSON lines, each with the checksum of its record. Pure text in, pure text out.
import { crc32 } from 'node:zlib';
import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { createJournalError, createNewerFormatError } from '../faults.ts';
import { journalRecordKinds, type JournalRecord } from './records.ts';
import { redactResourceForFile, upgradeResourceFormat } from '../snapshot/redact-state.ts';

/** The first line of every journal: the snapshot that its records build on. */
export interface JournalBase {
  /** Id of the journal. A snapshot that contains the journal's records names it. */
  readonly id: string;
  readonly lineage: string;
  readonly serial: number;
  /** Epoch of the lock under which the journal is written; 0 in a journal without one. */
  readonly epoch: number;
}

/** The version of the journal's format that is written, and the last that is read. */
const journalFormatVersion = 3;

/** Content of a journal, decoded. */
export interface DecodedJournal {
  /** First line of the journal; undefined when not even that was written whole. */
  readonly base: JournalBase | undefined;
  readonly records: readonly JournalRecord[];
  /** Lines of the journal's records, unchanged; whole lines only. */
  readonly lines: string;
  /** Length of the whole lines in bytes; a rest behind them was cut short. */
  readonly bytes: number;
  readonly isTorn: boolean;
}

const opening = '{"crc32":"';
const middle = '","record":';
const recordAt = opening.length + 8 + middle.length;

interface Header extends Omit<JournalBase, 'epoch'> {
  readonly kind: 'journal';
  readonly formatVersion: number;
  readonly epoch?: number;
}

/** Encodes a record as a line of the journal, with its line break. */
export function encodeJournalRecord(record: JournalRecord): string {
  return encodeLine(mapResources(record, redactResourceForFile));
}

/** A record of a line, in the present format: the line may have been carried over from the journal of an earlier version. */
const upgradeRecord = (record: JournalRecord) => mapResources(record, upgradeResourceFormat);

function mapResources(
  record: JournalRecord,
  change: (resource: ManagedResource) => ManagedResource,
): JournalRecord {
  switch (record.kind) {
    case 'bound':
    case 'settled':
      return { ...record, resource: change(record.resource) };
    case 'ended':
      return { ...record, ...(record.resource && { resource: change(record.resource) }) };
    case 'rearranged':
      return { ...record, resources: record.resources.map(change) };
    default:
      return record;
  }
}

/** Encodes the first line of a journal. */
export function encodeJournalBase(base: JournalBase): string {
  return encodeLine({ kind: 'journal', formatVersion: journalFormatVersion, ...base });
}

function encodeLine(payload: JournalRecord | Header): string {
  const text = JSON.stringify(payload);
  return `${opening}${checksum(text)}${middle}${text}}\n`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/**
 * Decodes a journal. A last line without its newline or with a wrong checksum is a write that was cut short and never
 * acknowledged, so it is dropped. Any other bad line is damage, unless its number, counted from 1, is one of `leftOut`.
 * `path` is for messages.
 * @throws DiagnosticError `journal-corrupt`, or `state-newer` for a journal of a later version
 */
export function decodeJournal(
  text: string,
  path: string,
  leftOut: ReadonlySet<number> = new Set(),
): DecodedJournal {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  const records: JournalRecord[] = [];
  const carried: string[] = [];
  let base: JournalBase | undefined;
  let length = 0;
  for (const [index, line] of lines.entries()) {
    if (!leftOut.has(index + 1)) {
      const payload = decodeLine(line);
      if (payload === undefined) {
        if (index === lines.length - 1 && rest === '') break;
        throw createJournalError(path, index + 1, unlikeChecksum);
      }
      if (index === 0) base = readBase(payload, path);
      else {
        records.push(upgradeRecord(readRecord(payload, path, index + 1)));
        carried.push(`${line}\n`);
      }
    }
    length += line.length + 1;
  }
  const isTorn = length < text.length;
  const bytes = Buffer.byteLength(isTorn ? text.slice(0, length) : text);
  return { base, records, lines: carried.join(''), bytes, isTorn };
}

const unlikeChecksum = 'Its text does not match its checksum.';

/** One line of a journal, as `state journal` shows it. */
export type JournalLine =
  /** The first line, which names the snapshot that the others build on. */
  | { readonly kind: 'base'; readonly base: JournalBase }
  | { readonly kind: 'record'; readonly record: JournalRecord }
  /** A line of the journal that cannot be used, with the reason as a sentence. */
  | { readonly kind: 'damaged'; readonly fault: string };

/**
 * Decodes each line of a journal by itself, so that all damage is found. An undefined line is one that could not be
 * decrypted.
 */
export function examineJournalLines(
  lines: readonly (string | undefined)[],
): readonly JournalLine[] {
  return lines.map((line, index): JournalLine => {
    const payload = line === undefined ? undefined : decodeLine(line);
    if (payload === undefined) return { kind: 'damaged', fault: unlikeChecksum };
    try {
      if (index === 0) return { kind: 'base', base: readBase(payload, '') };
      return { kind: 'record', record: upgradeRecord(readRecord(payload, '', index + 1)) };
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      return { kind: 'damaged', fault: error.diagnostics[0]?.detail ?? unlikeChecksum };
    }
  });
}

function decodeLine(line: string): unknown {
  const text = line.slice(recordAt, -1);
  const isWhole =
    line.startsWith(opening) &&
    line.startsWith(middle, opening.length + 8) &&
    line.endsWith('}') &&
    line.slice(opening.length, opening.length + 8) === checksum(text);
  return isWhole ? JSON.parse(text) : undefined;
}

function readBase(payload: unknown, path: string): JournalBase {
  const header = payload as Header;
  if (!isHeader(payload)) {
    throw createJournalError(path, 1, 'The line that says which snapshot it builds on is missing.');
  }
  if (header.formatVersion > journalFormatVersion) {
    const what = `The journal has format version ${header.formatVersion}; this version reads up to ${journalFormatVersion}.`;
    throw createNewerFormatError(path, what);
  }
  const { id, lineage, serial, epoch = 0 } = header;
  return { id, lineage, serial, epoch };
}

function isHeader(payload: unknown): boolean {
  return (payload as { kind: string }).kind === 'journal';
}

function readRecord(payload: unknown, path: string, line: number): JournalRecord {
  const record = payload as JournalRecord;
  if (!Object.hasOwn(journalRecordKinds, record.kind)) {
    throw createNewerFormatError(
      path,
      `Line ${line} holds a record of the unknown kind "${record.kind}".`,
    );
  }
  const stranger = listAddresses(record).find((address) => !parseResourceAddress(address));
  if (stranger !== undefined) {
    throw createJournalError(
      path,
      line,
      `It holds ${JSON.stringify(stranger)}, which is not an address.`,
    );
  }
  return record;
}

/** Lists every address that a record would put into the state. */
function listAddresses(record: JournalRecord): readonly ResourceAddress[] {
  switch (record.kind) {
    case 'intent':
      return [record.address];
    case 'possibleDouble':
      return [record.double.address];
    case 'bound':
    case 'settled':
      return [record.resource.address];
    case 'rearranged':
      return record.resources.map(({ address }) => address);
    default:
      return [];
  }
}
