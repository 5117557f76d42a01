import { join } from 'node:path';
import { effects } from '../model/effects.ts';
import type { Timeline } from '../model/plan/timeline.ts';
import { makeDirectory, stateDirectoryName } from './files/files.ts';
import { readRegular } from './files/regular-file.ts';
import { replaceFile } from './files/replace-file.ts';
import {
  checkAddress,
  checkNaturalNumber,
  checkFlag,
  checkMoment,
  findListFault,
  findObjectFault,
  type FieldCheck,
  type FieldChecks,
} from './shape.ts';

const fileName = 'last-run.json';
const formatVersion = 1;

/** Saves the timeline of an apply beside the state, for reports: nothing else reads it, and it may be deleted. */
export async function writeLastRun(directory: string, timeline: Timeline): Promise<void> {
  const folder = join(directory, stateDirectoryName);
  await makeDirectory(folder);
  await replaceFile(join(folder, fileName), `${JSON.stringify({ formatVersion, ...timeline })}\n`);
}

/** The timeline of the last apply; undefined where none is saved, or not in this form. */
export async function readLastRun(directory: string): Promise<Timeline | undefined> {
  try {
    const text = await readRegular(join(directory, stateDirectoryName, fileName));
    const content = JSON.parse(text) as Timeline & { formatVersion: unknown };
    if (findObjectFault(content, timelineFields) !== undefined) return undefined;
    const { startedAt, endedAt, counts, entries } = content;
    return { startedAt, endedAt, ...(counts && { counts }), entries };
  } catch {
    return undefined;
  }
}

const oneOf =
  (...words: readonly string[]): FieldCheck =>
  (value) =>
    typeof value === 'string' && words.includes(value) ? undefined : 'must be a word that is known';
const countFields: FieldChecks = Object.fromEntries(
  effects.map((effect) => [effect, { check: checkNaturalNumber }]),
);
const entryFields: FieldChecks = {
  address: { check: checkAddress },
  step: { check: oneOf('create', 'update', 'rebuild', 'delete') },
  result: { check: oneOf('applied', 'failed', 'skipped', 'interrupted', 'unknown') },
  startedAt: { check: checkMoment },
  endedAt: { check: checkMoment },
  isCritical: { check: checkFlag },
};
const timelineFields: FieldChecks = {
  formatVersion: { check: (value) => (value === formatVersion ? undefined : 'must be known') },
  startedAt: { check: checkMoment },
  endedAt: { check: checkMoment },
  counts: { check: (value) => findObjectFault(value, countFields), isOptional: true },
  entries: { check: (value) => findListFault(value, entryFields, null) },
};
