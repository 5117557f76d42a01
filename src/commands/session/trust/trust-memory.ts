// The memory of what this user has trusted, in files outside of every work tree: who writes a configuration, or the
// state beside it, has no say in it. Each subject has a file, so that two processes at once lose at most an answer, which is
// then asked for again.
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { isDeepStrictEqual as isEqual } from 'node:util';
import { readErrorCode } from '../../../model/errors.ts';
import type { Runtime } from '../../../model/runtime.ts';
import { findGitWorkTree } from '../../../state/backends/git/tracked-files.ts';
import { makeStateDirectory } from '../../../state/files/files.ts';
import { readRegularFile } from '../../../state/files/regular-file.ts';
import { replaceFile } from '../../../state/files/replace-file.ts';
import { isPathInDirectory, resolveRealPath } from '../../../state/files/written-file.ts';
import { parseJsonObject } from '../../../model/json-object.ts';

/** Name of a remembered fact: words that identify the service, place or state. */
export type TrustSubject = readonly string[];

/** Confirmed facts as lists of texts, by the names of the facts. */
export type RememberedConfirmations = Readonly<Record<string, readonly string[]>>;

/** Confirmations that this user has given about services and states, stored outside of the configuration for later runs. */
export interface TrustMemory {
  /** Reads the facts about a subject; none where there is no memory, or it cannot be read. */
  recall(subject: TrustSubject): Promise<RememberedConfirmations>;
  /** Remembers these facts beside the others of the subject. Gives why that cannot be: a sentence. */
  remember(subject: TrustSubject, facts: RememberedConfirmations): Promise<string | undefined>;
}

const formatVersion = 1;

/** The memory of the user who runs the program; `directory` is that of the configuration, absolute. */
export function openTrustMemory({ env }: Pick<Runtime, 'env'>, directory: string): TrustMemory {
  let found: Promise<Place> | undefined;
  const find = () => (found ??= findPlace(env, directory));
  const recall = async (subject: TrustSubject): Promise<RememberedConfirmations> => {
    const place = await find();
    return 'folder' in place ? readFacts(join(place.folder, nameOf(subject)), subject) : {};
  };
  return {
    recall,
    async remember(subject, facts) {
      const place = await find();
      if ('fault' in place) return place.fault;
      const before = await recall(subject);
      const after: Remembered = { formatVersion, subject, facts: { ...before, ...facts } };
      if (isEqual(after.facts, before)) return undefined;
      try {
        await makeStateDirectory(place.folder);
        await replaceFile(
          join(place.folder, nameOf(subject)),
          `${JSON.stringify(after, null, 2)}\n`,
        );
        return undefined;
      } catch (error) {
        return `${place.folder} cannot be written (${readErrorCode(error) ?? 'unknown error'}).`;
      }
    },
  };
}

function nameOf(subject: TrustSubject): string {
  return `${createHash('sha256').update(JSON.stringify(subject)).digest('hex')}.json`;
}

type Place = { readonly folder: string } | { readonly fault: string };

/** Finds the folder of the memory, or says in a sentence why there is none. */
async function findPlace(env: Runtime['env'], directory: string): Promise<Place> {
  const { XDG_STATE_HOME: given = '', HOME, USERPROFILE } = env;
  const base = isAbsolute(given) ? given : join(HOME ?? USERPROFILE ?? '', '.local', 'state');
  if (!isAbsolute(base)) return { fault: 'Neither XDG_STATE_HOME nor HOME is set.' };
  const folder = join(base, 'hostwright', 'trust');
  try {
    const { real } = await resolveRealPath(join(folder, 'any'));
    for (const root of [directory, (await findGitWorkTree(directory)) ?? directory]) {
      const within = await resolveRealPath(join(root, 'any'));
      if (isPathInDirectory(real, dirname(within.real)))
        return { fault: `${folder} is in the work tree, where anybody may have written it.` };
    }
    const found = await stat(folder).catch(ignoreMissing);
    const isOwn = !found || found.uid === (process.geteuid?.() ?? found.uid);
    if (isOwn && ((found?.mode ?? 0) & 0o022) === 0) return { folder };
    return { fault: `Others may write to ${folder}.` };
  } catch (error) {
    return { fault: `${folder} cannot be read (${readErrorCode(error) ?? 'unknown error'}).` };
  }
}

function ignoreMissing(error: unknown): undefined {
  if (readErrorCode(error) !== 'ENOENT') throw error;
}

async function readFacts(path: string, subject: TrustSubject): Promise<RememberedConfirmations> {
  try {
    const found = parseJsonObject(await readRegularFile(path)) ?? {};
    const isMeant = found.formatVersion === formatVersion && isEqual(found.subject, subject);
    return isMeant && isFacts(found.facts) ? found.facts : {};
  } catch {
    // A damaged file of confirmations counts as none: the user is asked again.
    return {};
  }
}

interface Remembered {
  readonly formatVersion: number;
  readonly subject: TrustSubject;
  readonly facts: RememberedConfirmations;
}

function isFacts(value: unknown): value is RememberedConfirmations {
  const isText = (one: unknown) => typeof one === 'string';
  const isList = (one: unknown) => Array.isArray(one) && one.every(isText);
  return typeof value === 'object' && value !== null && Object.values(value).every(isList);
}
