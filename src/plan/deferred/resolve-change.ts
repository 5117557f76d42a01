// Resolution of deferred values, which a plan leaves open until the values that its expressions read are known. Pure: a
// change and the values known by now come in, the resolved change goes out.
import { ReferenceAddressIndex } from '../../expressions/deferred/deferred-reads.ts';
import { makeDeferredScope } from '../../expressions/deferred/deferred-scope.ts';
import type { EvaluationBudget } from '../../expressions/values/budget.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { isSameFieldValue } from '../../kinds/spelling.ts';
import type { Command } from '../../model/account/command.ts';
import type { Catalog, LiveResource } from '../../model/account/live.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { KnownResource } from '../../model/deferred.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { DeferredChange } from '../../model/plan/deferred-change.ts';
import type { Action, Change } from '../../model/plan/plan.ts';
import type { TaskPhase } from '../../model/plan/task.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { listAttributesDerivedFrom } from '../decide/afterwards.ts';
import { listDecisionCommands } from '../decide/commands.ts';
import type { ChangeDecision } from '../decide/decision.ts';
import { findStrongestEffect } from '../decide/diff.ts';
import { leaveFieldsAsLive } from '../decide/wait-for-rebuild.ts';
import { isDeposingReplacement } from '../order/create-before-destroy.ts';
import { listNameAndPortClaims } from '../decide/decision-claims.ts';
import { omitTemporaryName } from '../order/swaps.ts';
import { listPlannedClaims } from './claims.ts';
import { resolveDeferredFields } from '../values/resolve-fields.ts';

/** Values that are known at the moment when a change is resolved. */
export interface ValuesKnownNow {
  /** Addresses that expressions can read: the configured resources of the plan. */
  readonly addresses: Iterable<ResourceAddress>;
  readonly read: (address: ResourceAddress) => KnownResource | undefined;
  /** The holder of each name or port, by claim: as planned, and as resolved so far. */
  readonly claims: ReadonlyMap<string, ResourceAddress>;
  readonly catalog: Catalog;
  /** Live resources as they were read for the plan, by id. */
  readonly live: ReadonlyMap<string, LiveResource>;
  /** Set where the resource to be replaced is destroyed already, so that it is created again whatever its values are. */
  readonly isGone: boolean;
  /** Limit on evaluating expressions; none unless given. */
  readonly steps?: EvaluationBudget;
}

/** A change after all of its unknown values have become known. */
export interface ResolvedChange {
  readonly kind: 'known';
  readonly change: Change;
  /** Commands by phase; the task of the plan destroys the resource, whatever its values are. */
  readonly commands: ReadonlyMap<TaskPhase, readonly Command[]>;
  /** Claims of the resource: no later resolved resource may have them. */
  readonly claims: readonly string[];
}

/** Result of resolving a change with the values known so far. */
export type DeferredChangeResolution =
  | ResolvedChange
  /** The change reads a value that does not exist yet. */
  | { readonly kind: 'unknown'; readonly reference: string }
  /** The change cannot be carried out, for reasons in findings with their places. */
  | { readonly kind: 'fault'; readonly findings: readonly Finding[] };

/**
 * Resolves a change at its turn, when every value that it reads exists. A field that turns out as it is already changes
 * nothing; a replacement that only such expressions asked for is then not made.
 */
export function resolveDeferredChange(
  change: Change,
  deferred: DeferredChange,
  { addresses, read, claims: taken, catalog, live, isGone, steps }: ValuesKnownNow,
): DeferredChangeResolution {
  const { address } = change;
  const scope = makeDeferredScope(addresses, read, { steps });
  // Reads come in dependency order here, and sensitive reads were noted by the plan.
  const resolved = resolveDeferredFields(deferred.desired, scope, new ReferenceAddressIndex([]));
  if (resolved.findings.length > 0) return { kind: 'fault', findings: resolved.findings };
  if (resolved.missing !== undefined) return { kind: 'unknown', reference: resolved.missing };
  const planned: ChangeDecision = {
    ...deferred,
    change,
    kind: kindRegistry[change.kind],
    live: live.get(change.id ?? ''),
    deposed: (deferred.deposed ?? []).flatMap((id) => live.get(id) ?? []),
    heldReferences: [...deferred.destroyedFirst, ...deferred.going],
  };
  const fill = (isMadeAgain: boolean): ChangeDecision => ({
    ...planned,
    desired: resolved.desired,
    change: fillIn(planned, deferred.fields, resolved.desired, { catalog, isGone: isMadeAgain }),
  });
  const first = fill(isGone);
  const isSpared = !isGone && isReplaced(planned) && !isReplaced(first);
  const filled = isSpared
    ? letGo(omitTemporaryName(first), taken, deferred.spareName, () => fill(true))
    : first;
  const claims = listPlannedClaims(filled.change);
  const other = findOther(claims, taken, address);
  if (other !== undefined) return { kind: 'fault', findings: [describeTaken(filled, other)] };
  const destroyedFirst = listLetGo(planned, deferred, isSpared);
  const commands = new Map(
    listDecisionCommands(filled, { catalog, state: { resources: new Map() }, destroyedFirst }),
  );
  commands.delete('destroy');
  return { kind: 'known', change: filled.change, commands, claims };
}

