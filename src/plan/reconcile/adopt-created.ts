import { readAttributes } from '../../kinds/read-attributes.ts';
import { broughtIdOf } from '../../kinds/relations/brought.ts';
import { recordFields } from '../../kinds/asked-shown.ts';
import { rememberPlace } from '../../kinds/relations/parent-id.ts';
import { kinds } from '../../kinds/registry.ts';
import { parseAddress, type Address } from '../../model/address.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import type { ManagedResource, PendingCreate } from '../../model/state/state.ts';

/** A live resource that a create made, as the state records it under the address of that create. */
export function adoptCreated(
  { address, command, configured }: Pick<PendingCreate, 'address' | 'command' | 'configured'>,
  live: LiveResource,
  { catalog }: Pick<LiveSnapshot, 'catalog'>,
  addresses: ReadonlyMap<string, Address>,
): ManagedResource {
  const names = {
    catalog,
    localKey: (_kind: string, id: string) => parseAddress(addresses.get(id) ?? '')?.local,
  };
  const { brings } = kinds[live.kind].traits;
  const wanted = brings?.isAskedBy(command) ? brings.asked : {};
  const brought = broughtIdOf({ attributes: wanted }, live);
  const { kind } = live;
  // The command has the name as it was requested; of all other attributes it has the ids.
  const asked = 'name' in command ? { name: command.name } : {};
  const recorded = recordFields(
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
    ...rememberPlace(live),
    ...(brought !== undefined && { allocatedPublicIpId: brought }),
    ...recorded,
    attributes: { ...recorded.attributes, ...wanted },
    configured,
    // The run that created it may have ended before its rollout probes succeeded.
    ...(kinds[kind].traits.isRunning && { isNotReady: true }),
  };
}
