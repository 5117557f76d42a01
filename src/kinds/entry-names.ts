// Names of entries that the service offers, which may be written by name or by id. Conditions and plans show the name: an id
// means nothing to a person, and a policy on names must not be avoided by writing an id.
import { listFields } from './list-fields.ts';
import type { Catalog, CatalogEntry } from '../model/account/live.ts';
import type { KindName } from '../model/kind-places.ts';
import type { CatalogEntryNames } from '../model/plan/plan.ts';
import type { Attributes, Value } from '../model/value.ts';
import { findCatalogEntry } from './catalog.ts';
import { kindRegistry } from './registry.ts';

/** The list that the value of a field is from; empty for a field without offered values. */
export function listCatalogEntriesForField(
  kind: KindName,
  field: string,
  catalog: Catalog,
): readonly CatalogEntry[] {
  const { offered } = kindRegistry[kind].fields[field] ?? {};
  return offered ? catalog[offered] : [];
}

/** Attributes as conditions read them: entries by their names, even where they are written by id. */
export function replaceEntryIdsByNames(
  kind: KindName,
  attributes: Attributes,
  catalog: Catalog,
): Attributes {
  const names = listNames(kind, [attributes], catalog).map(([field, byId]): [string, Value] => [
    field,
    Object.values(byId)[0] ?? null,
  ]);
  return names.length === 0 ? attributes : { ...attributes, ...Object.fromEntries(names) };
}

/** The names of the entries that any of these attributes give by id, without sensitive ones; undefined where none does. */
export function findCatalogEntryNames(
  kind: KindName,
  sides: readonly (Attributes | null | undefined)[],
  catalog: Catalog,
  sensitive: readonly string[],
): CatalogEntryNames | undefined {
  const names = listNames(kind, sides, catalog).filter(([field]) => !sensitive.includes(field));
  return names.length === 0 ? undefined : Object.fromEntries(names);
}

type OfferedField = readonly [field: string, offered: keyof Catalog];

const offeredFields = new Map<KindName, readonly OfferedField[]>();

/** The fields whose values are entries. Listed once for each kind: a plan walks them for every resource. */
function listOfferedFields(kind: KindName): readonly OfferedField[] {
  let all = offeredFields.get(kind);
  if (!all) {
    all = listFields(kindRegistry[kind]).flatMap(([field, { offered }]) =>
      offered ? [[field, offered] as const] : [],
    );
    offeredFields.set(kind, all);
  }
  return all;
}

function listNames(
  kind: KindName,
  sides: readonly (Attributes | null | undefined)[],
  catalog: Catalog,
): readonly (readonly [field: string, byId: CatalogEntryNames[string]])[] {
  const named: [field: string, byId: CatalogEntryNames[string]][] = [];
  for (const [field, offered] of listOfferedFields(kind)) {
    const entries: readonly CatalogEntry[] = catalog[offered];
    let byId: Record<string, string> | undefined;
    let last: Value | undefined;
    for (const side of sides) {
      const written = side?.[field];
      // A field without a change has the same value before and after.
      if (written === last || typeof written !== 'string') continue;
      last = written;
      const name = findCatalogEntry(entries, written)?.name;
      if (name !== undefined && name !== written) byId = { ...byId, [written]: name };
    }
    if (byId) named.push([field, byId]);
  }
  return named;
}