/** Claims that the resource must release before it changes: those who waited for its destruction rely on that. */
function listLetGo(
  planned: ChangeDecision,
  { destroyedFirst, going }: DeferredChange,
  isSpared: boolean,
): ReadonlySet<ResourceAddress> {
  if (!isSpared) return new Set(destroyedFirst);
  // A resource that was to be created first is waited for to the end: it releases its claims in its own turn.
  return new Set(isDeposingReplacement(planned) ? [] : going);
}

/** Finds another resource that will hold the same name or port. */
function findOther(
  claims: readonly string[],
  taken: ReadonlyMap<string, ResourceAddress>,
  own: ResourceAddress,
): ResourceAddress | undefined {
  return claims.map((claim) => taken.get(claim)).find((one) => (one ?? own) !== own);
}

function isReplaced({ change }: ChangeDecision): boolean {
  return change.action === 'replace';
}

/**
 * A resource that was to be replaced and stays must release a name that another one takes, since its destruction would have
 * done so. A resource without a name is replaced after all.
 */
function letGo(
  decision: ChangeDecision,
  taken: ReadonlyMap<string, ResourceAddress>,
  spareName: string | undefined,
  replaceAnyway: () => ChangeDecision,
): ChangeDecision {
  const { address } = decision.change;
  if (findOther(listNameAndPortClaims(decision, 'before'), taken, address) === undefined)
    return decision;
  return spareName === undefined ? replaceAnyway() : { ...decision, asideName: spareName };
}

/** The change with its values, and without the fields that turned out as they are. */
function fillIn(
  { change, kind }: ChangeDecision,
  names: readonly string[],
  resolved: DesiredResource,
  { catalog, isGone }: Pick<ValuesKnownNow, 'catalog' | 'isGone'>,
): Change {
  const values = Object.fromEntries(names.map((name) => [name, resolved.attributes[name] ?? null]));
  const derived = kind.derive(resolved.attributes, catalog);
  const settled = listAttributesDerivedFrom(kind, names).filter((name) => name in derived);
  const fields = change.fields.filter(
    ({ name }) =>
      !(name in values) || !isSameFieldValue(kind.name, name, change.before?.[name], values[name]),
  );
  const following = Object.fromEntries(settled.map((name) => [name, derived[name] ?? null]));
  const after = { ...change.after, ...values, ...following };
  const isKept = isGone || change.action === 'create' || change.reason !== undefined;
  const diff = { before: change.before ?? {}, after, fields };
  const waited = isKept ? { after, fields } : leaveFieldsAsLive(kind, resolved, diff);
  const action = isGone ? change.action : resolveAction(change, waited.fields);
  return {
    ...change,
    ...waited,
    action,
    ...(action !== 'replace' && change.isCreatedFirst && { isCreatedFirst: false }),
    unknown: change.unknown.filter((name) => !names.includes(name) && !settled.includes(name)),
  };
}

function resolveAction({ action, reason }: Change, fields: Change['fields']): Action {
  if (action === 'create' || (action === 'replace' && reason !== undefined)) return action;
  return findStrongestEffect(fields) ?? 'no-op';
}

function describeTaken(
  { change, kind, desired }: ChangeDecision,
  holder: ResourceAddress,
): Finding {
  return {
    severity: 'error',
    code: 'taken-on-apply',
    summary: `A value of this ${kind.label}'s expressions is already taken by ${holder}`,
    detail: 'Two resources would have one name, or one port.',
    hint: 'Correct one of the two.',
    address: change.address,
    ...(desired && { source: desired.source }),
  };
}
