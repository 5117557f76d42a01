import type { Budget } from '../../expressions/values/budget.ts';
import { parentIdOf, rememberPlace } from '../../kinds/relations/parent-id.ts';
import { kinds } from '../../kinds/registry.ts';
import {
  isAtOrBelow,
  isUnconfigured,
  parseDeposed,
  unconfiguredAddress,
  type Address,
} from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import { holderOf, type KindName } from '../../model/kind-places.ts';
import { emptyGraph, type DesiredGraph } from '../../model/resource.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import { adoptResources } from './adopt.ts';
import { bringBack } from './bring-back.ts';
import { listIdsOf, refuseForgotten } from './forgotten.ts';
import { implyMoves } from './imply-moves.ts';
import { listIgnored } from './list-ignored.ts';
import { followMoves, refuseMisplaced } from './moves.ts';

/** What the configuration says of the state, before anything is compared. */
export interface RearrangeInput {
  /** Everything is to be destroyed: nothing is bound or adopted, and what an exclusive project holds besides is no matter. */
  readonly mode: Exclude<PlanMode, 'refresh'>;
  readonly desired: DesiredGraph;
  readonly live: LiveSnapshot;
  readonly state: State;
  /** `--adopt`. */
  readonly adoptsAll: boolean;
  /** What expressions may still cost; no bound unless given. */
  readonly steps?: Budget | undefined;
  /** `restore`: what returns from its retirement. */
  readonly restore?: Address | undefined;
}

