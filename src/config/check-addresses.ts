import { kinds } from '../kinds/registry.ts';
import { parseAddress, parseDeposed, type Address } from '../model/address.ts';
import type { ImportEntry, MovedEntry, RemovedEntry } from '../model/resource.ts';
import { formatPlace } from '../model/source.ts';
import { suggest } from '../model/suggest.ts';
import type { Declarations } from './declarations.ts';
import type { FaultList } from './fault-list.ts';
import { makePrintable } from './frame.ts';
import type { LocatedNode } from './located-node.ts';
import type { ReadEntry } from './read-moves.ts';
import { locate } from './source-file.ts';

interface Sections {
  readonly moved: readonly ReadEntry<MovedEntry>[];
  readonly imports: readonly ReadEntry<ImportEntry>[];
  readonly removed: readonly ReadEntry<RemovedEntry>[];
}

/** Judges the addresses of one configuration. */
class AddressCheck {
  readonly #declarations: Declarations;
  #known: ReadonlySet<Address> | undefined;
  readonly #faults: FaultList;
  /** Addresses named so far, by what names them. */
  readonly #named = new Map<string, LocatedNode>();

  constructor(declarations: Declarations, faults: FaultList) {
    this.#declarations = declarations;
    this.#faults = faults;
  }

  /** Every address; most configurations never ask. */
  get #configured(): ReadonlySet<Address> {
    this.#known ??= new Set(this.#declarations.all.map(({ resource }) => resource.address));
    return this.#known;
  }

  /** True when the text is an address; one that is none is reported. */
  isAddress(address: Address, place: LocatedNode): boolean {
    if (parseAddress(address) && !parseDeposed(address)) return true;
    this.#faults.add({
      code: 'invalid-address',
      summary: `\`${makePrintable(address)}\` is not the address of a resource`,
      hint: 'An address is the path in the YAML: projects.shop.vms.web, projects.shop.vms.web[0].',
      place,
    });
    return false;
  }

  /** Reports an address that is not configured. */
  expectConfigured(address: Address, place: LocatedNode, owner?: Address): void {
    if (!this.isAddress(address, place) || this.#configured.has(address)) return;
    const instance = [`${address}[0]`, `${address}["`].find((start) =>
      [...this.#configured].some((one) => one.startsWith(start)),
    );
    const meant = suggest(address, this.#configured);
    this.#faults.add({
      code: 'unknown-address',
      summary: `There is no ${makePrintable(address)} in the configuration`,
      ...(instance !== undefined && { detail: 'There are several: each has its own address.' }),
      hint:
        instance !== undefined
          ? `Name one of them, for example ${instance.endsWith('"') ? `${instance}KEY"]` : instance}.`
          : meant === undefined
            ? 'Correct the address, or configure the resource.'
            : `Did you mean ${meant}?`,
      ...(owner !== undefined && { address: owner }),
      place,
    });
  }

  /** Reports an address that is still configured. */
  expectGone(address: Address, place: LocatedNode, hint: string): void {
    if (!this.isAddress(address, place) || !this.#configured.has(address)) return;
    this.#faults.add({
      code: 'still-configured',
      summary: `${address} is still configured`,
      hint,
      address,
      place,
    });
  }

  /** Reports an address that two entries name in the same sense. */
  expectOnce(section: string, address: Address, place: LocatedNode): void {
    const key = `${section} ${address}`;
    const first = this.#named.get(key);
    if (!first) {
      this.#named.set(key, place);
      return;
    }
    this.#faults.add({
      code: 'named-twice',
      summary: `Two entries of \`${section.split(' ')[0] ?? ''}\` name ${makePrintable(address)}`,
      detail: `The first stands at ${formatPlace(locate(first))}.`,
      hint: 'Remove one of the two.',
      place,
    });
  }

  /** Reports moves that lead back to where they began. */
  expectEnd({ from, to }: MovedEntry, next: ReadonlyMap<Address, Address>, place: LocatedNode) {
    const way = new Set([from]);
    let at: Address | undefined = to;
    while (at !== undefined && !way.has(at)) {
      way.add(at);
      at = next.get(at);
    }
    // One fault for a circle, whichever of its entries comes first.
    if (at !== from || from === to || [...way].some((one) => one < from)) return;
    this.#faults.add({
      code: 'moved-in-a-circle',
      summary: `The moves of ${makePrintable(from)} lead back to it`,
      detail: `They are: ${[...way, from].map(makePrintable).join(' -> ')}.`,
      hint: 'Leave one of them out.',
      place,
    });
  }

  /** Reports a move between two kinds, and one that moves nothing. */
  expectAlike({ from, to }: MovedEntry, place: LocatedNode): void {
    const [old, now] = [parseAddress(from), parseAddress(to)];
    if (!old || !now || (old.kind === now.kind && from !== to)) return;
    this.#faults.add({
      code: 'invalid-move',
      summary:
        from === to
          ? `${from} is moved to itself`
          : `A ${kinds[old.kind].label} cannot become a ${kinds[now.kind].label}`,
      hint: 'Correct one of the two addresses.',
      place,
    });
  }
}

/** Checks the addresses that `moved`, `imports`, `removed` and `replaceTriggeredBy` name. */
export function checkAddresses(
  { moved, imports, removed }: Sections,
  declarations: Declarations,
  faults: FaultList,
): void {
  const check = new AddressCheck(declarations, faults);
  const next = new Map(moved.map(({ entry }) => [entry.from, entry.to]));
  for (const { entry, from, to } of moved) {
    if (!from || !to) continue;
    check.expectGone(entry.from, from, 'Rename its key, or leave the move out.');
    // In a chain, only the last address has to be there.
    if (next.has(entry.to)) check.expectEnd(entry, next, to);
    else check.expectConfigured(entry.to, to);
    check.expectOnce('moved from', entry.from, from);
    check.expectOnce('moved to', entry.to, to);
    check.expectAlike(entry, to);
  }
  for (const { entry, to } of imports) {
    if (!to) continue;
    check.expectConfigured(entry.to, to);
    check.expectOnce('imports', entry.to, to);
  }
  for (const { entry, from } of removed) {
    if (!from) continue;
    check.expectGone(entry.from, from, 'Take the resource out, or leave this entry out.');
    check.expectOnce('removed', entry.from, from);
  }
  for (const { resource, nodes } of declarations.all) {
    const { lifecycle, address } = resource;
    const list = nodes.replaceTriggeredBy;
    lifecycle?.replaceTriggeredBy.forEach((trigger, index) => {
      const item = list?.kind === 'list' ? (list.items[index] ?? list) : list;
      if (item) check.expectConfigured(trigger, item, address);
    });
  }
}
