import { readAttributes } from '../read-attributes.ts';
import type { Catalog, LiveResource } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Attributes } from '../../model/value.ts';
import { kinds } from '../registry.ts';

/** Tells a kind without a name and without fields that would tell one resource from another. */
export function isUnmarked(kind: KindName): boolean {
  return kinds[kind].traits.marks?.fields.length === 0;
}

/** The values of the fields that distinguish a resource from others in its place; undefined where its name does. */
export function distinguishingMarksOf(kind: KindName, attributes: Attributes): string | undefined {
  const { marks } = kinds[kind].traits;
  return marks && JSON.stringify(marks.fields.map((field) => attributes[field] ?? null));
}

/** The marks of a live resource, as `distinguishingMarksOf` gives them. */
export function marksOfLive(live: LiveResource, catalog: Catalog): string | undefined {
  if (!kinds[live.kind].traits.marks) return undefined;
  return distinguishingMarksOf(
    live.kind,
    readAttributes(live, { catalog, localKey: () => undefined }, undefined),
  );
}
