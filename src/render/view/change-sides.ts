import {
  findEntryNameOfField,
  type Change,
  type CatalogEntryNames,
} from '../../model/plan/plan.ts';
import type { Attributes, Value } from '../../model/value.ts';

/** Attributes of a resource before and after a change: complete, with the id, and with those that the change leaves alone. */
export interface ChangeSides {
  readonly before: Attributes | null;
  readonly after: Attributes | null;
  /** Attributes that are only known after apply; `after` has none of them. */
  readonly unknown: ReadonlySet<string>;
}

/** Completes the attributes before and after a change with the id, which the plan keeps apart. */
export function completeChangeSides(change: Change): ChangeSides {
  const { id } = change;
  const withId = (attributes: Attributes): Attributes =>
    id === null ? attributes : { id, ...attributes };
  const before = change.before && withId(change.before);
  if (change.after === null) return { before, after: null, unknown: new Set() };
  const isNew = change.action === 'create' || change.action === 'replace';
  const unknown = new Set(change.unknown);
  if (isNew && !('id' in change.after)) unknown.add('id');
  const after: Record<string, Value> = { ...(isNew ? change.after : withId(change.after)) };
  for (const name of unknown) Reflect.deleteProperty(after, name);
  return { before, after, unknown };
}

/** Applies a function to each value of attributes. */
export function mapAttributeValues(
  attributes: Attributes,
  map: (name: string, value: Value) => Value,
): Attributes {
  const entries = Object.entries(attributes);
  return Object.fromEntries(entries.map(([name, value]) => [name, map(name, value)]));
}

/** Replaces the ids of catalog entries in attributes by the entries' names, for policies and programs that read them. */
export function replaceCatalogIdsByNames<A extends Attributes | null>(
  attributes: A,
  names: CatalogEntryNames | undefined,
): A | Attributes {
  if (!attributes || !names) return attributes;
  return mapAttributeValues(
    attributes,
    (name, value) => findEntryNameOfField(names, name, value) ?? value,
  );
}
