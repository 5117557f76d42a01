import { kindRegistry } from '../../kinds/registry.ts';
import {
  removeInstanceKey,
  isModuleAddress,
  listEnclosingAddresses,
  parseResourceAddress,
  parseDeposedAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import {
  applyMove,
  indexMoves,
  listMoves,
  isMovingAllInstances,
  type Moves,
} from '../../model/move-address.ts';
import type { ImportEntry, MovedEntry, RemovedEntry } from '../../model/resource.ts';
import { formatSourcePlace } from '../../model/source.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import type { ResourceDeclarations } from '../scope/declarations.ts';
import type { ConfigurationFaultList } from '../source/fault-list.ts';
import { makePrintable } from '../source/frame.ts';
import type { LocatedYamlNode } from '../source/located-node.ts';
import type { LocatedAddressEntry } from './read-moves.ts';
import { toSourceRange } from '../source/source-file.ts';

interface Sections {
  readonly moved: readonly LocatedAddressEntry<MovedEntry>[];
  readonly imports: readonly LocatedAddressEntry<ImportEntry>[];
  readonly removed: readonly LocatedAddressEntry<RemovedEntry>[];
}

/** Addresses of the configuration, which the entries are checked against. */
interface Configured {
  readonly declarations: ResourceDeclarations;
  /** Addresses of every instance of every module. */
  readonly modules: readonly ResourceAddress[];
  /**
   * Blocks with an unknown number of instances: a variable is not set, or a fault was reported. Their instances are not
   * missed.
   */
  readonly uncertain: ReadonlySet<ResourceAddress>;
}

/** Checks the addresses in the `moved`, `removed` and `imports` entries of one configuration. */
class AddressCheck {
  readonly #configured: Configured;
  readonly #faults: ConfigurationFaultList;
  #known: ReadonlySet<ResourceAddress> | undefined;
  #instances: ReadonlyMap<ResourceAddress, ResourceAddress> | undefined;
  /** Places that name an address, by section and address, to find duplicates. */
  readonly #named = new Map<string, LocatedYamlNode>();
  /** Entries of `moved` in cycles that were already reported. */
  readonly #circular = new Set<MovedEntry>();

  constructor(configured: Configured, faults: ConfigurationFaultList) {
    this.#configured = configured;
    this.#faults = faults;
  }

  /** Every configured address, of modules too; worked out on demand, since most configurations never need it. */
  get #all(): ReadonlySet<ResourceAddress> {
    const { declarations, modules } = this.#configured;
    this.#known ??= new Set([
      ...declarations.all.map(({ resource }) => resource.address),
      ...modules,
    ]);
    return this.#known;
  }

  /** The first instance of a repeated block, or of one without instances. */
  #instanceOf(address: ResourceAddress): ResourceAddress | undefined {
    this.#instances ??= new Map(
      [...this.#all]
        .filter((one) => one.endsWith(']'))
        .map((one) => [removeInstanceKey(one), one] as const)
        .reverse(),
    );
    return this.#instances.get(address);
  }

  /**
   * Tells whether the text is the address of a resource, or of a module where one is allowed; any other text is
   * reported. `prefix` is the path to the module whose files name it.
   */
  isAddress(
    address: ResourceAddress,
    place: LocatedYamlNode,
    mayBeModule = false,
    prefix = '',
  ): boolean {
    if (mayBeModule && isModuleAddress(address)) return true;
    if (parseResourceAddress(address) && !parseDeposedAddress(address)) return true;
    const isMisplaced = isModuleAddress(address);
    const written = address.slice(prefix.length);
    this.#faults.add({
      code: 'invalid-address',
      summary: `\`${makePrintable(written)}\` is not the address of a resource${mayBeModule ? ' or a module' : ''}`,
      ...(isMisplaced && { detail: 'It is the address of a module, which holds resources.' }),
      hint: `Write the path in the YAML${prefix === '' ? '' : ', within the module'}: projects.shop.vms.web, projects.shop.vms.web[0]${mayBeModule ? ', modules.eu' : ''}.`,
      place,
    });
    return false;
  }

  /** Reports an address that no resource of the configuration has. */
  expectConfigured(
    address: ResourceAddress,
    place: LocatedYamlNode,
    prefix = '',
    owner?: ResourceAddress,
  ): void {
    const { uncertain } = this.#configured;
    const isUncertain = listEnclosingAddresses(address).some((one) =>
      uncertain.has(removeInstanceKey(one)),
    );
    if (!isUncertain && !this.#all.has(address)) this.#reportUnknown(address, place, prefix, owner);
  }

  #reportUnknown(
    address: ResourceAddress,
    place: LocatedYamlNode,
    prefix: string,
    owner?: ResourceAddress,
  ): void {
    // Messages about a module show addresses relative to the module.
    const write = (one: ResourceAddress | undefined) =>
      one?.startsWith(prefix) ? one.slice(prefix.length) : one;
    const instance = write(this.#instanceOf(address));
    const meant = write(suggestNearestName(address, this.#all));
    this.#faults.add({
      code: 'unknown-address',
      summary: `There is no ${makePrintable(address)} in the configuration`,
      ...(instance !== undefined && {
        detail: 'It has several instances: each has its own address.',
      }),
      hint:
        instance !== undefined
          ? `Name one of them, for example ${instance}.`
          : meant === undefined
            ? 'Correct the address, or configure the resource.'
            : `Did you mean ${meant}?`,
      ...(owner !== undefined && { address: owner }),
      place,
    });
  }

  /** Reports an address that is still configured; for entries about every instance, also one with an instance that is. */
  expectGone(
    address: ResourceAddress,
    place: LocatedYamlNode,
    hint: string,
    isEveryInstance: boolean,
  ): void {
    const still = this.#all.has(address)
      ? address
      : isEveryInstance && !address.endsWith(']')
        ? this.#instanceOf(address)
        : undefined;
    if (still === undefined) return;
    this.#faults.add({
      code: 'still-configured',
      summary: `${still} is still configured`,
      hint,
      address: still,
      place,
    });
  }

  /** Reports an address that two entries of one section name. */
  expectOnce(section: string, address: ResourceAddress, place: LocatedYamlNode): void {
    const key = `${section} ${address}`;
    const first = this.#named.get(key);
    if (!first) {
      this.#named.set(key, place);
      return;
    }
    this.#faults.add({
      code: 'named-twice',
      summary: `Two entries of \`${section.split(' ')[0] ?? ''}\` name ${makePrintable(address)}`,
      detail: `The first is at ${formatSourcePlace(toSourceRange(first))}.`,
      hint: 'Remove one of the two.',
      place,
    });
  }

  /** Reports a move that leads back to where it began; each circle once. */
  reportCircle(move: MovedEntry, moves: Moves, place: LocatedYamlNode): void {
    const followed = listMoves(move.to, moves);
    if (!followed.includes(move) || move.from === move.to || this.#circular.has(move)) return;
    const others = followed.slice(0, followed.indexOf(move));
    for (const one of [move, ...others]) this.#circular.add(one);
    const way = [move.from, move.to];
    for (const one of others) way.push(applyMove(way.at(-1) ?? '', one));
    this.#faults.add({
      code: 'moved-in-a-circle',
      summary: `The moves of ${makePrintable(move.from)} lead back to it`,
      detail: `They are: ${way.map(makePrintable).join(' -> ')}.`,
      hint: 'Leave one of them out.',
      place,
    });
  }

  /** Reports a move between two kinds, and one that moves nothing. */
  expectAlike({ from, to }: MovedEntry, place: LocatedYamlNode): void {
    const [old, now] = [describeKind(from), describeKind(to)];
    if (old === now && from !== to) return;
    this.#faults.add({
      code: 'invalid-move',
      summary: from === to ? `${from} is moved to itself` : `A ${old} cannot become a ${now}`,
      hint: 'Correct one of the two addresses.',
      place,
    });
  }
}

