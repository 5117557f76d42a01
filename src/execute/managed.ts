import { kinds } from '../kinds/registry.ts';
import type { LiveResource } from '../model/live.ts';
import type { Change } from '../model/plan.ts';
import type { ManagedResource } from '../model/state.ts';
import { currentNames, type RunContext } from './run-context.ts';

/** What the state remembers of a live resource after a change. */
export function managedFrom(
  context: RunContext,
  { address, kind, after, configured }: Change,
  live: LiveResource,
): ManagedResource {
  const names = currentNames(context, context.live.catalog);
  const allocated =
    live.kind === 'vm' && after?.publicIp === 'new' && live.publicIpId !== null
      ? live.publicIpId
      : undefined;
  return {
    address,
    kind,
    id: live.id,
    projectId: live.projectId,
    ...(live.kind === 'portForward' && { publicIpId: live.publicIpId }),
    ...(allocated !== undefined && { allocatedPublicIpId: allocated }),
    attributes: kinds[kind].read(live, names, after ?? undefined),
    configured,
  };
}
