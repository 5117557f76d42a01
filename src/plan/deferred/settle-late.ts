import type { Budget } from '../../expressions/evaluate/budget.ts';
import { AddressBook } from '../../expressions/deferred/deferred-reads.ts';
import { makeDeferredScope } from '../../expressions/deferred/deferred-scope.ts';
import type { Address } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { LateOutcome, SettleLate } from '../../model/plan/late.ts';
import type { Action, Change } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { AsideNames } from '../decide/aside-names.ts';
import { commandsOf, type CommandInput } from '../decide/commands.ts';
import { isDeposing } from '../order/create-before-destroy.ts';
import type { Decision } from '../decide/decision.ts';
import { isSameValue, strongestEffect } from '../decide/diff.ts';
import { resolveDeferred } from './resolve-deferred.ts';
import { leaveWaiting } from '../decide/wait-for-rebuild.ts';
import { claimsOf, keepName, knownClaimsOf } from '../order/swaps.ts';

/**
 * Makes what works changes out at their turn, when everything that they read is there. A field that turns out as it is
 * already changes nothing; what nobody but expressions wanted replaced is then not replaced.
 */
export function makeSettleLate(
  decisions: readonly Decision[],
  input: CommandInput,
  names: AsideNames,
  steps?: Budget,
): SettleLate {
  const byAddress = new Map(decisions.map((one) => [one.change.address, one]));
  // Only what is configured can be read: what goes, or stood there before, has no name.
  const readable = decisions.flatMap(({ desired, change }) => (desired ? [change.address] : []));
  const book = new AddressBook(readable);
  const going = decisions.filter(({ change }) => ['delete', 'replace'].includes(change.action));
  // What was to be destroyed and is spared has to let go of whatever goes, and whoever waited for it relies on that.
  const sparing = {
    ...input,
    makingRoom: new Set([...input.makingRoom, ...going.map(({ change }) => change.address)]),
  };
  const holders = new Map<string, Address>();
  for (const one of decisions) {
    for (const claim of knownClaimsOf(one)) holders.set(claim, one.change.address);
  }
  let taken: Set<string> | undefined;
  const findName = (decision: Decision) =>
    names.find(decision, (taken ??= names.listTaken(decisions)));
  return (address, read, isGone): LateOutcome => {
    const decision = byAddress.get(address);
    const { desired } = decision ?? {};
    if (!decision || !desired?.deferred) return { kind: 'unknown', reference: address };
    const scope = makeDeferredScope(readable, read, { steps });
    const resolved = resolveDeferred(desired, scope, book);
    if (resolved.findings.length > 0) return { kind: 'fault', findings: resolved.findings };
    if (resolved.missing !== undefined) return { kind: 'unknown', reference: resolved.missing };
    const fill = (isMadeAgain: boolean): Decision => ({
      ...decision,
      desired: resolved.desired,
      change: fillIn(decision, resolved.desired, isMadeAgain),
    });
    const first = fill(isGone);
    const isSpared = !isGone && isReplaced(decision) && !isReplaced(first);
    const filled = isSpared ? letGo(keepName(first), holders, findName, () => fill(true)) : first;
    const claimed = knownClaimsOf(filled);
    const other = findOther(claimed, holders, address);
    if (other !== undefined) return { kind: 'fault', findings: [describeTaken(filled, other)] };
    for (const claim of claimed) holders.set(claim, address);
    const { change } = filled;
    // What was to be created first is waited for to the end: it lets go in its own turn.
    const spared = isDeposing(decision) ? { ...input, makingRoom: new Set<Address>() } : sparing;
    return { kind: 'known', change, commands: commandsOf(filled, isSpared ? spared : input) };
  };
}

/** Somebody else who will hold one of these. */
function findOther(
  claims: readonly string[],
  holders: ReadonlyMap<string, Address>,
  own: Address,
): Address | undefined {
  return claims.map((claim) => holders.get(claim)).find((one) => (one ?? own) !== own);
}

function isReplaced({ change }: Decision): boolean {
  return change.action === 'replace';
}

/**
 * What was to be replaced and stays lets go beforehand of a name that another one takes: its destruction would have done
 * so. What has no name is replaced after all.
 */
function letGo(
  decision: Decision,
  holders: ReadonlyMap<string, Address>,
  findName: (decision: Decision) => string,
  replaceAnyway: () => Decision,
): Decision {
  const { address } = decision.change;
  const other = findOther(claimsOf(decision, 'before'), holders, address);
  if (other === undefined) return decision;
  if (!('name' in decision.kind.fields)) return replaceAnyway();
  return { ...decision, asideName: findName(decision) };
}

/** The change with its values, and without the fields that come to what stands already. */
function fillIn(
  { change, kind, desired }: Decision,
  resolved: DesiredResource,
  isGone: boolean,
): Change {
  const late = Object.keys(desired?.deferred ?? {});
  const names = change.unknown.filter((name) => late.includes(name));
  const values = Object.fromEntries(names.map((name) => [name, resolved.attributes[name] ?? null]));
  const fields = change.fields.filter(({ name }) => {
    const isSet = kind.fields[name]?.isSet === true;
    return !(name in values) || !isSameValue(change.before?.[name], values[name], isSet);
  });
  const after = { ...change.after, ...values };
  const isKept = isGone || change.action === 'create' || change.reason !== undefined;
  const diff = { before: change.before ?? {}, after, fields };
  const waited = isKept ? { after, fields } : leaveWaiting(kind, diff);
  const action = isGone ? change.action : settleAction(change, waited.fields);
  return {
    ...change,
    ...waited,
    action,
    ...(action !== 'replace' && change.isCreatedFirst && { isCreatedFirst: false }),
    unknown: change.unknown.filter((name) => !late.includes(name)),
  };
}

function settleAction({ action, reason }: Change, fields: Change['fields']): Action {
  if (action === 'create' || (action === 'replace' && reason !== undefined)) return action;
  return strongestEffect(fields) ?? 'no-op';
}

function describeTaken({ change, kind, desired }: Decision, holder: Address): Finding {
  return {
    severity: 'error',
    code: 'taken-on-apply',
    summary: `What the expressions of this ${kind.label} come to is taken by ${holder}`,
    detail: 'Two resources would have one name, or one port.',
    hint: 'Correct one of the two.',
    address: change.address,
    ...(desired && { source: desired.source }),
  };
}
