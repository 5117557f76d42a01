import {
  ReferenceAddressIndex,
  listDeferredReads,
} from '../../expressions/deferred/deferred-reads.ts';
import { mayKeepFieldValue } from '../../kinds/may-stay.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import { formatSourcePlace } from '../../model/source.ts';
import type { ResourceDeclaration, ResourceDeclarations } from '../scope/declarations.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import { toSourceRange } from '../source/source-file.ts';

/**
 * Addresses that a resource needs before it can be created: its container, the resources that it names, and those that its
 * expressions read.
 */
function listNeeds(
  { resource }: ResourceDeclaration,
  byAddress: ReadonlyMap<ResourceAddress, ResourceDeclaration>,
  book: ReferenceAddressIndex,
): readonly ResourceAddress[] {
  const { address, deferred = {} } = resource;
  const read = Object.values(deferred)
    .flatMap((one) => listDeferredReads(one, book))
    .filter(({ address: other, attribute }) => {
      const given = byAddress.get(other)?.resource;
      // A configured attribute is known without the resource, unless the live one may differ (`ignoreChanges`).
      if (attribute === undefined || !given) return true;
      const { kind, rebuildOn, lifecycle } = given;
      const { ignoreChanges } = lifecycle ?? {};
      if (mayKeepFieldValue(kind, attribute, { ignoreChanges, rebuildOn })) return true;
      return !Object.hasOwn(given.attributes, attribute);
    });
  const named = kindRegistry[resource.kind]
    .references(resource)
    .filter(({ address: other }) => book.has(other));
  const parent = parseResourceAddress(address)?.parent;
  const needs = [...read, ...named].map((one) => one.address);
  return [...new Set(parent === undefined ? needs : [parent, ...needs])];
}

type ByAddress = ReadonlyMap<ResourceAddress, ResourceDeclaration>;

/** Describes a circle from one of its resources on, with the places of all. */
function describeWay(
  circle: readonly ResourceAddress[],
  first: ResourceAddress,
  byAddress: ByAddress,
): string {
  const from = circle.indexOf(first);
  const way = [...circle.slice(from), ...circle.slice(0, from), first];
  const places = circle.flatMap((address) => {
    const key = byAddress.get(address)?.key;
    return key ? [`\`${address}\` at ${formatSourcePlace(toSourceRange(key))}`] : [];
  });
  return `${way.map((one) => `\`${one}\``).join(' → ')}. Defined: ${places.join(', ')}.`;
}

function reportNeeds(
  circle: readonly ResourceAddress[],
  byAddress: ByAddress,
  faults: ConfigurationFaultList,
): void {
  const declared = circle.flatMap((address) => byAddress.get(address) ?? []);
  const first = declared.find(({ resource }) => resource.deferred);
  const field = Object.keys(first?.resource.deferred ?? {})[0] ?? '';
  if (!first) return;
  const { address } = first.resource;
  faults.add({
    code: 'reference-cycle',
    summary:
      circle.length > 1
        ? 'Resources depend on each other in a cycle'
        : `\`${address}\` reads a value that is known only after it is created itself`,
    detail: describeWay(circle, address, byAddress),
    hint: 'Read something else in one of them, or write it out.',
    address,
    place: first.nodes[field] ?? first.key,
  });
}

function reportTriggers(
  circle: readonly ResourceAddress[],
  byAddress: ByAddress,
  faults: ConfigurationFaultList,
): void {
  const [address = ''] = circle;
  const first = byAddress.get(address);
  if (!first) return;
  faults.add({
    code: 'reference-cycle',
    summary:
      circle.length > 1
        ? 'Resources replace each other in a cycle: `replaceTriggeredBy`'
        : `\`${address}\` would be replaced by every change of itself: \`replaceTriggeredBy\``,
    detail: describeWay(circle, address, byAddress),
    hint: `Remove ${circle.length > 1 ? 'one of them' : 'it'} from \`replaceTriggeredBy\`.`,
    address,
    place: first.nodes.replaceTriggeredBy ?? first.key,
  });
}

/**
 * Reports cycles of resources that need each other, which only expressions with values known after apply can make, and
 * cycles of `replaceTriggeredBy`. Each cycle is reported whole; of cycles that share a resource, one.
 */
export function checkResourceCycles(
  { all }: ResourceDeclarations,
  faults: ConfigurationFaultList,
): void {
  const readers = all.filter(({ resource }) => resource.deferred);
  const triggered = all.filter(({ resource }) => resource.lifecycle?.replaceTriggeredBy.length);
  if (readers.length + triggered.length === 0) return;
  const byAddress = new Map(all.map((one) => [one.resource.address, one]));
  const book = new ReferenceAddressIndex(byAddress.keys());
  for (const circle of findCircles(readers, byAddress, (one) => listNeeds(one, byAddress, book))) {
    reportNeeds(circle, byAddress, faults);
  }
  const triggersOf = ({ resource }: ResourceDeclaration) =>
    resource.lifecycle?.replaceTriggeredBy ?? [];
  for (const circle of findCircles(triggered, byAddress, triggersOf)) {
    reportTriggers(circle, byAddress, faults);
  }
}

/** Circles that can be reached from these declarations; of circles that share a resource, one. */
function findCircles(
  starts: readonly ResourceDeclaration[],
  byAddress: ByAddress,
  listNext: (declaration: ResourceDeclaration) => readonly ResourceAddress[],
): readonly (readonly ResourceAddress[])[] {
  const circles: (readonly ResourceAddress[])[] = [];
  const done = new Set<ResourceAddress>();
  const told = new Set<ResourceAddress>();
  const path: ResourceAddress[] = [];
  const onPath = new Set<ResourceAddress>();
  for (const { resource } of starts) {
    // Iterative, since a chain may be as long as the configuration.
    const open: { readonly address: ResourceAddress; readonly next: ResourceAddress[] }[] = [];
    const enter = (address: ResourceAddress) => {
      const declaration = byAddress.get(address);
      if (done.has(address) || !declaration) return;
      if (onPath.has(address)) {
        const circle = path.slice(path.indexOf(address));
        if (!circle.some((one) => told.has(one))) circles.push(circle);
        for (const one of circle) told.add(one);
        return;
      }
      path.push(address);
      onPath.add(address);
      open.push({ address, next: [...listNext(declaration)] });
    };
    enter(resource.address);
    for (let at = open.at(-1); at; at = open.at(-1)) {
      const next = at.next.pop();
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
  return circles;
}
