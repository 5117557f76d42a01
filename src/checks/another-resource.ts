import { kindRegistry } from '../kinds/registry.ts';
import type { Finding } from '../model/diagnostic.ts';
import { locateFinding } from '../model/place-of.ts';
import type { Drift } from '../model/plan/plan.ts';
import { isEqual, type Attributes, type Value } from '../model/value.ts';
import type { PlanCheck, PlanCheckInput } from './check.ts';
import { formatCatalogEntryValue } from './name-value.ts';

/**
 * Refuses a plan in which the live resource with the id of a managed one shares nothing with that. After a restore from a backup,
 * or where a service reuses ids, it may be somebody else's: it is not changed, replaced or destroyed.
 */
export const refuseReusedIds: PlanCheck = (input) => {
  const changes = new Map(input.plan.changes.map((change) => [change.address, change]));
  return listChangedOutside(input).flatMap((drift) => {
    const { untold = [], asRecorded = [] } = changes.get(drift.address) ?? {};
    const facts = kindRegistry[drift.kind].traits.identifiedBy ?? [];
    const told = facts.filter((name) => !untold.includes(name) && !asRecorded.includes(name));
    const sharesNothing = told.length > 1 && told.every((name) => drift.names.includes(name));
    return drift.after && sharesNothing ? [describeOther(drift, told, input)] : [];
  });
};

/** Changes by somebody else; a plan that destroys everything tells of none, so they are compared here. */
function listChangedOutside({ plan, state }: PlanCheckInput): readonly Drift[] {
  if (plan.mode !== 'destroy') return plan.drift ?? [];
  return plan.changes.flatMap((change) => {
    const { address, kind, project, id, before: after, sensitive, movedFrom } = change;
    const { attributes: before } = state.resources.get(movedFrom ?? address) ?? {};
    if (!before || !after || id === null) return [];
    const facts = kindRegistry[kind].traits.identifiedBy ?? [];
    const names = facts.filter((name) => isOther(before[name], after[name]));
    return [{ address, kind, project, id, before, after, names, sensitive }];
  });
}

/** Tells whether a value is another one; a value that either side does not tell counts as equal. */
function isOther(before: Value | undefined, after: Value | undefined): boolean {
  return before !== undefined && after !== undefined && !isEqual(before, after);
}

function describeOther(drift: Drift, names: readonly string[], input: PlanCheckInput): Finding {
  const { address, kind, id, before, after } = drift;
  const say = (name: string, attributes: Attributes | null) =>
    formatCatalogEntryValue(drift, name, attributes?.[name] ?? null, input);
  const differences = names.map(
    (name) => `its ${name} is ${say(name, after)}, and was ${say(name, before)}`,
  );
  return {
    severity: 'error',
    code: 'another-resource',
    summary: `The ${kindRegistry[kind].label} ${id} shares nothing with the one that was made at ${address}`,
    detail: `In the account ${differences.join('; ')}. It may be somebody else's, so nothing is done to it.`,
    hint: `If it is another one: hostwright state rm '${address}', and plan again. If it is this one after all, do that, and take it over with imports: [{ to: '${address}', id: '${id}', as: live }].`,
    address,
    ...locateFinding(input.desired.get(address)),
  };
}
