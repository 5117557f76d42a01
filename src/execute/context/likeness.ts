import { groupBy } from '../../model/group-by.ts';
import type { LiveResource, ResourcePlace } from '../../model/account/live.ts';
import { isKindOutsideProjects, type KindName } from '../../model/kind-places.ts';

/**
 * Key of kind, project and name. Resources with the same key could be mistaken for one another where the result of a create is
 * looked for.
 */
export function createLikenessKey(
  kind: KindName,
  projectId: string,
  name: string | undefined,
): string {
  return JSON.stringify([kind, isKindOutsideProjects(kind) ? '' : projectId, name ?? '']);
}

/** Makes the function that counts the resources of a kind in a place, by the account as it was read for the plan. */
export function createKindCounter(
  resources: readonly LiveResource[],
): (kind: KindName, place: ResourcePlace) => number {
  const found = groupBy(resources, ({ kind, projectId }) =>
    createLikenessKey(kind, projectId, undefined),
  );
  return (kind, { projectId }) =>
    found.get(createLikenessKey(kind, projectId, undefined))?.length ?? 0;
}
