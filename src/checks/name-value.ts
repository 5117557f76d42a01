import { findEntry, isClearName } from '../kinds/catalog.ts';
import { listOffered } from '../kinds/entry-names.ts';
import { parseOutsideId } from '../kinds/names.ts';
import { kinds } from '../kinds/registry.ts';
import type { Change } from '../model/plan/plan.ts';
import type { Value } from '../model/value.ts';
import type { CheckInput } from './check.ts';

/** A value as people call what it stands for: an id by the name of its entry, beside it where others have that name. */
export function nameEntryValue(
  { kind, sensitive }: Pick<Change, 'kind' | 'sensitive'>,
  field: string,
  value: Value,
  { live }: Pick<CheckInput, 'live'>,
): string {
  if (sensitive.includes(field)) return 'another value';
  if (typeof value !== 'string') return `\`${JSON.stringify(value)}\``;
  const entries = listOffered(kind, field, live.catalog);
  const entry = findEntry(entries, value);
  if (entry)
    return isClearName(entries, entry) ? `\`${entry.name}\`` : `\`${entry.name} (${value})\``;
  const id = parseOutsideId(value);
  const found = id === undefined ? undefined : live.resources.find((one) => one.id === id);
  const called: unknown = found && Reflect.get(found, kinds[found.kind].traits.calledBy ?? 'name');
  return `\`${typeof called === 'string' ? called : value}\``;
}
