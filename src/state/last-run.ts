import { join } from 'node:path';
import { changeEffects } from '../model/effects.ts';
import type { Timeline } from '../model/plan/timeline.ts';
import { makeStateDirectory, stateDirectoryName } from './files/files.ts';
import { readRegularFile } from './files/regular-file.ts';
import { replaceFile } from './files/replace-file.ts';
import {
  checkResourceAddress,
  checkNaturalNumber,
  checkBoolean,
  checkTimestamp,
  findStateListFault,
  findStateObjectFault,
  type StateFieldCheck,
  type StateFieldChecks,
} from './shape.ts';

const fileName = 'last-run.json';
const formatVersion = 1;

/** Saves the timeline of an apply beside the state, for reports: nothing else reads it, and it may be deleted. */
export async function writeLastRunTimeline(directory: string, timeline: Timeline): Promise<void> {
  const folder = join(directory, stateDirectoryName);
  await makeStateDirectory(folder);
  await replaceFile(join(folder, fileName), `${JSON.stringify({ formatVersion, ...timeline })}\n`);
}

/** Reads the timeline of the last apply; undefined where none is saved, or not in this form. */
export async function readLastRunTimeline(directory: string): Promise<Timeline | undefined> {
  try {
    const text = await readRegularFile(join(directory, stateDirectoryName, fileName));
    const content = JSON.parse(text) as Timeline & { formatVersion: unknown };
    if (findStateObjectFault(content, timelineFields) !== undefined) return undefined;
    const { startedAt, endedAt, counts, entries } = content;
    return { startedAt, endedAt, ...(counts && { counts }), entries };
  } catch {
    return undefined;
  }
}

const oneOf =
  (...words: readonly string[]): StateFieldCheck =>
  (value) =>
    typeof value === 'string' && words.includes(value) ? undefined : 'must be a word that is known';
const countFields: StateFieldChecks = Object.fromEntries(
  changeEffects.map((effect) => [effect, { check: checkNaturalNumber }]),
);
const entryFields: StateFieldChecks = {
  address: { check: checkResourceAddress },
  step: { check: oneOf('create', 'update', 'rebuild', 'delete') },
  result: { check: oneOf('applied', 'failed', 'skipped', 'interrupted', 'unknown') },
  startedAt: { check: checkTimestamp },
  endedAt: { check: checkTimestamp },
  isCritical: { check: checkBoolean },
};
const timelineFields: StateFieldChecks = {
  formatVersion: { check: (value) => (value === formatVersion ? undefined : 'must be known') },
  startedAt: { check: checkTimestamp },
  endedAt: { check: checkTimestamp },
  counts: { check: (value) => findStateObjectFault(value, countFields), isOptional: true },
  entries: { check: (value) => findStateListFault(value, entryFields, null) },
};
