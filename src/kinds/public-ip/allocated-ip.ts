import type { LiveResource } from '../../model/account/live.ts';
import type { Attributes } from '../../model/value.ts';
import type { ManagedResource, PendingCreate } from '../../model/state/state.ts';

/**
 * The public IP that came with a VM (`publicIp: new`), which is ours to release with it. A run that was killed before
 * the service had named it left it out of the state: then what the VM holds tells.
 */
export function allocatedPublicIpOf(
  managed: Pick<ManagedResource, 'allocatedPublicIpId' | 'attributes'> | undefined,
  live: LiveResource | undefined,
): string | undefined {
  if (managed?.allocatedPublicIpId !== undefined) return managed.allocatedPublicIpId;
  if (managed?.attributes.publicIp !== 'new' || live?.kind !== 'vm') return undefined;
  return live.publicIpId ?? undefined;
}

/**
 * The public IP that came with an adopted VM: its block asks for one, or our open create did that made it. `taken`: ids that
 * are managed already.
 */
export function findBroughtAddress(
  attributes: Attributes,
  pending: Pick<PendingCreate, 'command'> | undefined,
  live: LiveResource,
  taken: ReadonlySet<string>,
): string | undefined {
  const command = pending?.command;
  const isAsked = command?.kind === 'createVm' && command.publicIp === 'new';
  const wanted = isAsked ? { publicIp: 'new' } : attributes;
  const id = allocatedPublicIpOf({ attributes: wanted }, live);
  return id === undefined || taken.has(id) ? undefined : id;
}
