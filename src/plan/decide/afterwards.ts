import type { ResourceKind } from '../../kinds/kind.ts';
import type { Catalog } from '../../model/account/live.ts';
import type { Action, Change } from '../../model/plan/plan.ts';
import type { Attributes, Value } from '../../model/value.ts';
import type { AttributeDiff } from './diff.ts';

/** Attributes of a resource after its change, as far as they are known before. */
export function computeAttributesAfterChange(
  kind: ResourceKind,
  { before, after, fields }: Pick<AttributeDiff, 'before' | 'after' | 'fields'>,
  action: Action,
  isSettled: boolean,
  catalog: Catalog,
): Pick<Change, 'after' | 'unknown'> {
  const derived = kind.derive(after, catalog);
  // Attributes that the service has not assigned yet will have values when the change is done.
  const open = isSettled ? [] : kind.computed.filter((name) => (before[name] ?? null) === null);
  const names = fields.map(({ name }) => name);
  const deferred = names.filter((name) => !(name in after));
  const moved =
    action === 'replace'
      ? [...Object.keys(derived), ...kind.computed, ...listDerivedAttributes(kind)]
      : [...listAttributesDerivedFrom(kind, names), ...open];
  const unknown = [...new Set([...deferred, ...moved.filter((name) => !(name in derived))])];
  if (action === 'no-op') return { after: omitNullAttributes(before), unknown };
  const known = Object.entries({ ...after, ...pick(derived, moved) });
  return {
    after: omitNullAttributes(
      Object.fromEntries(known.filter(([name]) => !unknown.includes(name))),
    ),
    unknown,
  };
}

/** Attributes that follow from any field; where `derive` does not know one, it is unknown until apply. */
export function listDerivedAttributes(kind: ResourceKind): readonly string[] {
  return listAttributesDerivedFrom(kind, Object.keys(kind.fields));
}

/** Lists attributes that are determined by the values of these fields. */
export function listAttributesDerivedFrom(
  kind: Pick<ResourceKind, 'fields'>,
  names: readonly string[],
): readonly string[] {
  return names.flatMap((name) => kind.fields[name]?.settles ?? []);
}

function pick(attributes: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name)));
}

/** Attributes without those that are null: null means "none", so that such an attribute is neither shown nor compared. */
export function omitNullAttributes(attributes: Attributes): Record<string, Value> {
  const present: Record<string, Value> = {};
  for (const name in attributes) {
    const value = attributes[name] ?? null;
    if (value !== null) present[name] = value;
  }
  return present;
}
