// Application of `moved` entries to addresses, whatever the order of the entries. Pure; whether entries fit the configuration
// is checked there.
import type { ResourceAddress } from './address.ts';
import type { MovedEntry } from './resource.ts';

/** Entries of `moved`, by the address that each of them moves. */
export type Moves = ReadonlyMap<ResourceAddress, MovedEntry>;

/** Indexes entries by the address that they move; no two entries move the same one. */
export function indexMoves(entries: readonly MovedEntry[]): Moves {
  return new Map(entries.map((entry) => [entry.from, entry]));
}

/**
 * Tells whether a `moved` entry moves every instance of a block: `web` to `site` does, whereas `web` to `web[0]` moves only the
 * resource that had no index.
 */
export function isMovingAllInstances({ from, to }: Pick<MovedEntry, 'from' | 'to'>): boolean {
  return !from.endsWith(']') && !to.endsWith(']');
}

/**
 * Finds the entry that moves an address: the one for itself, for the block or module that it is an instance of, or for a
 * container. The closest one wins, so that a moved container takes its content along.
 */
export function findMove(address: ResourceAddress, moves: Moves): MovedEntry | undefined {
  if (moves.size === 0) return undefined;
  for (let end = address.length; end > 0; end -= 1) {
    // A part of an address ends before the next part, an instance key, or the mark of a deposed resource.
    if (end < address.length && !'.[ '.includes(address.charAt(end))) continue;
    const entry = moves.get(address.slice(0, end));
    if (entry && (address[end] !== '[' || isMovingAllInstances(entry))) return entry;
  }
  return undefined;
}

/** Lists the `moved` entries that move an address, one after the other; each of them once, also where they lead in a circle. */
export function listMoves(address: ResourceAddress, moves: Moves): readonly MovedEntry[] {
  const followed = new Set<MovedEntry>();
  let at = address;
  for (let move = findMove(at, moves); move && !followed.has(move); move = findMove(at, moves)) {
    followed.add(move);
    at = applyMove(at, move);
  }
  return [...followed];
}

/** Applies one entry of `moved` to an address within it. */
export function applyMove(address: ResourceAddress, { from, to }: MovedEntry): ResourceAddress {
  return `${to}${address.slice(from.length)}`;
}

/** Finds the address of a resource after all entries of `moved`. */
export function moveAddress(address: ResourceAddress, moves: Moves): ResourceAddress {
  return listMoves(address, moves).reduce(applyMove, address);
}
