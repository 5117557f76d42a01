import {
  removeInstanceKey,
  isAtOrBelowAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { parseKnownAddress } from '../account-index.ts';
import { listWantedReferences } from '../decide/commands.ts';
import { addToGroup, groupBy } from '../../model/group-by.ts';
import { leavesAttributesUnchanged, type PlanTargetSelection } from '../../model/plan/plan.ts';
import type { State } from '../../model/state/state.ts';
import type { RearrangedState } from '../reconcile/rearrange-state.ts';
import { isDeposingReplacement } from './create-before-destroy.ts';
import type { ChangeDecision } from '../decide/decision.ts';
import { listNameAndPortClaims, indexClaimHolders } from '../decide/decision-claims.ts';

/** Tells whether a selection leaves nothing out. */
export function isWholeSelection({ targets, excludes, onlyDue }: PlanTargetSelection): boolean {
  return targets.length === 0 && excludes.length === 0 && onlyDue === undefined;
}

/** The decisions that a selection names, with all decisions that they need. A moved resource is found by both addresses. */
export function selectDecisions(
  decisions: readonly ChangeDecision[],
  { targets, excludes, onlyDue }: PlanTargetSelection,
): readonly ChangeDecision[] {
  if (onlyDue) return decisions.filter(({ change }) => change.action === 'due');
  if (targets.length === 0 && excludes.length === 0) return decisions;
  const needs = findNeeds(decisions);
  const listNamed = (names: readonly ResourceAddress[]) =>
    decisions.flatMap(({ change: { address, movedFrom = address } }) => {
      const isNamed = names.some(
        (one) => isAtOrBelowAddress(address, one) || isAtOrBelowAddress(movedFrom, one),
      );
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
function findNeeds(
  decisions: readonly ChangeDecision[],
): Map<ResourceAddress, Set<ResourceAddress>> {
  const holders = indexClaimHolders(decisions);
  const groups = groupBy(decisions, ({ change }) => removeInstanceKey(change.address));
  const isDecided = new Set(decisions.map(({ change }) => change.address));
  const find = (mention: ResourceAddress) =>
    isDecided.has(mention)
      ? [mention]
      : (groups.get(mention) ?? []).map(({ change }) => change.address);
  const needs = new Map(decisions.map((one) => [one.change.address, needsOf(one, holders, find)]));
  const going = new Map(decisions.filter(isGoing).map((one) => [one.change.address, one.kind]));
  const deposing = new Set(
    decisions.filter(isDeposingReplacement).map(({ change }) => change.address),
  );
  for (const one of decisions) {
    if (leavesAttributesUnchanged(one.change)) continue;
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
  decision: ChangeDecision,
  holders: ReadonlyMap<string, ChangeDecision>,
  find: (mention: ResourceAddress) => readonly ResourceAddress[],
): Set<ResourceAddress> {
  const { address, action, isImported } = decision.change;
  // A resource is adopted together with its container.
  if (leavesAttributesUnchanged({ action })) return new Set(isImported ? above(address) : []);
  if (action === 'delete') return new Set();
  const letGo = listNameAndPortClaims(decision, 'after').flatMap(
    (claim) => holders.get(claim) ?? [],
  );
  return new Set([
    ...listWantedReferences(decision),
    ...above(address),
    ...(decision.reads ?? []),
    ...(decision.desired?.mentions ?? []).flatMap(find),
    ...letGo.map(({ change }) => change.address),
  ]);
}

function isGoing({ change }: ChangeDecision): boolean {
  return change.action === 'delete' || change.action === 'replace';
}

function above(address: ResourceAddress): ResourceAddress[] {
  const parent = parseKnownAddress(address).parent;
  return parent === undefined ? [] : [parent];
}

/** Every address that can be reached from some addresses, themselves included. */
function reach(
  from: readonly ResourceAddress[],
  edges: ReadonlyMap<ResourceAddress, Iterable<ResourceAddress>>,
): Set<ResourceAddress> {
  const reached = new Set(from);
  for (const address of reached) for (const next of edges.get(address) ?? []) reached.add(next);
  return reached;
}

function turnRound(
  edges: ReadonlyMap<ResourceAddress, Iterable<ResourceAddress>>,
): Map<ResourceAddress, ResourceAddress[]> {
  const turned = new Map<ResourceAddress, ResourceAddress[]>();
  for (const [from, targets] of edges) for (const to of targets) addToGroup(turned, to, from);
  return turned;
}

/** A plan of a part forgets and adopts nothing beside that part: it does only what it shows. */
export function keepUnselectedResources(
  { state, forgotten, imported }: RearrangedState,
  chosen: ReadonlySet<ResourceAddress>,
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
