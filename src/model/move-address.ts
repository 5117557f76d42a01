// Application of `moved` entries to addresses, whatever the order of the entries. Pure; whether entries fit the configuration
// is checked there.
import type { Address } from './address.ts';
import type { MovedEntry } from './resource.ts';

/** The entries by the address that each of them moves. */
export type Moves = ReadonlyMap<Address, MovedEntry>;

/** Indexes entries; none of them moves what another one does. */
export function indexMoves(entries: readonly MovedEntry[]): Moves {
  return new Map(entries.map((entry) => [entry.from, entry]));
}

/** `web` to `site` takes every instance along; `web` to `web[0]` means the one that had no index. */
export function takesInstances({ from, to }: Pick<MovedEntry, 'from' | 'to'>): boolean {
  return !from.endsWith(']') && !to.endsWith(']');
}

/**
 * The entry that an address goes by: the one that names it, the resource or the module that it is an instance of, or
 * what it stands below. The closest of them, so that what holds it takes along what it has become.
 */
export function findMove(address: Address, moves: Moves): MovedEntry | undefined {
  if (moves.size === 0) return undefined;
  for (let end = address.length; end > 0; end -= 1) {
    // A part of an address ends where another one, its instance, or what tells that it is deposed begins.
    if (end < address.length && !'.[ '.includes(address.charAt(end))) continue;
    const entry = moves.get(address.slice(0, end));
    if (entry && (address[end] !== '[' || takesInstances(entry))) return entry;
  }
  return undefined;
}

/** The entries that an address goes by, one after the other; each of them once, also where they lead in a circle. */
export function listMoves(address: Address, moves: Moves): readonly MovedEntry[] {
  const followed = new Set<MovedEntry>();
  let at = address;
  for (let move = findMove(at, moves); move && !followed.has(move); move = findMove(at, moves)) {
    followed.add(move);
    at = applyMove(at, move);
  }
  return [...followed];
}

/** An address after one entry, which concerns it. */
export function applyMove(address: Address, { from, to }: MovedEntry): Address {
  return `${to}${address.slice(from.length)}`;
}

/** The last address of a resource after all `moved` entries. */
export function moveAddress(address: Address, moves: Moves): Address {
  return listMoves(address, moves).reduce(applyMove, address);
}
