import { kinds } from '../kinds/registry.ts';
import { parseAddress, parseDeposed, type Address } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { MovedEntry } from '../model/resource.ts';
import type { ManagedResource, PendingCreate, State } from '../model/state.ts';
import type { Value } from '../model/value.ts';
import { parseKnown } from './account-index.ts';

/** A state whose resources stand under the addresses that the configuration gives them now. */
export interface Moved {
  readonly state: State;
  /** The former address of each resource that moved, by its new one. */
  readonly from: ReadonlyMap<Address, Address>;
  readonly findings: readonly Finding[];
}

/** The new address when an entry concerns it: the resource itself, its instances, and what stands below it. */
function rename(address: Address, { from, to }: MovedEntry): Address {
  const own = parseDeposed(address)?.base ?? address;
  if (own === from) return `${to}${address.slice(from.length)}`;
  if (address.startsWith(`${from}.`)) return `${to}${address.slice(from.length)}`;
  // `web` to `site` takes every instance along; `web` to `web[0]` means the one that had no index.
  const takesInstances = !to.endsWith(']') && !from.endsWith(']');
  return takesInstances && address.startsWith(`${from}[`)
    ? `${to}${address.slice(from.length)}`
    : address;
}

/**
 * Where an address ends, in whatever order the entries of a chain stand. Where another resource stands on the way, it
 * stops there if that one has gone on before.
 */
function followChain(
  address: Address,
  entries: readonly MovedEntry[],
  isTaken: (address: Address) => boolean,
): Address {
  const passed = new Set([address]);
  let end = entries.reduce(rename, address);
  while (!passed.has(end) && !isTaken(end)) {
    passed.add(end);
    end = entries.reduce(rename, end);
  }
  return end;
}

/** What the resource mentions goes by its new name, so that a neighbour that moved is no change of this one. */
function respell(
  resource: ManagedResource,
  finalOf: (address: Address) => Address,
  from: ReadonlyMap<Address, Address>,
): ManagedResource {
  const { address, kind } = resource;
  const before = from.get(address) ?? address;
  const project = parseKnown(before).project;
  const attributes: Record<string, Value> = { ...resource.attributes };
  for (const mention of kinds[kind].references({ ...resource, address: before, project })) {
    const to = parseAddress(finalOf(mention.address));
    const had = attributes[mention.attribute];
    if (to?.project !== parseKnown(address).project) continue;
    if (mention.index === undefined) attributes[mention.attribute] = to.local;
    else if (Array.isArray(had))
      attributes[mention.attribute] = (had as readonly Value[]).map((one, at) =>
        at === mention.index ? to.local : one,
      );
  }
  return { ...resource, attributes };
}

/** Those that cannot move: where two would end at one address neither goes there, nor what would take their place. */
function findStuck(finals: ReadonlyMap<Address, Address>): ReadonlySet<Address> {
  const stuck = new Set<Address>();
  for (let before = -1; before < stuck.size;) {
    before = stuck.size;
    const ends = new Map<Address, number>();
    const endOf = (address: Address, to: Address) => (stuck.has(address) ? address : to);
    for (const [address, to] of finals) {
      const end = endOf(address, to);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    for (const [address, to] of finals) {
      if (to !== address && ends.get(endOf(address, to)) !== 1) stuck.add(address);
    }
  }
  return stuck;
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
  const isTaken = (address: Address) => state.resources.has(address);
  const finalOf = (address: Address) => followChain(address, entries, isTaken);
  const finals = new Map([...state.resources.keys()].map((address) => [address, finalOf(address)]));
  const stuck = findStuck(finals);
  for (const [address, resource] of state.resources) {
    const to = finals.get(address) ?? address;
    if (to === address || stuck.has(address)) resources.set(address, resource);
    else {
      resources.set(to, { ...resource, address: to });
      from.set(to, address);
    }
    if (!stuck.has(address)) continue;
    const entry = entries.find((one) => rename(address, one) !== address);
    findings.push({
      severity: 'error',
      code: 'move-target-taken',
      summary: `${address} cannot move to ${to}: another resource stands or moves there`,
      hint: 'Remove the moved entry, or move the other resource out of the way first.',
      address: to,
      ...(entry && { source: entry.source }),
    });
  }
  for (const [address, resource] of resources) {
    resources.set(
      address,
      respell(resource, (old) => (stuck.has(old) ? old : finalOf(old)), from),
    );
  }
  const pending = new Map<Address, PendingCreate>();
  for (const one of state.pending.values()) {
    const address = finalOf(one.address);
    pending.set(address, { ...one, address });
  }
  return { state: { ...state, resources, pending }, from, findings };
}
