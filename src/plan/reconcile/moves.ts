import { spellUnmanagedId } from '../../kinds/names.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import {
  removeInstanceKey,
  listEnclosingAddresses,
  parseResourceAddress,
  parseDeposedAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { findMove, indexMoves, listMoves, moveAddress } from '../../model/move-address.ts';
import type { DesiredGraph, MovedEntry } from '../../model/resource.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import type { ManagedResource, PendingCreate, State } from '../../model/state/state.ts';
import { isEqual, type Value } from '../../model/value.ts';
import { parseKnownAddress } from '../account-index.ts';

/** A state whose resources are under the addresses that the configuration gives them now. */
export interface StateAfterMoves {
  readonly state: State;
  /** The former address of each resource that moved, by its new one. */
  readonly from: ReadonlyMap<ResourceAddress, ResourceAddress>;
  readonly findings: readonly Finding[];
}

/** References of a resource by their new keys, so that a neighbour that moved is no change of this one. */
function respell(
  resource: ManagedResource,
  finalOf: (address: ResourceAddress) => ResourceAddress,
  from: ReadonlyMap<ResourceAddress, ResourceAddress>,
): ManagedResource {
  const { project } = parseKnownAddress(resource.address);
  return respellMentions(resource, from.get(resource.address) ?? resource.address, (mentioned) => {
    const to = parseResourceAddress(finalOf(mentioned));
    return to?.project === project ? to.local : undefined;
  });
}

function respellMentions(
  resource: ManagedResource,
  address: ResourceAddress,
  spell: (mentioned: ResourceAddress) => string | undefined,
): ManagedResource {
  const { project } = parseKnownAddress(address);
  const attributes: Record<string, Value> = { ...resource.attributes };
  for (const mention of kindRegistry[resource.kind].references({
    ...resource,
    address,
    project,
  })) {
    const text = spell(mention.address);
    const had = attributes[mention.attribute];
    if (text === undefined) continue;
    if (mention.index === undefined) attributes[mention.attribute] = text;
    else if (Array.isArray(had))
      attributes[mention.attribute] = had.map((one, at) => (at === mention.index ? text : one));
  }
  return { ...resource, attributes };
}

/**
 * The resources that refer to one that the state is about to forget, with its id in place of its key: the reference is the
 * same as before.
 */
export function spellForgottenReferences(
  { resources }: Pick<State, 'resources'>,
  forgotten: readonly ResourceAddress[],
): ManagedResource[] {
  const gone = new Set(forgotten);
  return [...resources.values()].flatMap((resource) => {
    if (gone.has(resource.address)) return [];
    const respelled = respellMentions(resource, resource.address, (mentioned) => {
      const found = gone.has(mentioned) ? resources.get(mentioned) : undefined;
      return found && spellUnmanagedId(found.id);
    });
    return isEqual(respelled.attributes, resource.attributes) ? [] : [respelled];
  });
}

