// Ids of entries that the service offers (images, tariffs). A name that is published anew means another entry, and a
// withdrawn name none: neither changes a resource that was made with the entry.
import type { LiveResource } from '../model/account/live.ts';
import type { ManagedResource } from '../model/state/state.ts';
import type { Attributes } from '../model/value.ts';
import { kindRegistry } from './registry.ts';

/**
 * The ids that the state records beside the names; nothing for a kind without entries. `isKept`: the record keeps its value
 * of a field, and the id in `had` with it.
 */
export function recordCatalogEntryIds(
  live: LiveResource,
  had?: Pick<ManagedResource, 'entryIds'>,
  isKept: (field: string) => boolean = () => false,
): Pick<ManagedResource, 'entryIds'> {
  const ids = kindRegistry[live.kind].traits.entryIds?.(live);
  if (!ids) return {};
  const entryIds: Record<string, string> = {};
  for (const field in ids) {
    const id = isKept(field) ? had?.entryIds?.[field] : ids[field];
    if (id !== undefined) entryIds[field] = id;
  }
  return { entryIds };
}

/**
 * The attributes of a live resource, with its recorded entries written as they were then. `wanted` has the configuration's
 * present values: another name for the same entry is shown as that name.
 */
export function readAttributesWithRecordedEntries(
  read: Attributes,
  live: LiveResource,
  managed: ManagedResource | undefined,
  wanted: Attributes = {},
): Attributes {
  const { attributes = {}, entryIds } = managed ?? {};
  const ids = entryIds && kindRegistry[live.kind].traits.entryIds?.(live);
  if (!ids) return read;
  const asked = Object.keys(ids).filter((field) => {
    const isRecorded = ids[field] !== undefined && entryIds[field] === ids[field];
    return isRecorded && read[field] !== wanted[field] && attributes[field] !== undefined;
  });
  if (asked.length === 0) return read;
  const written = asked.map((field) => [field, attributes[field] ?? null] as const);
  return { ...read, ...Object.fromEntries(written) };
}
