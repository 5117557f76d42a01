// Format of the snapshot file: indented JSON in a fixed order, so that two snapshots can be diffed. Pure text in, pure text
// out. Its published shape is schemas/state.schema.json.
import {
  isCommandFitForFile,
  redactResourceForFile,
  upgradeResourceFormat,
} from './redact-state.ts';
import { compareResourceAddresses, type ResourceAddress } from '../../model/address.ts';
import type { State } from '../../model/state/state.ts';
import { findSnapshotShapeFault, type SnapshotDocument } from './snapshot-shape.ts';
import { createNewerFormatError, createSnapshotError } from '../faults.ts';

/** The version of the snapshot's format that is written, and the last that is read. */
const snapshotFormatVersion = 3;

/** Content of a snapshot file of the state, decoded. */
export interface StateSnapshot {
  readonly state: State;
  /** Id of the journal whose records the snapshot contains; undefined when it was made from none. */
  readonly journalId: string | undefined;
  /** Epoch of the lock under which the snapshot was written; 0 for a snapshot from before there were epochs. */
  readonly epoch: number;
}

/** Members of a snapshot file beside the state itself. */
export interface SnapshotOrigin {
  /** Version of the program that writes the snapshot. */
  readonly version?: string;
  readonly epoch?: number;
  readonly journalId?: string;
}

/** Length of the beginning of a snapshot that contains its epoch, so that the rest need not be read for that. */
export const snapshotHeadBytes = 1_024;

/** Reads the epoch from the first bytes of a snapshot; 0 where it has none. */
export function readSnapshotHeadEpoch(head: string): number {
  const [, digits = '0'] = /"epoch":\s*(\d{1,15})\b/.exec(head.slice(0, snapshotHeadBytes)) ?? [];
  return Number(digits);
}

/** Encodes a state as the text of a snapshot file; equal states give equal texts. */
export function encodeSnapshot(state: State, origin: SnapshotOrigin = {}): string {
  const document: SnapshotDocument = {
    formatVersion: snapshotFormatVersion,
    ...(origin.version !== undefined && { hostwrightVersion: origin.version }),
    lineage: state.lineage,
    serial: state.serial,
    ...(origin.epoch !== undefined && { epoch: origin.epoch }),
    ...(origin.journalId !== undefined && { journal: origin.journalId }),
    service: state.service,
    ...(state.authorities && { authorities: state.authorities }),
    ...(state.contract && { contract: state.contract }),
    resources: sortByAddress(state.resources).map(redactResourceForFile),
    pending: sortByAddress(state.pending),
    ...describeSent(state),
    ...(state.possibleDoubles && { possibleDoubles: state.possibleDoubles.toSorted(byAddress) }),
    ...(state.outputs && { outputs: Object.fromEntries(state.outputs) }),
    ...(state.safeguards && { safeguards: state.safeguards }),
    ...(state.durations && { durations: state.durations }),
    ...(state.readyTimes && { readyTimes: state.readyTimes }),
    ...(state.slowestAppearanceMs !== undefined && {
      slowestAppearanceMs: state.slowestAppearanceMs,
    }),
    ...(state.clocks && { clocks: state.clocks }),
  };
  return `${JSON.stringify(document, sortKeys, 2)}\n`;
}

/**
 * Reads a snapshot file. Keys that this version does not know are tolerated; those of a resource are kept.
 * `paths` are for messages.
 * @throws DiagnosticError `state-invalid` or `state-newer`
 */
export function decodeSnapshot(
  text: string,
  paths: { readonly snapshot: string; readonly backup: string; readonly journal: string },
): StateSnapshot {
  const document = parseDocument(text, paths);
  const { lineage, serial, service, journal, epoch = 0, resources, pending } = document;
  const { authorities, contract, sent, possibleDoubles, outputs, safeguards } = document;
  const { durations, readyTimes, slowestAppearanceMs, clocks } = document;
  const state: State = {
    lineage,
    serial,
    service,
    ...(authorities && { authorities }),
    ...(contract && { contract }),
    resources: new Map(resources.map((one) => [one.address, upgradeResourceFormat(one)])),
    pending: new Map(pending.map((create) => [create.address, create])),
    ...(sent && { sent: new Map(sent.map(({ id, ...one }) => [id, one])) }),
    ...(possibleDoubles && { possibleDoubles }),
    ...(outputs && { outputs: new Map(Object.entries(outputs)) }),
    ...(safeguards && { safeguards }),
    ...(durations && { durations }),
    ...(readyTimes && { readyTimes }),
    ...(slowestAppearanceMs !== undefined && { slowestAppearanceMs }),
    ...(clocks && { clocks }),
  };
  return { state, journalId: journal, epoch };
}

function parseDocument(
  text: string,
  paths: { readonly snapshot: string; readonly backup: string; readonly journal: string },
): SnapshotDocument {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    const reason = text.trim() === '' ? 'The file is empty' : `It is not JSON${placeOf(error)}`;
    throw createSnapshotError(paths.snapshot, paths, reason);
  }
  const { formatVersion, hostwrightVersion } = (parsed ?? {}) as Partial<SnapshotDocument>;
  if (typeof formatVersion === 'number' && formatVersion > snapshotFormatVersion) {
    const what = `It has format version ${formatVersion}; this version reads up to ${snapshotFormatVersion}.`;
    throw createNewerFormatError(paths.snapshot, what, hostwrightVersion);
  }
  const fault = findSnapshotShapeFault(parsed);
  if (fault !== undefined) throw createSnapshotError(paths.snapshot, paths, fault);
  return parsed as SnapshotDocument;
}

function describeSent({ sent, resources }: State): Pick<SnapshotDocument, 'sent'> {
  const shown = [...(sent ?? [])]
    .filter(([, one]) => isCommandFitForFile(one, resources.get(one.address)))
    .map(([id, one]) => ({ id, ...one }))
    .sort((a, b) => compareResourceAddresses(a.address, b.address) || (a.id < b.id ? -1 : 1));
  return shown.length > 0 ? { sent: shown } : {};
}

/** Position of a syntax error. The parser's own words would quote the file, which may hold anything. */
function placeOf(error: unknown): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(String(error)) ?? [];
  return line === undefined || column === undefined ? '' : ` at line ${line}, column ${column}`;
}

type Addressed = Readonly<Record<'address', ResourceAddress>>;

const byAddress = (left: Addressed, right: Addressed): number =>
  compareResourceAddresses(left.address, right.address);

function sortByAddress<T>(map: ReadonlyMap<ResourceAddress, T>): T[] {
  return [...map]
    .sort(([left], [right]) => compareResourceAddresses(left, right))
    .map(([, value]) => value);
}

const documentOrder = ['address', 'kind', 'id', 'projectId'];

/** Keys in one order whatever order the objects were built in; the keys that identify an entry come first. */
function sortKeys(this: unknown, key: string, value: unknown): unknown {
  if (key === '' || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const entries = Object.entries(value).sort(([left], [right]) => compareKeys(left, right));
  return Object.fromEntries(entries);
}

function compareKeys(left: string, right: string): number {
  const leftPlace = documentOrder.indexOf(left);
  const rightPlace = documentOrder.indexOf(right);
  if (leftPlace >= 0 && rightPlace >= 0) return leftPlace - rightPlace;
  if (leftPlace >= 0 || rightPlace >= 0) return leftPlace >= 0 ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}