/** Addresses that cannot move: where two would end at one address neither goes there, nor any that would take their places. */
function findStuck(
  finals: ReadonlyMap<ResourceAddress, ResourceAddress>,
): ReadonlySet<ResourceAddress> {
  const stuck = new Set<ResourceAddress>();
  for (let before = -1; before < stuck.size;) {
    before = stuck.size;
    const ends = new Map<ResourceAddress, number>();
    const endOf = (address: ResourceAddress, to: ResourceAddress) =>
      stuck.has(address) ? address : to;
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
export function followMovedEntries(state: State, entries: readonly MovedEntry[]): StateAfterMoves {
  if (entries.length === 0) return { state, from: new Map(), findings: [] };
  const resources = new Map<ResourceAddress, ManagedResource>();
  const from = new Map<ResourceAddress, ResourceAddress>();
  const findings: Finding[] = [];
  const moves = indexMoves(entries);
  const finalOf = (address: ResourceAddress) => moveAddress(address, moves);
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
    const entry = findMove(address, moves);
    findings.push({
      severity: 'error',
      code: 'move-target-taken',
      summary: `${address} cannot move to ${to}: another resource is there, or moves there`,
      hint: 'Remove the moved entry, or move the other resource first.',
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
  const pending = new Map<ResourceAddress, PendingCreate>();
  for (const one of state.pending.values()) {
    const address = finalOf(one.address);
    pending.set(address, { ...one, address });
  }
  return { state: { ...state, resources, pending }, from, findings };
}

/**
 * Reports resources that would be destroyed where they move to: the new address is not configured at all, is a name of
 * several instances by now, or is one of several that no longer are. A move that an earlier plan made is never reported.
 * In a plan that destroys everything, an address that is not configured is right, too. `followed` are the entries that moved
 * it, implied ones included.
 */
export function refuseMisplacedMoves(
  mode: PlanMode,
  { from, state }: Pick<StateAfterMoves, 'from' | 'state'>,
  { resources, emptyGroups = [] }: DesiredGraph,
  followed: readonly MovedEntry[],
): readonly Finding[] {
  if (from.size === 0) return [];
  const configured = listBySegment(resources.map(({ address }) => address));
  const empty = new Set(emptyGroups.map(({ address }) => address));
  const moves = indexMoves(followed);
  const reported = new Set<MovedEntry>();
  return [...from].flatMap(([address, before]): Finding[] => {
    // The rest of a replaced resource is deleted anyway, wherever it lies.
    if (parseDeposedAddress(address)) return [];
    const entries = listMoves(before, moves).filter(({ isImplied }) => isImplied !== true);
    // A move that `count` alone implies is no error: without it, the resource would be destroyed, too.
    if (entries.length === 0) return [];
    const wrong = listEnclosingAddresses(address).find((one) => {
      const [other] = configured.get(removeInstanceKey(one)) ?? [];
      return (
        other !== undefined &&
        (other === removeInstanceKey(one)) !== (one === removeInstanceKey(one))
      );
    });
    if (wrong !== undefined) {
      const others = [...(configured.get(removeInstanceKey(wrong)) ?? [])];
      const free = others.find((one) => !state.resources.has(one));
      return [describeBeside({ address, before, wrong, free, entry: entries.at(-1) })];
    }
    if (mode === 'destroy') return [];
    const isKnown = (end: ResourceAddress) => {
      const group = configured.get(removeInstanceKey(end));
      if (empty.has(removeInstanceKey(end))) return true;
      return group !== undefined && (group.has(end) || !end.endsWith(']'));
    };
    const lost = entries.findLast(({ to }) => !isKnown(moveAddress(to, moves)));
    if (!lost || reported.has(lost)) return [];
    reported.add(lost);
    return [describeLost(lost, before, moveAddress(lost.to, moves))];
  });
}

/** The configured addresses and their parents, grouped by the address without its instance. */
function listBySegment(
  all: readonly ResourceAddress[],
): ReadonlyMap<ResourceAddress, ReadonlySet<ResourceAddress>> {
  const groups = new Map<ResourceAddress, Set<ResourceAddress>>();
  for (const one of all.flatMap(listEnclosingAddresses)) {
    const group = groups.get(removeInstanceKey(one));
    if (group) group.add(one);
    else groups.set(removeInstanceKey(one), new Set([one]));
  }
  return groups;
}

function describeLost(
  { source }: MovedEntry,
  before: ResourceAddress,
  end: ResourceAddress,
): Finding {
  return {
    severity: 'error',
    code: 'unknown-address',
    summary: `${before} would move to ${end}, which is not configured`,
    detail: 'It would be destroyed there.',
    hint: `Configure ${end}, or remove the moved entry: then ${before} is destroyed under its own address.`,
    address: before,
    source,
  };
}

function describeBeside({
  address,
  before,
  wrong,
  free,
  entry,
}: {
  readonly address: ResourceAddress;
  readonly before: ResourceAddress;
  /** The part of the new address that is not configured in this form. */
  readonly wrong: ResourceAddress;
  /** A configured address without a resource that could be meant; undefined without one. */
  readonly free: ResourceAddress | undefined;
  readonly entry: MovedEntry | undefined;
}): Finding {
  const base = removeInstanceKey(wrong);
  const example = free === undefined ? '' : `, for example ${free}`;
  return {
    severity: 'error',
    code: 'moved-beside',
    summary: `${before} would move to ${address}, which is not configured`,
    detail:
      wrong === base
        ? `There are several of ${base}, each with its own address.`
        : `There is only one ${base}, without an index or a key.`,
    hint: `Name the new address in the moved entry${example}.`,
    address,
    ...(entry && { source: entry.source }),
  };
}
