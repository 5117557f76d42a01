import type { LiveResource } from '../../model/account/live.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { kindRegistry } from '../registry.ts';

/** The id of the container of a live resource: its parent in its project, or else the project. */
export function readContainerId(live: LiveResource): string {
  return kindRegistry[live.kind].traits.parentId?.(live) ?? live.projectId;
}

/** The part of a live resource's place that the state must remember. */
export function recordParentPlace(
  live: LiveResource,
): Pick<ManagedResource, 'projectId' | 'publicIpId'> {
  const parentId = kindRegistry[live.kind].traits.parentId?.(live);
  return { projectId: live.projectId, ...(parentId !== undefined && { publicIpId: parentId }) };
}
