import { readAttributes } from '../../kinds/read-attributes.ts';
import { broughtIdOf } from '../../kinds/relations/brought.ts';
import { rememberName } from '../../kinds/kept-name.ts';
import { rememberPlace } from '../../kinds/relations/parent-id.ts';
import { kinds } from '../../kinds/registry.ts';
import { parseAddress, type Address } from '../../model/address.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import type { ManagedResource, PendingCreate } from '../../model/state/state.ts';

/** A live resource that a create made, as the state remembers it under the address of that create. */
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
  const { brings } = kinds[live.kind];
  const wanted = brings?.isAskedBy(command) ? brings.asked : {};
  const brought = broughtIdOf({ attributes: wanted }, live);
  const resource = {
    address,
    kind: live.kind,
    id: live.id,
    ...rememberPlace(live),
    ...(brought !== undefined && { allocatedPublicIpId: brought }),
    attributes: { ...readAttributes(live, names, wanted), ...wanted },
    configured,
  };
  return rememberName(resource, live, 'name' in command ? command.name : undefined);
}
