import { allocatedPublicIpOf } from '../../kinds/public-ip/allocated-ip.ts';
import { rememberName } from '../../kinds/kept-name.ts';
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
  const bringsAddress = command.kind === 'createVm' && command.publicIp === 'new';
  const wanted = bringsAddress ? { publicIp: 'new' } : {};
  const allocated = allocatedPublicIpOf({ attributes: wanted }, live);
  const resource = {
    address,
    kind: live.kind,
    id: live.id,
    projectId: live.projectId,
    ...(live.kind === 'portForward' && { publicIpId: live.publicIpId }),
    ...(allocated !== undefined && { allocatedPublicIpId: allocated }),
    attributes: { ...kinds[live.kind].read(live, names, wanted), ...wanted },
    configured,
  };
  return rememberName(resource, live, 'name' in command ? command.name : undefined);
}
