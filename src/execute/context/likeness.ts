import { groupBy } from '../../model/group-by.ts';
import type { LiveResource, ResourcePlace } from '../../model/account/live.ts';
import { isOutsideProjects, type KindName } from '../../model/kind-places.ts';

/** Resources that look alike to a create have the same: kind, place and name. */
export function createLikenessKey(
  kind: KindName,
  projectId: string,
  name: string | undefined,
): string {
  return JSON.stringify([kind, isOutsideProjects(kind) ? '' : projectId, name ?? '']);
}

/** Number of resources of a kind that the plan found in a place. */
export function countKindByPlace(
  resources: readonly LiveResource[],
): (kind: KindName, place: ResourcePlace) => number {
  const found = groupBy(resources, ({ kind, projectId }) =>
    createLikenessKey(kind, projectId, undefined),
  );
  return (kind, { projectId }) =>
    found.get(createLikenessKey(kind, projectId, undefined))?.length ?? 0;
}
