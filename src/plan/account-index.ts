import { findLeftoverCompanionId } from '../kinds/relations/brought.ts';
import { parseResourceAddress, type ResourceAddress } from '../model/address.ts';
import { InternalError } from '../model/errors.ts';
import type { LiveResource, LiveSnapshot } from '../model/account/live.ts';
import type { ManagedResource, State } from '../model/state/state.ts';

/** The live account seen through the state: which live resource stands behind which address. */
export interface AccountIndex {
  /** The live resource behind an address; undefined when the state has none, or when it is gone. */
  liveAt(address: ResourceAddress): LiveResource | undefined;
  /** The address behind a live id; undefined for a resource that is not ours. */
  addressOf(id: string): ResourceAddress | undefined;
  /** The public IP that came with the VM of an address, when it still stands and no VM holds it. */
  leftPublicIp(address: ResourceAddress): string | undefined;
  /** Former resources of an address that still exist, beside its present one. */
  deposedAt(address: ResourceAddress): readonly LiveResource[];
  /** The former address of a resource that this plan gives up; undefined for any other. */
  formerAddressOf(id: string): ResourceAddress | undefined;
  readonly managed: ReadonlyMap<ResourceAddress, ManagedResource>;
}

/** Indexes the snapshot by id once, so that no look-up walks it. */
export function indexAccount(
  live: LiveSnapshot,
  state: State,
  forgotten: readonly ManagedResource[] = [],
): AccountIndex {
  const byId = new Map<string, LiveResource>();
  for (const resource of [...live.projects, ...live.resources]) {
    byId.set(`${resource.kind} ${resource.id}`, resource);
  }
  const addresses = new Map<string, ResourceAddress>();
  for (const { address, id } of state.resources.values()) addresses.set(id, address);
  const former = new Map(forgotten.map(({ id, address }) => [id, address]));
  return {
    managed: state.resources,
    liveAt(address) {
      const managed = state.resources.get(address);
      return managed && byId.get(`${managed.kind} ${managed.id}`);
    },
    leftPublicIp(address) {
      const managed = state.resources.get(address);
      return managed && findLeftoverCompanionId(managed, (kind, id) => byId.get(`${kind} ${id}`));
    },
    deposedAt(address) {
      const { id: own, kind, deposed = [] } = state.resources.get(address) ?? {};
      return deposed.flatMap((id) => (id === own ? [] : (byId.get(`${kind} ${id}`) ?? [])));
    },
    addressOf: (id) => addresses.get(id),
    formerAddressOf: (id) => former.get(id),
  };
}

/** Parses an address that is known to be valid. @throws InternalError for any other text */
export function parseKnownAddress(address: ResourceAddress) {
  const parsed = parseResourceAddress(address);
  if (!parsed) throw new InternalError(`not an address: ${address}`);
  return parsed;
}
