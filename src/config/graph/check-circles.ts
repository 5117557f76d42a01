import { AddressBook, listReads } from '../../expressions/deferred/deferred-reads.ts';
import { kinds } from '../../kinds/registry.ts';
import { parseAddress, type Address } from '../../model/address.ts';
import { formatPlace } from '../../model/source.ts';
import type { Declaration, Declarations } from '../scope/declarations.ts';
import type { FaultList } from '../source/fault-list.ts';
import { locate } from '../source/source-file.ts';

/** What a resource cannot be made without: what it stands in, what it names, what its expressions read. */
function listNeeds(
  { resource }: Declaration,
  byAddress: ReadonlyMap<Address, Declaration>,
  book: AddressBook,
): readonly Address[] {
  const { address, kind, deferred = {} } = resource;
  const read = Object.values(deferred)
    .flatMap((one) => listReads(one, book))
    .filter(({ address: other, attribute }) => {
      const given = byAddress.get(other)?.resource.attributes ?? {};
      // What the configuration gives is known without the resource.
      return attribute === undefined || !Object.hasOwn(given, attribute);
    });
  const named = kinds[kind].references(resource).filter(({ address: other }) => book.has(other));
  const parent = parseAddress(address)?.parent;
  const needs = [...read, ...named].map((one) => one.address);
  return [...new Set(parent === undefined ? needs : [parent, ...needs])];
}

function reportCircle(
  circle: readonly Address[],
  byAddress: ReadonlyMap<Address, Declaration>,
  faults: FaultList,
): void {
  const declared = circle.flatMap((address) => byAddress.get(address) ?? []);
  const first = declared.find(({ resource }) => resource.deferred);
  const field = Object.keys(first?.resource.deferred ?? {})[0] ?? '';
  if (!first) return;
  const from = circle.indexOf(first.resource.address);
  const way = [...circle.slice(from), ...circle.slice(0, from), first.resource.address];
  const places = declared.map(
    ({ resource, key }) => `\`${resource.address}\` at ${formatPlace(locate(key))}`,
  );
  faults.add({
    code: 'reference-cycle',
    summary:
      circle.length > 1
        ? 'Resources depend on each other in a cycle'
        : `\`${first.resource.address}\` reads a value that is known only after it is created itself`,
    detail: `${way.map((one) => `\`${one}\``).join(' → ')}. Defined: ${places.join(', ')}.`,
    hint: 'Read something else in one of them, or write it out.',
    address: first.resource.address,
    place: first.nodes[field] ?? first.key,
  });
}

/**
 * Reports resources of which each is needed by the next: only expressions that read what is known after apply can make
 * such circles. Each is reported whole, and of those that share a resource one.
 */
export function checkCircles(declarations: Declarations, faults: FaultList): void {
  const starts = declarations.all.filter(({ resource }) => resource.deferred);
  if (starts.length === 0) return;
  const byAddress = new Map(declarations.all.map((one) => [one.resource.address, one]));
  const book = new AddressBook(byAddress.keys());
  const done = new Set<Address>();
  const told = new Set<Address>();
  const path: Address[] = [];
  const onPath = new Set<Address>();
  for (const { resource } of starts) {
    // Without recursion: a chain may be as long as the configuration.
    const open: { readonly address: Address; readonly needs: Address[] }[] = [];
    const enter = (address: Address) => {
      const declaration = byAddress.get(address);
      if (done.has(address) || !declaration) return;
      if (onPath.has(address)) {
        const circle = path.slice(path.indexOf(address));
        if (!circle.some((one) => told.has(one))) reportCircle(circle, byAddress, faults);
        for (const one of circle) told.add(one);
        return;
      }
      path.push(address);
      onPath.add(address);
      open.push({ address, needs: [...listNeeds(declaration, byAddress, book)] });
    };
    enter(resource.address);
    for (let at = open.at(-1); at; at = open.at(-1)) {
      const next = at.needs.pop();
      if (next !== undefined) {
        enter(next);
        continue;
      }
      open.pop();
      path.pop();
      onPath.delete(at.address);
      done.add(at.address);
    }
  }
}
