import { getLiveStatus, type LiveResource } from '../../model/account/live.ts';
import { kindRegistry } from '../registry.ts';

const upStatuses: readonly (string | undefined)[] = ['active', 'updating', undefined];

/** Tells whether a resource serves nobody at present: it is stopped, or not ready. */
export function isOutOfService(live: LiveResource): boolean {
  const { traits } = kindRegistry[live.kind];
  return traits.isRunning?.(live) === false || !isUp(live);
}

/** A status that nobody knows says nothing against a resource at rest: its power decides. */
const isUp = (live: LiveResource) =>
  live.isAtRest === true || upStatuses.includes(getLiveStatus(live));

/** The id of the resource that a live one forwards to; undefined where it forwards nowhere, or where that is unreported. */
export const forwardTargetOf = (live: LiveResource) =>
  kindRegistry[live.kind].traits.leadsTo?.(live);
