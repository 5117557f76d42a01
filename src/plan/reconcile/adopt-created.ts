import { readAttributes } from '../../kinds/read-attributes.ts';
import { findCompanionResourceId } from '../../kinds/relations/brought.ts';
import { recordRequestedAndShownFields } from '../../kinds/asked-shown.ts';
import { recordParentPlace } from '../../kinds/relations/parent-id.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import type { ManagedResource, PendingCreate } from '../../model/state/state.ts';

/** Facts of a create whose resource is taken up. */
export type AdoptableCreate = Pick<
  PendingCreate,
  'address' | 'command' | 'configured' | 'isProtected' | 'retireMs'
>;

/** A live resource that a create made, as the state records it under the address of that create. */
export function adoptCreatedResource(
  { address, command, configured, isProtected, retireMs }: AdoptableCreate,
  live: LiveResource,
  { catalog }: Pick<LiveSnapshot, 'catalog'>,
  addresses: ReadonlyMap<string, ResourceAddress>,
): ManagedResource {
  const names = {
    catalog,
    localKey: (_kind: string, id: string) => parseResourceAddress(addresses.get(id) ?? '')?.local,
  };
  const { brings } = kindRegistry[live.kind].traits;
  const wanted = brings?.isAskedBy(command) ? brings.asked : {};
  const brought = findCompanionResourceId({ attributes: wanted }, live);
  const { kind } = live;
  // The command has the name as it was requested; of all other attributes it has the ids.
  const asked = 'name' in command ? { name: command.name } : {};
  const recorded = recordRequestedAndShownFields(
    {
      kind,
      catalog,
      before: undefined,
      had: undefined,
      wanted: asked,
      configured: Object.keys(asked),
      read: readAttributes(live, names, wanted),
      set: new Set(Object.keys(asked)),
      ignored: new Set(),
    },
    false,
  );
  return {
    address,
    kind,
    id: live.id,
    ...recordParentPlace(live),
    ...(brought !== undefined && { allocatedPublicIpId: brought }),
    ...recorded,
    attributes: { ...recorded.attributes, ...wanted },
    configured,
    ...(isProtected && { isProtected }),
    ...(retireMs !== undefined && { retireMs }),
    // The run that created it may have ended before its rollout probes succeeded.
    ...(kindRegistry[kind].traits.isRunning && { isNotReady: true }),
  };
}
