// Ids of entries that the service offers (images, tariffs). A name that is published anew means another entry, and a
// withdrawn name none: neither changes a resource that was made with the entry.
import type { Catalog, LiveResource } from '../model/account/live.ts';
import type { ReportedOrUntoldField } from '../model/account/told.ts';
import type { ManagedResource } from '../model/state/state.ts';
import type { Attributes } from '../model/value.ts';
import { spellCatalogEntry } from './catalog.ts';
import { listCatalogEntriesForField } from './entry-names.ts';
import { kindRegistry } from './registry.ts';

type RecordedEntries = Pick<ManagedResource, 'entryIds' | 'entryTexts'>;

type EntryIds = Readonly<Record<string, ReportedOrUntoldField<string>>>;

/**
 * The ids of entries that a live resource has, by field; undefined for a kind without entries. A field that shows the text
 * that it was recorded with has the entry of that time, whatever the catalog makes of the text by now.
 */
export function readCatalogEntryIds(
  live: LiveResource,
  { entryIds = {}, entryTexts = {} }: RecordedEntries = {},
): EntryIds | undefined {
  const ids = kindRegistry[live.kind].traits.entryIds?.(live);
  const texts = ids && readEntryTexts(live);
  if (!texts) return ids;
  const same = Object.keys(entryTexts).filter((field) => entryTexts[field] === texts[field]);
  const had = same.map((field) => [field, entryIds[field] ?? ids[field]] as const);
  return { ...ids, ...Object.fromEntries(had) };
}

/** Catalog entries of a live resource as the service shows them, by field. */
function readEntryTexts(live: LiveResource): EntryIds {
  const shown = live.shownEntries ? { ...live, ...live.shownEntries } : live;
  return kindRegistry[live.kind].traits.entryIds?.(shown) ?? {};
}

/**
 * The ids that the state records beside the names; nothing for a kind without entries. `isKept`: the record keeps its value
 * of a field, and the id in `had` with it.
 */
export function recordCatalogEntryIds(
  live: LiveResource,
  had: RecordedEntries = {},
  isKept: (field: string) => boolean = () => false,
): RecordedEntries {
  const ids = readCatalogEntryIds(live, had);
  if (!ids) return {};
  const texts = readEntryTexts(live);
  const entryIds: Record<string, string> = {};
  const entryTexts: Record<string, string> = {};
  for (const field in ids) {
    const id = isKept(field) ? had.entryIds?.[field] : ids[field];
    if (id === undefined) continue;
    entryIds[field] = id;
    const before = id === had.entryIds?.[field] ? had.entryTexts?.[field] : undefined;
    // Some answers show the id, and others the text.
    const text = isKept(field) || texts[field] === id ? before : texts[field];
    if (text !== undefined) entryTexts[field] = text;
  }
  return { entryIds, ...(Object.keys(entryTexts).length > 0 && { entryTexts }) };
}

/** A record without the texts of fields that a command has set: the same text may mean another entry then. */
export function forgetEntryTexts<R extends RecordedEntries>(
  recorded: R,
  fields: Iterable<string>,
): R {
  if (!recorded.entryTexts) return recorded;
  const set = new Set(fields);
  const others = Object.entries(recorded.entryTexts).filter(([field]) => !set.has(field));
  const rest = { ...recorded, entryTexts: Object.fromEntries(others) };
  if (others.length === 0) Reflect.deleteProperty(rest, 'entryTexts');
  return rest;
}

/**
 * The attributes of a live resource, with its recorded entries written as they were then. `wanted` has the configuration's
 * present values: another name for the same entry is shown as that name.
 */
export function readAttributesWithRecordedEntries(
  read: Attributes,
  live: LiveResource,
  managed: ManagedResource | undefined,
  catalog: Catalog,
  wanted: Attributes = {},
): Attributes {
  const { attributes = {}, entryIds } = managed ?? {};
  const ids = entryIds && readCatalogEntryIds(live, managed);
  if (!ids) return read;
  const texts = readEntryTexts(live);
  const written = Object.keys(ids).flatMap((field) => {
    const [id, before] = [ids[field], attributes[field]];
    // Earlier versions recorded what the service shows as the id.
    const isRecorded = id !== undefined && [id, texts[field]].includes(entryIds[field]);
    if (!isRecorded || before === undefined) return [];
    const now = spellCatalogEntry(
      listCatalogEntriesForField(live.kind, field, catalog),
      id,
      wanted[field],
    );
    return [[field, now !== undefined && now === wanted[field] ? now : before] as const];
  });
  return written.length === 0 ? read : { ...read, ...Object.fromEntries(written) };
}
