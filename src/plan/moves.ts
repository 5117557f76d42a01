import type { Address } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { MovedEntry } from '../model/resource.ts';
import type { ManagedResource, PendingCreate, State } from '../model/state.ts';

/** A state whose resources stand under the addresses that the configuration gives them now. */
export interface Moved {
  readonly state: State;
  /** The former address of each resource that moved, by its new one. */
  readonly from: ReadonlyMap<Address, Address>;
  readonly findings: readonly Finding[];
}

/** The new address when an entry concerns it: the resource itself, its instances, and what stands below it. */
function rename(address: Address, { from, to }: MovedEntry): Address {
  if (address === from) return to;
  if (address.startsWith(`${from}.`)) return `${to}${address.slice(from.length)}`;
  // `web` to `site` takes every instance along; `web` to `web[0]` means the one that had no index.
  const takesInstances = !to.endsWith(']') && !from.endsWith(']');
  return takesInstances && address.startsWith(`${from}[`)
    ? `${to}${address.slice(from.length)}`
    : address;
}

/**
 * Follows the `moved` entries. An entry that was followed by an earlier run does nothing.
 * Two resources that would end at one address stay where they are, and a finding says so.
 */
export function followMoves(state: State, entries: readonly MovedEntry[]): Moved {
  if (entries.length === 0) return { state, from: new Map(), findings: [] };
  const resources = new Map<Address, ManagedResource>();
  const from = new Map<Address, Address>();
  const findings: Finding[] = [];
  const finalOf = (address: Address) => entries.reduce(rename, address);
  // What stands still is laid first, so that a move never pushes it aside.
  const inOrder = [...state.resources.values()].sort(
    (a, b) => Number(finalOf(a.address) !== a.address) - Number(finalOf(b.address) !== b.address),
  );
  for (const resource of inOrder) {
    const to = finalOf(resource.address);
    if (to !== resource.address && resources.has(to)) {
      const entry = entries.find((one) => rename(resource.address, one) !== resource.address);
      findings.push({
        severity: 'error',
        code: 'move-target-taken',
        summary: `${resource.address} cannot move to ${to}: the state has a resource there already`,
        hint: 'Remove the moved entry, or move the other resource out of the way first.',
        address: to,
        ...(entry && { source: entry.source }),
      });
      resources.set(resource.address, resource);
      continue;
    }
    resources.set(to, to === resource.address ? resource : { ...resource, address: to });
    if (to !== resource.address) from.set(to, resource.address);
  }
  const pending = new Map<Address, PendingCreate>();
  for (const one of state.pending.values()) {
    const address = finalOf(one.address);
    pending.set(address, { ...one, address });
  }
  return { state: { ...state, resources, pending }, from, findings };
}
