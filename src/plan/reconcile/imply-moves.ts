// Moves that nobody has to write: when `count` is added, `web` becomes `web[0]`; when it is removed, `web[0]` becomes `web`.
// The same holds for projects, modules and anything else that can be repeated. Keys of `forEach` imply nothing.
import { baseAddressOf, listSegments, parseDeposed, type Address } from '../../model/address.ts';
import { applyMove, indexMoves, listMoves, type Moves } from '../../model/move-address.ts';
import type { DesiredGraph, DesiredResource, MovedEntry } from '../../model/resource.ts';
import type { State } from '../../model/state/state.ts';

/** The configured addresses and their parents, each with one of its resources. */
type Configured = ReadonlyMap<Address, DesiredResource>;

/**
 * The moves that follow from `count` alone, for resources that the `moved` entries leave at an address that is not
 * configured. `moved` entries win: nothing is implied for an address that one of them leads to, and nothing moves to an
 * address with a resource.
 */
export function implyMoves(
  state: State,
  { resources, moved = [] }: DesiredGraph,
): readonly MovedEntry[] {
  const wanted = new Set(resources.map(({ address }) => address));
  const managed = [...state.resources.keys(), ...[...state.pending.values()].map(addressOf)];
  const misplaced = managed.filter((one) => !wanted.has(one) && !parseDeposed(one));
  if (misplaced.length === 0) return [];
  const configured = indexSegments(resources);
  const moves = indexMoves(moved);
  const implied = new Map<Address, MovedEntry>();
  for (const address of misplaced) {
    for (const entry of listImplied(address, moves, configured)) implied.set(entry.from, entry);
  }
  if (implied.size === 0) return [];
  const occupied = new Set(
    managed.flatMap((one) => listSegments(listMoves(one, moves).reduce(applyMove, one))),
  );
  return [...implied.values()].filter(({ to }) => !occupied.has(to));
}

function addressOf({ address }: { readonly address: Address }): Address {
  return address;
}

function indexSegments(resources: readonly DesiredResource[]): Configured {
  const configured = new Map<Address, DesiredResource>();
  for (const resource of resources) {
    for (const segment of listSegments(resource.address)) {
      if (!configured.has(segment)) configured.set(segment, resource);
    }
  }
  return configured;
}

/** Implied moves on the way of one address, from the outside inwards; `moved` entries are followed in between. */
function listImplied(address: Address, moves: Moves, configured: Configured): MovedEntry[] {
  const implied: MovedEntry[] = [];
  const named = new Set<Address>();
  let at = address;
  for (;;) {
    for (const move of listMoves(at, moves)) {
      named.add(baseAddressOf(move.to));
      at = applyMove(at, move);
    }
    const entry = findImplied(at, configured);
    if (!entry || named.has(baseAddressOf(entry.to))) return implied;
    if (implied.some(({ from }) => from === entry.from)) return implied;
    implied.push(entry);
    at = applyMove(at, entry);
  }
}

/** The move of the outermost part of an address that is not configured as it is. */
function findImplied(address: Address, configured: Configured): MovedEntry | undefined {
  const from = listSegments(address).find((segment) => !configured.has(segment));
  if (from === undefined) return undefined;
  const base = baseAddressOf(from);
  const first = `${base}[0]`;
  const to = from === base ? first : from === first ? base : undefined;
  const target = to === undefined ? undefined : configured.get(to);
  return to === undefined || !target
    ? undefined
    : { from, to, source: target.source, isImplied: true };
}
