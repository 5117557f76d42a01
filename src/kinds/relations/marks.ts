import { readAttributes } from '../read-attributes.ts';
import type { Catalog, LiveResource } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Attributes } from '../../model/value.ts';
import { kindRegistry } from '../registry.ts';

/** Tells a kind without a name and without fields that would tell one resource from another. */
export function isKindWithoutMarks(kind: KindName): boolean {
  return kindRegistry[kind].traits.marks?.fields.length === 0;
}

/** The values of the fields that distinguish a resource from others in its place; undefined where its name does. */
export function distinguishingMarksOf(kind: KindName, attributes: Attributes): string | undefined {
  const { marks } = kindRegistry[kind].traits;
  return marks && JSON.stringify(marks.fields.map((field) => attributes[field] ?? null));
}

/** The marks of a live resource, as `distinguishingMarksOf` gives them. */
export function readLiveMarks(live: LiveResource, catalog: Catalog): string | undefined {
  if (!kindRegistry[live.kind].traits.marks) return undefined;
  return distinguishingMarksOf(
    live.kind,
    readAttributes(live, { catalog, localKey: () => undefined }, undefined),
  );
}
