import type { EvaluationBudget } from '../../expressions/values/budget.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { readContainerId, recordParentPlace } from '../../kinds/relations/parent-id.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import {
  isAtOrBelowAddress,
  isUnmanagedAddress,
  parseDeposedAddress,
  makeUnmanagedAddress,
  type ResourceAddress,
  removeInstanceKey,
  listEnclosingAddresses,
} from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { findContainingKind, type KindName } from '../../model/kind-places.ts';
import { applyMove, indexMoves, listMoves, type Moves } from '../../model/move-address.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import {
  emptyDesiredGraph,
  type DesiredGraph,
  type DesiredResource,
  type MovedEntry,
} from '../../model/resource.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import { adoptResources } from './adopt.ts';
import { bringBackRetiredResource } from './bring-back.ts';
import { listOwnedResourceIds, refuseForgettingExclusiveResources } from './forgotten.ts';
import { listIgnoredResources } from './list-ignored.ts';
import { followMovedEntries, refuseMisplacedMoves } from './moves.ts';

/** Input for applying the configuration's instructions to the state (moves, imports), before anything is compared. */
export interface StateRearrangeInput {
  /**
   * When everything is to be destroyed, nothing is bound or adopted, and further resources of an exclusive project do not
   * matter.
   */
  readonly mode: Exclude<PlanMode, 'refresh'>;
  readonly desired: DesiredGraph;
  readonly live: LiveSnapshot;
  readonly state: State;
  /** True with `--adopt`: live resources like configured ones are adopted. */
  readonly adoptsAll: boolean;
  /** Limit on evaluating expressions; none unless given. */
  readonly steps?: EvaluationBudget | undefined;
  /** Address of `restore`: the resource that returns from its retirement. */
  readonly restore?: ResourceAddress | undefined;
}

