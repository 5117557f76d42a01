// Replacements that are made before the old resource is destroyed: `createBeforeDestroy`, and the resources that it affects.
import type { ResourceAddress } from '../../model/address.ts';
import { foldNameForComparison } from '../../model/text/fold-name.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Task } from '../../model/plan/task.ts';
import { readAttributeText, type Attributes } from '../../model/value.ts';
import { parseKnownAddress } from '../account-index.ts';
import { foldDecisionNames, type TemporaryNameFinder } from '../decide/aside-names.ts';
import { listWantedReferences } from '../decide/commands.ts';
import type { ChangeDecision } from '../decide/decision.ts';
import { listNameAndPortClaims } from '../decide/decision-claims.ts';
import { describeResourceBeforeChange } from '../decide/held.ts';
import { omitTemporaryName } from './swaps.ts';

/** Decisions with all impossible uses of `createBeforeDestroy` taken out. */
export interface ArrangedDecisions {
  readonly decisions: readonly ChangeDecision[];
  readonly findings: readonly Finding[];
}

/** Tells whether a replaced resource stays, under an address of its own, until the new one exists. */
export function isDeposingReplacement({
  change,
  kind,
}: Pick<ChangeDecision, 'change' | 'kind'>): boolean {
  return change.isCreatedFirst === true && !kind.traits.credential;
}

/**
 * Applies `createBeforeDestroy` also to replaced resources that such a replacement needs; renames the old one where both
 * would have one name; and refuses it where both would hold something else that only one can have.
 */
export function arrangeCreateBeforeDestroy(
  decisions: readonly ChangeDecision[],
  names: TemporaryNameFinder,
): ArrangedDecisions {
  if (!decisions.some(isDeposingReplacement)) return { decisions, findings: [] };
  const findings: Finding[] = [];
  const possible = decisions.map((one) => {
    const shared = isDeposingReplacement(one) ? findShared(one) : undefined;
    if (shared === undefined) return one;
    findings.push(describeShared(one, shared));
    return destroyFirst(one);
  });
  const spread = spreadCreateBeforeDestroy(possible);
  const wanted = new Set(
    spread.flatMap((one) => listNameAndPortClaims(foldDecisionNames(one), 'after')),
  );
  const taken = names.listTaken(spread);
  return {
    decisions: spread.map((one) =>
      isDeposingReplacement(one) && isNameWanted(one, wanted)
        ? { ...one, asideName: names.find(one, taken) }
        : one,
    ),
    findings,
  };
}

/**
 * Refuses `createBeforeDestroy` for resources that wait for themselves in a circle of tasks, and destroys them first;
 * undefined when there are none.
 */
export function refuseCircularCreateBeforeDestroy(
  decisions: readonly ChangeDecision[],
  circular: readonly Task[],
): ArrangedDecisions | undefined {
  const tasks = new Map(circular.map((task) => [task.id, task]));
  const stuck = new Map(
    decisions.filter(isDeposingReplacement).flatMap((one) => {
      const path = findCircle(`${one.change.address}#destroy`, tasks);
      return path ? [[one, path] as const] : [];
    }),
  );
  if (stuck.size === 0) return undefined;
  return {
    decisions: decisions.map((one) => (stuck.has(one) ? destroyFirst(one) : one)),
    findings: [...stuck].map(([one, path]) => describeCircle(one, path)),
  };
}

/** Tells whether its replacement or another resource will have its name, or may: the new name is not known yet. */
function isNameWanted(decision: ChangeDecision, wanted: ReadonlySet<string>): boolean {
  const { change, kind, held } = decision;
  if (change.unknown.includes('name')) return true;
  const claimsAs = (name: string) =>
    kind.claims(describeResourceBeforeChange(decision, { ...held, name }));
  const others = new Set(claimsAs(''));
  return claimsAs(foldNameForComparison(readAttributeText(held ?? {}, 'name'))).some(
    (claim) => wanted.has(claim) && !others.has(claim),
  );
}

