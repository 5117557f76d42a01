import type { ListOptions } from '../api/reader.ts';
import type { ServiceCallOptions } from '../api/wire/caller.ts';
import type { LiveAccountReader } from './read-live.ts';

/**
 * Wraps a reader of the account so that each list is read only once: what `data` queries have read need not be read again for the
 * plan. Used only for a moment and never across a wait, since a list grows old.
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
    getCatalog: (options?: ServiceCallOptions) => once('catalog', () => source.getCatalog(options)),
    list: (kind, place, options) =>
      once(JSON.stringify([kind, place.projectId, place.publicIpId]), () =>
        source.list(kind, place, options),
      ),
  };
}