function describeKind(address: ResourceAddress): string {
  const parsed = parseResourceAddress(address);
  return parsed ? kindRegistry[parsed.kind].label : 'module';
}

function checkMoves(moved: Sections['moved'], check: AddressCheck): void {
  const moves = indexMoves(moved.map(({ entry }) => entry));
  for (const { entry, prefix, from, to } of moved) {
    if (!from || !to) continue;
    const areAddresses = [
      check.isAddress(entry.from, from, true, prefix),
      check.isAddress(entry.to, to, true, prefix),
    ];
    if (areAddresses.includes(false)) continue;
    const hint = 'Rename its key, or leave the move out.';
    check.expectGone(entry.from, from, hint, isMovingAllInstances(entry));
    // The target may be gone by now: an entry that was followed long ago does no harm. An entry that still moves something is
    // checked by the plan, which has the state.
    check.reportCircle(entry, moves, to);
    check.expectOnce('moved from', entry.from, from);
    check.expectOnce('moved to', entry.to, to);
    check.expectAlike(entry, to);
  }
}

/** Checks the addresses that `moved`, `imports`, `removed` and `replaceTriggeredBy` name. */
export function checkEntryAddresses(
  { moved, imports, removed }: Sections,
  configured: Configured,
  faults: ConfigurationFaultList,
): void {
  const check = new AddressCheck(configured, faults);
  checkMoves(moved, check);
  for (const { entry, prefix, to } of imports) {
    if (!to || !check.isAddress(entry.to, to, false, prefix)) continue;
    check.expectConfigured(entry.to, to, prefix);
    check.expectOnce('imports', entry.to, to);
  }
  for (const { entry, prefix, from } of removed) {
    if (!from || !check.isAddress(entry.from, from, true, prefix)) continue;
    check.expectGone(entry.from, from, 'Take it out, or leave this entry out.', true);
    check.expectOnce('removed', entry.from, from);
  }
  for (const { resource, nodes } of configured.declarations.all) {
    const { lifecycle, address } = resource;
    const list = nodes.replaceTriggeredBy;
    lifecycle?.replaceTriggeredBy.forEach((trigger, index) => {
      const item = list?.kind === 'list' ? (list.items[index] ?? list) : list;
      if (item && check.isAddress(trigger, item))
        check.expectConfigured(trigger, item, '', address);
    });
  }
}
