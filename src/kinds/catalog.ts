import type { Told } from '../model/account/told.ts';
import type { Catalog, CatalogConfiguration, CatalogEntry } from '../model/account/live.ts';

/** An offered entry by what a person wrote for it: its id, or its name. Ids win, so that a name never hides one. */
export function findEntry<E extends CatalogEntry>(
  entries: readonly E[],
  written: unknown,
): E | undefined {
  return (
    entries.find((entry) => entry.id === written) ?? entries.find((entry) => entry.name === written)
  );
}

/** How a live id is shown: as the configuration wrote it when it means the same entry, else by name, else by id. */
export function spellEntry(
  entries: readonly CatalogEntry[],
  id: Told<string>,
  written: unknown,
): Told<string> {
  if (id === undefined) return undefined;
  if (typeof written === 'string' && findEntry(entries, written)?.id === id) return written;
  return entries.find((entry) => entry.id === id)?.name ?? id;
}

/** The id to send for what a person wrote. What the catalog does not know is sent as it stands; a check reports it. */
export function entryId(entries: readonly CatalogEntry[], written: unknown): string {
  return findEntry(entries, written)?.id ?? String(written);
}

/** The size of a VM of this configuration; undefined when the catalog does not know it. */
export function findConfiguration(
  catalog: Catalog,
  written: unknown,
): CatalogConfiguration | undefined {
  return findEntry(catalog.configurations, written);
}