/** The state that a plan starts from, and how it came about. Apply writes it down before it changes anything. */
export interface Rearranged {
  readonly state: State;
  /** The former address of what moved, by the new one. */
  readonly movedFrom: ReadonlyMap<Address, Address>;
  /** Addresses that are adopted. */
  readonly imported: ReadonlySet<Address>;
  /** Those among them of which this plan changes nothing. */
  readonly asLive: ReadonlySet<Address>;
  /** What is given up without being destroyed. */
  readonly forgotten: readonly ManagedResource[];
  /** Addresses made up for what nobody configured in an exclusive project. */
  readonly intruders: ReadonlySet<Address>;
  /** The ids of what nobody configured and everybody knows of: it is left alone without a word. */
  readonly ignored: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/** A state as it is, where the configuration has no say: only what is live is to be recorded. */
export function leaveState(state: State): Rearranged {
  const { kept, forgotten } = forget(dropStrays(state), emptyGraph);
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
 * Follows `moved`, then `removed`, then `imports` and `--adopt`, then what `exclusive` asks for. The first two hold as
 * well where everything is to be destroyed: blocks protect what moves to them, and what is given up stays.
 */
export function rearrangeState({
  mode,
  desired,
  live,
  state,
  adoptsAll,
  steps,
  restore,
}: RearrangeInput): Rearranged {
  const before = dropStrays(state);
  const moves = [...(desired.moved ?? []), ...implyMoves(before, desired)];
  const moved = followMoves(before, moves);
  const wanted = mode === 'destroy' ? { resources: [], removed: desired.removed ?? [] } : desired;
  const { kept, forgotten } = forget(moved.state, wanted);
  const returned = bringBack({ state: kept, desired: wanted, live, restore });
  const bound = bindPermanent(returned.state, wanted, live);
  const adopted = adoptResources({ desired: wanted, live, state: bound, adoptsAll, steps });
  const ignored = listIgnored(desired, live, adopted.state, steps);
  const exclusive = takeIntruders({
    ...{ state: adopted.state, desired: wanted, live, ignored: ignored.ids },
    asLive: adopted.asLive,
    forgotten: new Set(forgotten.flatMap(listIdsOf)),
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
      ...[...moved.findings, ...refuseMisplaced(mode, moved, desired, moves)],
      ...[...adopted.findings, ...(mode === 'destroy' ? [] : ignored.findings)],
      ...refuseForgotten(desired, forgotten, exclusive.claimed),
      ...returned.findings,
    ],
  };
}

/** Out of the state, and left in the account: by `removed` with `destroy: false`, and what cannot be destroyed. */
function forget(state: State, { removed = [], resources: wanted }: DesiredGraph) {
  const entries = removed.filter(({ destroy }) => !destroy);
  const isLeft = ({ address, kind }: ManagedResource) =>
    kinds[kind].traits.permanent === true && !wanted.some((one) => one.address === address);
  const isNamed = (address: Address) => entries.some(({ from }) => isAtOrBelow(address, from));
  const all = [...state.resources.values()];
  const forgotten = all.filter((one) => isLeft(one) || isNamed(one.address));
  if (forgotten.length === 0) return { kept: state, forgotten };
  const resources = new Map(state.resources);
  for (const { address } of forgotten) resources.delete(address);
  return { kept: { ...state, resources }, forgotten };
}

/** What is there in every account is managed as soon as it is configured: it is neither created nor adopted. */
function bindPermanent(state: State, desired: DesiredGraph, live: LiveSnapshot): State {
  const wanted = desired.resources.filter(
    ({ address, kind }) => kinds[kind].traits.permanent && !state.resources.has(address),
  );
  const bound = wanted.flatMap(({ address, kind }) => {
    const found = live.resources.find((one) => one.kind === kind);
    return found ? [[address, manage(address, found)] as const] : [];
  });
  if (bound.length === 0) return state;
  return { ...state, resources: new Map([...state.resources, ...bound]) };
}

/**
 * Strays of an earlier plan are managed only for as long as their project is exclusive: each plan finds them anew. A run
 * that was killed right after it had deposed what it replaces left that under both addresses: it still holds its own.
 */
function dropStrays(state: State): State {
  const isHalfDeposed = (address: Address) => {
    const deposed = parseDeposed(address);
    return deposed !== undefined && state.resources.get(deposed.base)?.id === deposed.id;
  };
  const kept = [...state.resources].filter(
    ([address, { id }]) => !isUnconfigured(address, id) && !isHalfDeposed(address),
  );
  return kept.length === state.resources.size ? state : { ...state, resources: new Map(kept) };
}

interface TakeInput extends Pick<RearrangeInput, 'desired' | 'live' | 'state'> {
  readonly ignored: ReadonlySet<string>;
  /** Addresses that keep all that they hold for now. */
  readonly asLive: ReadonlySet<Address>;
  /** The ids of what this very plan gives up. */
  readonly forgotten: ReadonlySet<string>;
}

/**
 * What stands in an exclusive project and is not ours becomes ours to delete, under an address made of its id; `claimed` are
 * the ids of what it would take of that which is given up in the same plan.
 */
function takeIntruders({
  state,
  desired: { exclusive = [] },
  live,
  ignored,
  asLive,
  forgotten,
}: TakeInput) {
  const projects = new Map<string, Address>();
  for (const address of exclusive) {
    const project = asLive.has(address) ? undefined : state.resources.get(address);
    if (project) projects.set(project.id, address);
  }
  const intruders = new Set<Address>();
  const claimed = new Set<string>();
  if (projects.size === 0) return { state, intruders, claimed };
  const resources = new Map(state.resources);
  const ours = new Set([...resources.values()].flatMap(listIdsOf));
  const addressOf = new Map([...resources.values()].map(({ id, address }) => [id, address]));
  for (const one of live.resources) {
    const project = projects.get(one.projectId);
    if (project === undefined || ours.has(one.id) || ignored.has(one.id)) continue;
    if (forgotten.has(one.id)) {
      claimed.add(one.id);
      continue;
    }
    const at = (parent: Address, kind: KindName, id: string) =>
      addressOf.get(id) ?? unconfiguredAddress(parent, kind, id);
    // What it lies in may have no address of its own: it came with something of Hostwright, and stays.
    const holder = holderOf(one.kind);
    const above = holder ? at(project, holder, parentIdOf(one)) : project;
    if (asLive.has(above)) continue;
    const address = at(above, one.kind, one.id);
    resources.set(address, manage(address, one));
    intruders.add(address);
  }
  return { state: { ...state, resources }, intruders, claimed };
}

function manage(address: Address, live: LiveResource): ManagedResource {
  return {
    address,
    kind: live.kind,
    id: live.id,
    ...rememberPlace(live),
    attributes: {},
    configured: [],
  };
}