function destroyFirst(decision: ChangeDecision): ChangeDecision {
  return omitTemporaryName({ ...decision, change: { ...decision.change, isCreatedFirst: false } });
}

/** The attribute by which the old and the new resource would hold the same, other than their name. */
function findShared(decision: ChangeDecision): string | undefined {
  const { change, kind } = decision;
  const claimsWith = (attributes: Attributes) =>
    kind.claims({ ...change, attributes: { ...attributes, name: '' } });
  const after = change.after ?? {};
  const before = new Set(
    kind.claims(describeResourceBeforeChange(decision, { ...change.before, name: '' })),
  );
  const nameless = new Set(claimsWith({}));
  const shared = claimsWith(after).find((claim) => before.has(claim) && !nameless.has(claim));
  if (shared === undefined) return undefined;
  const without = (name: string) =>
    Object.fromEntries(Object.entries(after).filter(([other]) => other !== name));
  return Object.keys(after).find((name) => !claimsWith(without(name)).includes(shared));
}

/** Marks replaced resources that one created first needs: they cannot be gone by then. */
function spreadCreateBeforeDestroy(
  decisions: readonly ChangeDecision[],
): readonly ChangeDecision[] {
  const byAddress = new Map(decisions.map((one) => [one.change.address, one]));
  const reached = new Set(decisions.filter(isDeposingReplacement));
  for (const one of reached) {
    const { project, address } = one.change;
    for (const needed of [
      project,
      parseKnownAddress(address).parent,
      ...listWantedReferences(one),
    ]) {
      const other = needed === undefined ? undefined : byAddress.get(needed);
      if (other && other !== one && isMovable(other)) reached.add(other);
    }
  }
  return decisions.map((one) =>
    reached.has(one) ? { ...one, change: { ...one.change, isCreatedFirst: true } } : one,
  );
}

function isMovable({ change: { action, reason } }: ChangeDecision): boolean {
  return action === 'replace' && reason !== 'creation-failed' && reason !== 'being-deleted';
}

/** The addresses by way of which a task waits for itself; undefined when it does not. */
function findCircle(
  start: string,
  tasks: ReadonlyMap<string, Task>,
): readonly ResourceAddress[] | undefined {
  const cameFrom = new Map<string, string>();
  const waitsOf = (id: string) => (tasks.get(id)?.dependsOn ?? []).map(({ on }) => on);
  for (const next of waitsOf(start)) cameFrom.set(next, start);
  for (const id of cameFrom.keys()) {
    if (id === start) break;
    for (const next of waitsOf(id)) if (!cameFrom.has(next)) cameFrom.set(next, id);
  }
  if (!cameFrom.has(start)) return undefined;
  const path = new Set<ResourceAddress>();
  for (let at = cameFrom.get(start); at !== undefined && at !== start; at = cameFrom.get(at)) {
    path.add(at.replace(/#[a-z]+$/, ''));
  }
  return [...path].reverse();
}

function refuse(
  { change, desired, kind }: ChangeDecision,
  detail: string,
  field?: string,
): Finding {
  const { address } = change;
  const source = desired?.attributeSources[field ?? ''] ?? change.source;
  return {
    severity: 'error',
    code: 'cannot-create-first',
    summary: `The replacement of this ${kind.label} cannot be created before the old one is destroyed`,
    detail,
    hint: 'Set createBeforeDestroy: false, or make the changes one after the other in two applies.',
    address,
    ...(source && { source }),
  };
}

function describeShared(decision: ChangeDecision, field: string): Finding {
  const value = readAttributeText(decision.change.after ?? {}, field);
  return refuse(
    decision,
    `Both would have the same ${field} (${value}), and only one ${decision.kind.label} can hold it at a time.`,
    field,
  );
}

function describeCircle(decision: ChangeDecision, path: readonly ResourceAddress[]): Finding {
  const others = path.filter((address) => address !== decision.change.address);
  return refuse(
    decision,
    `It would wait for ${others.join(', ')}, which must run after the old one is destroyed.`,
  );
}
