import { findCatalogEntry, isUnambiguousEntryName } from '../kinds/catalog.ts';
import { listCatalogEntriesForField } from '../kinds/entry-names.ts';
import { readIdAfterUnmanagedPrefix } from '../kinds/names.ts';
import { kindRegistry } from '../kinds/registry.ts';
import type { Change } from '../model/plan/plan.ts';
import type { Value } from '../model/value.ts';
import type { PlanCheckInput } from './check.ts';

/** A value as people call what it stands for: an id by the name of its entry, beside it where others have that name. */
export function formatCatalogEntryValue(
  { kind, sensitive }: Pick<Change, 'kind' | 'sensitive'>,
  field: string,
  value: Value,
  { live }: Pick<PlanCheckInput, 'live'>,
): string {
  if (sensitive.includes(field)) return 'another value';
  if (typeof value !== 'string') return `\`${JSON.stringify(value)}\``;
  const entries = listCatalogEntriesForField(kind, field, live.catalog);
  const entry = findCatalogEntry(entries, value);
  if (entry)
    return isUnambiguousEntryName(entries, entry)
      ? `\`${entry.name}\``
      : `\`${entry.name} (${value})\``;
  const id = readIdAfterUnmanagedPrefix(value);
  const found = id === undefined ? undefined : live.resources.find((one) => one.id === id);
  const called: unknown =
    found && Reflect.get(found, kindRegistry[found.kind].traits.calledBy ?? 'name');
  return `\`${typeof called === 'string' ? called : value}\``;
}
