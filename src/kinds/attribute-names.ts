import { kindRegistry } from './registry.ts';
import type { KindName } from '../model/kind-places.ts';
import type { Attributes, Value } from '../model/value.ts';

/** Attributes of a kind that are known once the service has assigned them. */
export function listComputedAttributes(kind: KindName): readonly string[] {
  const { computed, fields } = kindRegistry[kind];
  const settled = Object.values(fields).flatMap((field) => field.settles ?? []);
  return [...new Set([...computed, ...settled])];
}

/** Lists every attribute of a kind that an expression may read. */
export function listAttributes(kind: KindName): readonly string[] {
  return [...new Set([...Object.keys(kindRegistry[kind].fields), ...listComputedAttributes(kind)])];
}

/** Every attribute of a kind: one that is not given has the fallback of its field, or null. */
export function completeAttributes(kind: KindName, given: Attributes): Attributes {
  const { fields } = kindRegistry[kind];
  return Object.fromEntries(
    listAttributes(kind).map((name): [string, Value] => [
      name,
      given[name] ?? fields[name]?.fallback ?? null,
    ]),
  );
}
