// Former states: an index of them, and the text of each state that was replaced. The index is for people; the texts are found
// without it, too.
import { changeEffects } from '../../model/effects.ts';
import type { StateVersion } from '../../model/state/version.ts';
import {
  stateFileNames,
  nameHistoryFile,
  parseHistorySerial,
  type StateFiles,
} from '../files/files.ts';
import {
  checkNaturalNumber,
  checkTimestamp,
  checkNonEmptyText,
  findStateListFault,
  findStateObjectFault,
  type StateFieldChecks,
} from '../shape.ts';
import { parseJsonObject } from '../../model/json-object.ts';

/** Limits on the former states that the history keeps. */
export interface StateHistoryLimits {
  /** Number of former states; `findDefaultHistoryVersions` decides unless given. */
  readonly versions?: number | undefined;
  /** Highest age of a former state in milliseconds; unlimited when absent. */
  readonly ageMs?: number | undefined;
}

/** Characters that all former states may take together by default, and the largest number of them. */
const usualSize = 64 * 1024 * 1024;
const mostVersions = 100;
const fewestVersions = 5;

/** Finds the number of former states that are kept by default; `size` is the length of one, in characters. */
export function findDefaultHistoryVersions(size: number): number {
  const fitting = Math.floor(usualSize / Math.max(1, size));
  return Math.max(fewestVersions, Math.min(mostVersions, fitting));
}

const formatVersion = 1;

interface Index {
  readonly formatVersion: number;
  /** Versions of the state, sorted by serial number. */
  readonly versions: readonly StateVersion[];
}

const versionFields: StateFieldChecks = {
  serial: { check: checkNaturalNumber },
  at: {
    check: (at) => checkNonEmptyText(at) ?? checkTimestamp(Date.parse(String(at))),
    isOptional: true,
  },
  who: { check: checkNonEmptyText, isOptional: true },
  operation: { check: checkNonEmptyText, isOptional: true },
  runId: { check: checkNonEmptyText, isOptional: true },
  counts: { check: (counts) => findStateObjectFault(counts, countFields), isOptional: true },
};
const countFields: StateFieldChecks = Object.fromEntries(
  changeEffects.map((effect) => [effect, { check: checkNaturalNumber, isOptional: true }]),
);

/** Reads all versions of the state that can be shown, by serial; `current` is the serial of the state. */
export async function readStateHistory(
  files: StateFiles,
  current: number,
): Promise<readonly StateVersion[]> {
  const [names, index] = await Promise.all([files.list(), readIndex(files)]);
  const known = new Map(index.map((one) => [one.serial, one]));
  const kept = names.flatMap((name) => parseHistorySerial(name) ?? []);
  return [...new Set([...kept, ...(current > 0 ? [current] : [])])]
    .sort((left, right) => left - right)
    .map((serial) => known.get(serial) ?? { serial });
}

/** Reads the index of former states; empty where it cannot be read. */
async function readIndex(files: StateFiles): Promise<readonly StateVersion[]> {
  const text = await files.read(stateFileNames.history);
  if (text === undefined) return [];
  const index = parseJsonObject(text) as Partial<Index> | undefined;
  const { versions } = index?.formatVersion === formatVersion ? index : {};
  return findStateListFault(versions, versionFields, 'serial') === undefined
    ? (versions ?? [])
    : [];
}

/** Adds a version to the index, and removes those beyond the limits. `now` is in milliseconds. */
export async function recordStateVersion(
  files: StateFiles,
  version: StateVersion,
  limits: { readonly versions: number; readonly ageMs?: number | undefined },
  now: number,
): Promise<void> {
  const before = await readIndex(files);
  const versions = [...before.filter(({ serial }) => serial < version.serial), version];
  const kept = (await files.list())
    .flatMap((name) => parseHistorySerial(name) ?? [])
    .sort((left, right) => right - left);
  const dates = new Map(versions.map(({ serial, at }) => [serial, Date.parse(at ?? '')]));
  const isOld = (serial: number) =>
    limits.ageMs !== undefined && now - (dates.get(serial) ?? now) > limits.ageMs;
  const gone = kept.filter((serial, index) => index >= limits.versions || isOld(serial));
  for (const serial of gone) await files.remove(nameHistoryFile(serial));
  const left = versions.filter(({ serial }) => !gone.includes(serial));
  const index: Index = { formatVersion, versions: left };
  await files.replace(stateFileNames.history, `${JSON.stringify(index, null, 2)}\n`);
}
