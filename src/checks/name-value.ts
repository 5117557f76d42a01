import { findEntry } from '../kinds/catalog.ts';
import { outsideId } from '../kinds/names.ts';
import { kinds } from '../kinds/registry.ts';
import type { CatalogEntry } from '../model/account/live.ts';
import type { Change } from '../model/plan/plan.ts';
import type { Value } from '../model/value.ts';
import type { CheckInput } from './check.ts';

/** A value as people call what it stands for: an id by the name of its entry. */
export function nameValue(
  { kind, sensitive }: Pick<Change, 'kind' | 'sensitive'>,
  field: string,
  value: Value,
  { live }: Pick<CheckInput, 'live'>,
): string {
  if (sensitive.includes(field)) return 'another value';
  if (typeof value !== 'string') return `\`${JSON.stringify(value)}\``;
  const { offered } = kinds[kind].fields[field] ?? {};
  const entries: readonly CatalogEntry[] = offered ? live.catalog[offered] : [];
  const id = outsideId(value);
  const found = id === undefined ? undefined : live.resources.find((one) => one.id === id);
  const called: unknown = found && Reflect.get(found, kinds[found.kind].calledBy ?? 'name');
  return `\`${findEntry(entries, value)?.name ?? (typeof called === 'string' ? called : value)}\``;
}
