import { getLiveStatus, type LiveResource } from '../../model/account/live.ts';
import { kindRegistry } from '../registry.ts';

const upStatuses: readonly (string | undefined)[] = ['active', 'updating', undefined];

/** Tells whether a resource serves nobody at present: it is stopped, or not ready. */
export function isOutOfService(live: LiveResource): boolean {
  const { traits } = kindRegistry[live.kind];
  const isRunning = traits.isRunning?.(live);
  if (isRunning === false) return true;
  if (upStatuses.includes(getLiveStatus(live))) return false;
  // A status that nobody knows says nothing against a resource at rest: its power decides, where its kind has one.
  const isUp = live.isAtRest === true && (isRunning ?? traits.isRunning === undefined);
  return !isUp;
}

/** The id of the resource that a live one forwards to; undefined where it forwards nowhere, or where that is unreported. */
export const findForwardTarget = (live: LiveResource) =>
  kindRegistry[live.kind].traits.leadsTo?.(live);
