// Entries of the lists that the service offers are known by their ids. A name that is published anew means another
// entry, and one that is withdrawn none: what stands is not changed by either.
import type { LiveResource } from '../model/account/live.ts';
import type { ManagedResource } from '../model/state/state.ts';
import type { Attributes } from '../model/value.ts';
import { kinds } from './registry.ts';

/**
 * The ids that the state records beside the names; nothing for a kind that has none. `isKept`: the record keeps what it has of a
 * field, `had` the id with it.
 */
export function rememberEntries(
  live: LiveResource,
  had?: Pick<ManagedResource, 'entryIds'>,
  isKept: (field: string) => boolean = () => false,
): Pick<ManagedResource, 'entryIds'> {
  const ids = kinds[live.kind].traits.entryIds?.(live);
  if (!ids) return {};
  const entryIds: Record<string, string> = {};
  for (const field in ids) {
    const id = isKept(field) ? had?.entryIds?.[field] : ids[field];
    if (id !== undefined) entryIds[field] = id;
  }
  return { entryIds };
}

/**
 * The attributes of a live resource, with the entries that it was recorded with as they were written then. `wanted` is what
 * the configuration asks for now: another name for it is that one.
 */
export function readAskedEntries(
  read: Attributes,
  live: LiveResource,
  managed: ManagedResource | undefined,
  wanted: Attributes = {},
): Attributes {
  const { attributes = {}, entryIds } = managed ?? {};
  const ids = entryIds && kinds[live.kind].traits.entryIds?.(live);
  if (!ids) return read;
  const asked = Object.keys(ids).filter((field) => {
    const isRecorded = ids[field] !== undefined && entryIds[field] === ids[field];
    return isRecorded && read[field] !== wanted[field] && attributes[field] !== undefined;
  });
  if (asked.length === 0) return read;
  const written = asked.map((field) => [field, attributes[field] ?? null] as const);
  return { ...read, ...Object.fromEntries(written) };
}
