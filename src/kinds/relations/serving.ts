import { statusOf, type LiveResource } from '../../model/account/live.ts';
import { kinds } from '../registry.ts';

const upStatuses: readonly (string | undefined)[] = ['active', 'updating', undefined];

/** Stopped, or not ready: it serves nobody as it stands. */
export function isDown(live: LiveResource): boolean {
  const { traits } = kinds[live.kind];
  return traits.isRunning?.(live) === false || !upStatuses.includes(statusOf(live));
}

/** The id of what answers behind it; undefined for what leads nowhere, or does not tell. */
export const targetOf = (live: LiveResource) => kinds[live.kind].traits.leadsTo?.(live);
