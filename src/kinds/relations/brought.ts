// Resources that come with the create of another one and go with it: the public IP that a VM asks for by `publicIp: new`.
import { commandSubjects, type ResolvedCommand } from '../../model/account/command.ts';
import type { Catalog, LiveResource, QuotaName } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { ManagedResource, PendingCreate } from '../../model/state/state.ts';
import type { Attributes } from '../../model/value.ts';
import type { ResourceKind } from '../kind.ts';
import { kindRegistry } from '../registry.ts';

/** The kind of the resource that a create brings along, where it asks for one. */
export function findCompanionKind(command: ResolvedCommand): KindName | undefined {
  const { brings } = kindRegistry[commandSubjects[command.kind].kind].traits;
  return brings?.isAskedBy(command) ? brings.kind : undefined;
}

/**
 * Attributes by which a resource asks the service to create another one along with it, such as the public IP of a VM; empty where
 * it asks for none.
 */
export function listCompanionAttributes(
  kind: KindName,
  attributes: Attributes | null | undefined,
): Attributes {
  const asked = kindRegistry[kind].traits.brings?.asked ?? {};
  const isAsked = Object.entries(asked).every(([name, value]) => attributes?.[name] === value);
  return isAsked ? asked : {};
}

/**
 * The id of the resource that came with this one and is destroyed with it. A run that was killed before the service had named
 * it left it out of the state: then the live record has it.
 */
export function findCompanionResourceId(
  managed: Pick<ManagedResource, 'allocatedPublicIpId' | 'attributes'> | undefined,
  live: LiveResource | undefined,
): string | undefined {
  if (managed?.allocatedPublicIpId !== undefined) return managed.allocatedPublicIpId;
  if (!live || Object.keys(listCompanionAttributes(live.kind, managed?.attributes)).length === 0)
    return undefined;
  return kindRegistry[live.kind].traits.brings?.idOf(live);
}

/** The id of the resource that came with one that is gone, where it still exists and is free. */
export function findLeftoverCompanionId(
  { id: own, kind, allocatedPublicIpId }: ManagedResource,
  find: (kind: KindName, id: string) => LiveResource | undefined,
): string | undefined {
  const { brings } = kindRegistry[kind].traits;
  const left =
    brings && allocatedPublicIpId !== undefined && find(brings.kind, allocatedPublicIpId);
  if (!left) return undefined;
  const holder = kindRegistry[left.kind].traits.heldBy?.idOf(left);
  // A lagging list may still name a VM that is gone as the holder.
  const isFree = holder === null || (holder === own && !find(kind, own));
  return isFree ? left.id : undefined;
}

/**
 * The id of the resource that came with an adopted one: the configuration asks for it, or our open create did that made it.
 * `taken`: ids that are managed already.
 */
export function findAdoptedCompanionId(
  attributes: Attributes,
  pending: Pick<PendingCreate, 'command'> | undefined,
  live: LiveResource,
  taken: Pick<ReadonlyMap<string, unknown>, 'has'>,
): string | undefined {
  const { brings } = kindRegistry[live.kind].traits;
  const isAsked = pending !== undefined && brings?.isAskedBy(pending.command) === true;
  const id = findCompanionResourceId({ attributes: isAsked ? brings.asked : attributes }, live);
  return id === undefined || taken.has(id) ? undefined : id;
}

/** Use of each quota by a resource that comes with one of this kind. */
export function countCompanionQuotaUse(
  { traits: { brings } }: Pick<ResourceKind, 'traits'>,
  catalog: Catalog,
): Readonly<Partial<Record<QuotaName, number>>> {
  return brings ? kindRegistry[brings.kind].quota({}, catalog) : {};
}
