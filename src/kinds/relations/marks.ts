import { readAttributes } from '../read-attributes.ts';
import type { Catalog, LiveResource } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Attributes } from '../../model/value.ts';
import { kindRegistry } from '../registry.ts';

/** Tells whether the resources of a kind have neither a name nor fields that distinguish one from another. */
export function isKindWithoutIdentity(kind: KindName): boolean {
  return kindRegistry[kind].traits.marks?.fields.length === 0;
}

/** The values of the fields that distinguish a resource from others in its place; undefined where its name does. */
export function readDistinguishingMarks(
  kind: KindName,
  attributes: Attributes,
): string | undefined {
  const { marks } = kindRegistry[kind].traits;
  return marks && JSON.stringify(marks.fields.map((field) => attributes[field] ?? null));
}

/** The marks of a live resource, as `readDistinguishingMarks` gives them. */
export function readLiveDistinguishingMarks(
  live: LiveResource,
  catalog: Catalog,
): string | undefined {
  if (!kindRegistry[live.kind].traits.marks) return undefined;
  return readDistinguishingMarks(
    live.kind,
    readAttributes(live, { catalog, localKey: () => undefined }, undefined),
  );
}
