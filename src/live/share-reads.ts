import type { ListOptions } from '../api/reader.ts';
import type { CallOptions } from '../api/wire/caller.ts';
import type { LiveAccountReader } from './read-live.ts';

/**
 * The same source, but that each list is asked for once: what `data` has read need not be read again for the first look
 * at the account. It is for a moment, and never for a wait.
 */
export function shareListReads(source: LiveAccountReader): LiveAccountReader {
  const known = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const given = known.get(key) as Promise<T> | undefined;
    if (given) return given;
    const made = read();
    known.set(key, made);
    return made;
  };
  return {
    get: source.get,
    getLimits: source.getLimits,
    getNameLengths: source.getNameLengths,
    listProjects: (options?: ListOptions) => once('projects', () => source.listProjects(options)),
    getCatalog: (options?: CallOptions) => once('catalog', () => source.getCatalog(options)),
    list: (kind, place, options) =>
      once(JSON.stringify([kind, place.projectId, place.publicIpId]), () =>
        source.list(kind, place, options),
      ),
  };
}
