import { AddressBook } from '../expressions/deferred-reads.ts';
import { makeDeferredScope } from '../expressions/deferred-scope.ts';
import type { Address } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { LateOutcome, SettleLate } from '../model/late.ts';
import type { Action, Change } from '../model/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import { commandsOf, type CommandInput } from './commands.ts';
import type { Decision } from './decision.ts';
import { isSameValue, strongestEffect } from './diff.ts';
import { resolveDeferred } from './resolve-deferred.ts';
import { knownClaimsOf } from './swaps.ts';

/**
 * Makes what works changes out at their turn, when everything that they read is there. A field that turns out as it is
 * already changes nothing; what nobody but expressions wanted replaced is then not replaced.
 */
export function makeSettleLate(decisions: readonly Decision[], input: CommandInput): SettleLate {
  const byAddress = new Map(decisions.map((one) => [one.change.address, one]));
  const book = new AddressBook(byAddress.keys());
  const holders = new Map<string, Address>();
  for (const one of decisions) {
    for (const claim of knownClaimsOf(one)) holders.set(claim, one.change.address);
  }
  return (address, read): LateOutcome => {
    const decision = byAddress.get(address);
    const { desired } = decision ?? {};
    if (!decision || !desired?.deferred) return { kind: 'unknown', reference: address };
    const scope = makeDeferredScope(byAddress.keys(), read);
    const resolved = resolveDeferred(desired, scope, book);
    if (resolved.findings.length > 0) return { kind: 'fault', findings: resolved.findings };
    if (resolved.missing !== undefined) return { kind: 'unknown', reference: resolved.missing };
    const change = fillIn(decision, resolved.desired);
    const filled = { ...decision, desired: resolved.desired, change };
    const claimed = knownClaimsOf(filled);
    const taken = claimed
      .map((claim) => holders.get(claim))
      .find((one) => (one ?? address) !== address);
    if (taken !== undefined) return { kind: 'fault', findings: [describeTaken(filled, taken)] };
    for (const claim of claimed) holders.set(claim, address);
    return { kind: 'known', change, commands: commandsOf(filled, input) };
  };
}

/** The change with its values, and without the fields that come to what stands already. */
function fillIn({ change, kind, desired }: Decision, resolved: DesiredResource): Change {
  const late = Object.keys(desired?.deferred ?? {});
  const names = change.unknown.filter((name) => late.includes(name));
  const values = Object.fromEntries(names.map((name) => [name, resolved.attributes[name] ?? null]));
  const fields = change.fields.filter(({ name }) => {
    const isSet = kind.fields[name]?.isSet === true;
    return !(name in values) || !isSameValue(change.before?.[name], values[name], isSet);
  });
  return {
    ...change,
    action: settleAction(change, fields),
    after: { ...change.after, ...values },
    unknown: change.unknown.filter((name) => !late.includes(name)),
    fields,
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