/** The state that a plan starts from, and the steps that led to it. Apply records them before it changes anything. */
export interface RearrangedState {
  readonly state: State;
  /** Former addresses of moved resources, by their new ones. */
  readonly movedFrom: ReadonlyMap<ResourceAddress, ResourceAddress>;
  /** Addresses of resources that are adopted. */
  readonly imported: ReadonlySet<ResourceAddress>;
  /** Adopted addresses that this plan leaves as they are in the account (`as: live`). */
  readonly asLive: ReadonlySet<ResourceAddress>;
  /** Resources that are no longer managed and are not deleted. */
  readonly forgotten: readonly ManagedResource[];
  /** Addresses made up for resources in an exclusive project that nobody configured. */
  readonly intruders: ReadonlySet<ResourceAddress>;
  /** The ids of resources that `ignoreUnmanaged` names: they are left alone without a word. */
  readonly ignored: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/**
 * The state in the form that `rearrangeState` gives, without following `moved`, `removed` or `imports`: for a plan that only
 * records live values.
 */
export function makeUnrearrangedState(state: State): RearrangedState {
  const { kept, forgotten } = forget(dropStrays(state), emptyDesiredGraph);
  return {
    state: kept,
    movedFrom: new Map(),
    imported: new Set(),
    asLive: new Set(),
    forgotten,
    intruders: new Set(),
    ignored: new Set(),
    findings: [],
  };
}

/**
 * Follows `moved`, then `removed`, then `imports` and `--adopt`, then `exclusive`. The first two hold as well where
 * everything is to be destroyed: blocks protect resources that move to them, and resources that are given up stay.
 */
export function rearrangeState({
  mode,
  desired,
  live,
  state,
  adoptsAll,
  steps,
  restore,
}: StateRearrangeInput): RearrangedState {
  const before = dropStrays(state);
  const moves = [...(desired.moved ?? []), ...listImpliedCountMoves(before, desired)];
  const moved = followMovedEntries(before, moves);
  const wanted = mode === 'destroy' ? { resources: [], removed: desired.removed ?? [] } : desired;
  const { kept, forgotten } = forget(moved.state, wanted);
  const returned = bringBackRetiredResource({ state: kept, desired: wanted, live, restore });
  const bound = bindPermanent(returned.state, wanted, live);
  const adopted = adoptResources({ desired: wanted, live, state: bound, adoptsAll, steps });
  const ignored = listIgnoredResources(desired, live, adopted.state, steps);
  const exclusive = takeIntruders({
    state: adopted.state,
    desired: wanted,
    live,
    ignored: ignored.ids,
    asLive: adopted.asLive,
    forgotten: new Set(forgotten.flatMap(listOwnedResourceIds)),
  });
  return {
    state: exclusive.state,
    movedFrom: moved.from,
    imported: adopted.imported,
    asLive: adopted.asLive,
    forgotten,
    intruders: exclusive.intruders,
    ignored: ignored.ids,
    findings: [
      ...[...moved.findings, ...refuseMisplacedMoves(mode, moved, desired, moves)],
      ...[...adopted.findings, ...(mode === 'destroy' ? [] : ignored.findings)],
      ...refuseForgettingExclusiveResources(desired, forgotten, exclusive.claimed),
      ...returned.findings,
    ],
  };
}

/**
 * Takes resources out of the state, and leaves them in the account: by `removed` with `destroy: false`, and those that cannot
 * be destroyed.
 */
function forget(state: State, { removed = [], resources: wanted }: DesiredGraph) {
  const entries = removed.filter(({ destroy }) => !destroy);
  const isLeft = ({ address, kind }: ManagedResource) =>
    kindRegistry[kind].traits.permanent === true && !wanted.some((one) => one.address === address);
  const isNamed = (address: ResourceAddress) =>
    entries.some(({ from }) => isAtOrBelowAddress(address, from));
  const all = [...state.resources.values()];
  const forgotten = all.filter((one) => isLeft(one) || isNamed(one.address));
  if (forgotten.length === 0) return { kept: state, forgotten };
  const resources = new Map(state.resources);
  for (const { address } of forgotten) resources.delete(address);
  return { kept: { ...state, resources }, forgotten };
}

/** Resources that every account has are managed as soon as they are configured: they are neither created nor adopted. */
function bindPermanent(state: State, desired: DesiredGraph, live: LiveSnapshot): State {
  const wanted = desired.resources.filter(
    ({ address, kind }) => kindRegistry[kind].traits.permanent && !state.resources.has(address),
  );
  const bound = wanted.flatMap(({ address, kind }) => {
    const found = live.resources.find((one) => one.kind === kind);
    return found ? [[address, manage(address, found)] as const] : [];
  });
  if (bound.length === 0) return state;
  return { ...state, resources: new Map([...state.resources, ...bound]) };
}

/**
 * Drops unconfigured resources of an exclusive project that an earlier plan took over: each plan finds them anew. A run that
 * was killed right after it had deposed a replaced resource left that under both addresses: it is still at its own.
 */
function dropStrays(state: State): State {
  const isHalfDeposed = (address: ResourceAddress) => {
    const deposed = parseDeposedAddress(address);
    return deposed !== undefined && state.resources.get(deposed.base)?.id === deposed.id;
  };
  const kept = [...state.resources].filter(
    ([address, { id }]) => !isUnmanagedAddress(address, id) && !isHalfDeposed(address),
  );
  return kept.length === state.resources.size ? state : { ...state, resources: new Map(kept) };
}

interface TakeInput extends Pick<StateRearrangeInput, 'desired' | 'live' | 'state'> {
  readonly ignored: ReadonlySet<string>;
  /** Addresses whose contents this plan leaves unchanged (`as: live`). */
  readonly asLive: ReadonlySet<ResourceAddress>;
  /** Ids of resources that this same plan stops managing. */
  readonly forgotten: ReadonlySet<string>;
}

/**
 * Resources in an exclusive project that are not ours become ours to delete, under an address made of their id; `claimed` are
 * the ids of resources among them that the same plan gives up.
 */
function takeIntruders({
  state,
  desired: { exclusive = [] },
  live,
  ignored,
  asLive,
  forgotten,
}: TakeInput) {
  const projects = new Map<string, ResourceAddress>();
  for (const address of exclusive) {
    const project = asLive.has(address) ? undefined : state.resources.get(address);
    if (project) projects.set(project.id, address);
  }
  const intruders = new Set<ResourceAddress>();
  const claimed = new Set<string>();
  if (projects.size === 0) return { state, intruders, claimed };
  const resources = new Map(state.resources);
  const ours = new Set([...resources.values()].flatMap(listOwnedResourceIds));
  const addressOf = new Map([...resources.values()].map(({ id, address }) => [id, address]));
  for (const one of live.resources) {
    const project = projects.get(one.projectId);
    if (project === undefined || ours.has(one.id) || ignored.has(one.id)) continue;
    if (forgotten.has(one.id)) {
      claimed.add(one.id);
      continue;
    }
    const at = (parent: ResourceAddress, kind: KindName, id: string) =>
      addressOf.get(id) ?? makeUnmanagedAddress(parent, kind, id);
    // The container may have no address of its own: it came with a resource of Hostwright, and stays.
    const holder = findContainingKind(one.kind);
    const above = holder ? at(project, holder, readContainerId(one)) : project;
    if (asLive.has(above)) continue;
    const address = at(above, one.kind, one.id);
    resources.set(address, manage(address, one));
    intruders.add(address);
  }
  return { state: { ...state, resources }, intruders, claimed };
}

function manage(address: ResourceAddress, live: LiveResource): ManagedResource {
  return {
    address,
    kind: live.kind,
    id: live.id,
    ...recordParentPlace(live),
    attributes: {},
    configured: [],
  };
}

// Moves that nobody has to write: when `count` is added, `web` becomes `web[0]`; when it is removed, `web[0]` becomes `web`.
// The same holds for projects, modules and anything else that can be repeated. Keys of `forEach` imply nothing.

/** The configured addresses and their parents, each with one of its resources. */
type Configured = ReadonlyMap<ResourceAddress, DesiredResource>;

/**
 * The moves that follow from `count` alone, for resources that the `moved` entries leave at an address that is not
 * configured. `moved` entries win: nothing is implied for an address that one of them leads to, and nothing moves to an
 * address with a resource.
 */
export function listImpliedCountMoves(
  state: State,
  { resources, moved = [] }: DesiredGraph,
): readonly MovedEntry[] {
  const wanted = new Set(resources.map(({ address }) => address));
  const managed = [...state.resources.keys(), ...[...state.pending.values()].map(addressOf)];
  const misplaced = managed.filter((one) => !wanted.has(one) && !parseDeposedAddress(one));
  if (misplaced.length === 0) return [];
  const configured = indexSegments(resources);
  const moves = indexMoves(moved);
  const implied = new Map<ResourceAddress, MovedEntry>();
  for (const address of misplaced) {
    for (const entry of listImplied(address, moves, configured)) implied.set(entry.from, entry);
  }
  if (implied.size === 0) return [];
  const occupied = new Set(
    managed.flatMap((one) => listEnclosingAddresses(listMoves(one, moves).reduce(applyMove, one))),
  );
  return [...implied.values()].filter(({ to }) => !occupied.has(to));
}

function addressOf({ address }: { readonly address: ResourceAddress }): ResourceAddress {
  return address;
}

function indexSegments(resources: readonly DesiredResource[]): Configured {
  const configured = new Map<ResourceAddress, DesiredResource>();
  for (const resource of resources) {
    for (const segment of listEnclosingAddresses(resource.address)) {
      if (!configured.has(segment)) configured.set(segment, resource);
    }
  }
  return configured;
}

/** Implied moves on the way of one address, from the outside inwards; `moved` entries are followed in between. */
function listImplied(address: ResourceAddress, moves: Moves, configured: Configured): MovedEntry[] {
  const implied: MovedEntry[] = [];
  const named = new Set<ResourceAddress>();
  let at = address;
  for (;;) {
    for (const move of listMoves(at, moves)) {
      named.add(removeInstanceKey(move.to));
      at = applyMove(at, move);
    }
    const entry = findImplied(at, configured);
    if (!entry || named.has(removeInstanceKey(entry.to))) return implied;
    if (implied.some(({ from }) => from === entry.from)) return implied;
    implied.push(entry);
    at = applyMove(at, entry);
  }
}

/** The move of the outermost part of an address that is not configured as it is. */
function findImplied(address: ResourceAddress, configured: Configured): MovedEntry | undefined {
  const from = listEnclosingAddresses(address).find((segment) => !configured.has(segment));
  if (from === undefined) return undefined;
  const base = removeInstanceKey(from);
  const first = `${base}[0]`;
  const to = from === base ? first : from === first ? base : undefined;
  const target = to === undefined ? undefined : configured.get(to);
  return to === undefined || !target
    ? undefined
    : { from, to, source: target.source, isImplied: true };
}
