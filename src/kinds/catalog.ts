import type { ReportedOrUntoldField } from '../model/account/told.ts';
import type { Catalog, CatalogConfiguration, CatalogEntry } from '../model/account/live.ts';

/** Entries that each looked-up text can mean, by the catalog's list. */
const lookedUp = new WeakMap<readonly CatalogEntry[], Map<string, readonly CatalogEntry[]>>();

/**
 * The offered entries that a person's text can mean: the entry with this id, else all with this name, else the one with this
 * id in another case. Ids win, so that a name never hides one. Each text is looked up once in a list, since thousands of
 * resources name the same few entries.
 */
export function listMatchingCatalogEntries<E extends CatalogEntry>(
  entries: readonly E[],
  written: unknown,
): readonly E[] {
  if (typeof written !== 'string') return [];
  let known = lookedUp.get(entries);
  if (!known) lookedUp.set(entries, (known = new Map<string, readonly CatalogEntry[]>()));
  let meant = known.get(written);
  if (!meant) known.set(written, (meant = lookUp(entries, written)));
  return meant as readonly E[];
}

function lookUp(entries: readonly CatalogEntry[], written: string): readonly CatalogEntry[] {
  const own = entries.filter(({ id }) => id === written);
  if (own.length > 0) return own;
  const named = entries.filter(({ name }) => name === written);
  if (named.length > 0) return named;
  const folded = written.toLowerCase();
  return entries.filter(({ id }) => id.toLowerCase() === folded);
}

/** The offered entry that a person's text means; the first where it can mean several. */
export function findCatalogEntry<E extends CatalogEntry>(
  entries: readonly E[],
  written: unknown,
): E | undefined {
  return listMatchingCatalogEntries(entries, written)[0];
}

/**
 * The spelling of a live id: as the configuration wrote it when that can mean the same entry, else by the name that means no
 * other entry, else by id.
 */
export function spellCatalogEntry(
  entries: readonly CatalogEntry[],
  id: ReportedOrUntoldField<string>,
  written: unknown,
): ReportedOrUntoldField<string> {
  if (id === undefined) return undefined;
  const isMeant = listMatchingCatalogEntries(entries, written).some((entry) => entry.id === id);
  if (typeof written === 'string' && isMeant) return written;
  const entry = entries.find((one) => one.id === id);
  return entry && isUnambiguousEntryName(entries, entry) ? entry.name : id;
}

/** Tests whether the name of an entry means it and no other. */
export function isUnambiguousEntryName(
  entries: readonly CatalogEntry[],
  entry: CatalogEntry,
): boolean {
  return listMatchingCatalogEntries(entries, entry.name).every((one) => one === entry);
}

/** The id to send for a person's text. A text that the catalog does not know is sent as it stands; a check reports it. */
export function findCatalogEntryId(entries: readonly CatalogEntry[], written: unknown): string {
  return findCatalogEntry(entries, written)?.id ?? String(written);
}

/** The size of a VM of this configuration; undefined when the catalog does not know it. */
export function findVmConfiguration(
  catalog: Catalog,
  written: unknown,
): CatalogConfiguration | undefined {
  return findCatalogEntry(catalog.configurations, written);
}
