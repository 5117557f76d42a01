import { join } from 'node:path';
import { effects } from '../model/plan/effects.ts';
import type { Timeline } from '../model/plan/timeline.ts';
import { makeDirectory, stateDirectoryName } from './files/files.ts';
import { readRegular } from './files/regular-file.ts';
import { replaceFile } from './files/replace-file.ts';

const fileName = 'last-run.json';
const formatVersion = 1;

/** Keeps when what ran during an apply beside the state, for reports: nothing else reads it, and it may be deleted. */
export async function writeLastRun(directory: string, timeline: Timeline): Promise<void> {
  const folder = join(directory, stateDirectoryName);
  await makeDirectory(folder);
  await replaceFile(join(folder, fileName), `${JSON.stringify({ formatVersion, ...timeline })}\n`);
}

/** When what ran during the last apply; undefined where nothing is kept, or not in this form. */
export async function readLastRun(directory: string): Promise<Timeline | undefined> {
  try {
    const text = await readRegular(join(directory, stateDirectoryName, fileName));
    const content = JSON.parse(text) as (Timeline & { formatVersion: unknown }) | null;
    if (content?.formatVersion !== formatVersion || !Array.isArray(content.entries))
      return undefined;
    const { startedAt, endedAt, counts, entries } = content;
    const isCounted = counts && effects.every((effect) => Number.isInteger(counts[effect]));
    return { startedAt, endedAt, ...(isCounted && { counts }), entries };
  } catch {
    return undefined;
  }
}
