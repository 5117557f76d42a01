import { baseAddressOf, isAtOrBelow, type Address } from '../../model/address.ts';
import { parseKnown } from '../account-index.ts';
import { wantedReferences } from '../decide/commands.ts';
import { addToGroup, groupBy } from '../../model/group-by.ts';
import { leavesAsItIs, type Selection } from '../../model/plan/plan.ts';
import type { State } from '../../model/state/state.ts';
import type { Rearranged } from '../reconcile/rearrange-state.ts';
import { isDeposing } from './create-before-destroy.ts';
import type { Decision } from '../decide/decision.ts';
import { claimsOf, indexHolders } from '../decide/decision-claims.ts';

/** Tells whether a selection leaves nothing out. */
export function isWholeSelection({ targets, excludes, onlyDue }: Selection): boolean {
  return targets.length === 0 && excludes.length === 0 && onlyDue === undefined;
}

/** The decisions that a selection names, with all decisions that they need. A moved resource is found by both addresses. */
export function selectDecisions(
  decisions: readonly Decision[],
  { targets, excludes, onlyDue }: Selection,
): readonly Decision[] {
  if (onlyDue) return decisions.filter(({ change }) => change.action === 'due');
  if (targets.length === 0 && excludes.length === 0) return decisions;
  const needs = findNeeds(decisions);
  const listNamed = (names: readonly Address[]) =>
    decisions.flatMap(({ change: { address, movedFrom = address } }) => {
      const isNamed = names.some((one) => isAtOrBelow(address, one) || isAtOrBelow(movedFrom, one));
      return isNamed ? [address] : [];
    });
  let kept = targets.length === 0 ? new Set(needs.keys()) : reach(listNamed(targets), needs);
  if (excludes.length > 0) {
    const neededBy = turnRound(needs);
    const dropped = reach(listNamed(excludes), neededBy);
    kept = new Set([...kept].filter((one) => !dropped.has(one)));
  }
  // Retirements that have ended are carried out whatever is selected.
  return decisions.filter(({ change }) => kept.has(change.address) || change.action === 'expire');
}

/**
 * Needs of each change: the resources that it refers to, those that release a name for it, those that drop their references
 * to it.
 */
function findNeeds(decisions: readonly Decision[]): Map<Address, Set<Address>> {
  const holders = indexHolders(decisions);
  const groups = groupBy(decisions, ({ change }) => baseAddressOf(change.address));
  const isDecided = new Set(decisions.map(({ change }) => change.address));
  const find = (mention: Address) =>
    isDecided.has(mention)
      ? [mention]
      : (groups.get(mention) ?? []).map(({ change }) => change.address);
  const needs = new Map(decisions.map((one) => [one.change.address, needsOf(one, holders, find)]));
  const going = new Map(decisions.filter(isGoing).map((one) => [one.change.address, one.kind]));
  const deposing = new Set(decisions.filter(isDeposing).map(({ change }) => change.address));
  for (const one of decisions) {
    if (leavesAsItIs(one.change)) continue;
    const { address } = one.change;
    const places = [...above(address), ...above(one.standsAt ?? address)];
    for (const held of [...(one.heldReferences ?? []), ...places]) {
      // Some kinds also wait for resources that only drop their reference; SSH keys and VMs may be deleted while others refer
      // to them.
      const isAwaited =
        going.get(held)?.traits.inUse?.isByReferences ||
        deposing.has(held) ||
        (going.has(held) && isGoing(one));
      if (isAwaited) needs.get(held)?.add(address);
    }
  }
  return needs;
}

function needsOf(
  decision: Decision,
  holders: ReadonlyMap<string, Decision>,
  find: (mention: Address) => readonly Address[],
): Set<Address> {
  const { address, action, isImported } = decision.change;
  // A resource is adopted together with its container.
  if (leavesAsItIs({ action })) return new Set(isImported ? above(address) : []);
  if (action === 'delete') return new Set();
  const letGo = claimsOf(decision, 'after').flatMap((claim) => holders.get(claim) ?? []);
  return new Set([
    ...wantedReferences(decision),
    ...above(address),
    ...(decision.reads ?? []),
    ...(decision.desired?.mentions ?? []).flatMap(find),
    ...letGo.map(({ change }) => change.address),
  ]);
}

function isGoing({ change }: Decision): boolean {
  return change.action === 'delete' || change.action === 'replace';
}

function above(address: Address): Address[] {
  const parent = parseKnown(address).parent;
  return parent === undefined ? [] : [parent];
}

/** Every address that can be reached from some addresses, themselves included. */
function reach(
  from: readonly Address[],
  edges: ReadonlyMap<Address, Iterable<Address>>,
): Set<Address> {
  const reached = new Set(from);
  for (const address of reached) for (const next of edges.get(address) ?? []) reached.add(next);
  return reached;
}

function turnRound(edges: ReadonlyMap<Address, Iterable<Address>>): Map<Address, Address[]> {
  const turned = new Map<Address, Address[]>();
  for (const [from, targets] of edges) for (const to of targets) addToGroup(turned, to, from);
  return turned;
}

/** A plan of a part forgets and adopts nothing beside that part: it does only what it shows. */
export function keepUnselected(
  { state, forgotten, imported }: Rearranged,
  chosen: ReadonlySet<Address>,
  before: State,
): State {
  const resources = new Map(state.resources);
  for (const address of imported) {
    if (chosen.has(address)) continue;
    // The resource may replace one that is gone: that is not shown either.
    const had = before.resources.get(address);
    if (had) resources.set(address, had);
    else resources.delete(address);
  }
  for (const one of forgotten) resources.set(one.address, one);
  return { ...state, resources };
}
