import { completeAttributes, listAttributes } from '../../kinds/attribute-names.ts';
import { NameTree, Unknown, type ScopeValue } from '../../expressions/values/scope.ts';
import { listPolicyOutages } from '../../checks/downtime/downtime-names.ts';
import { replaceEntryIdsByNames } from '../../kinds/entry-names.ts';
import type { Catalog } from '../../model/account/live.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { countChanges } from '../../model/effects.ts';
import {
  isEffectivePlan,
  isEffectiveChange,
  type Change,
  type Drift,
  type OutputChange,
  type Plan,
} from '../../model/plan/plan.ts';
import type { Attributes } from '../../model/value.ts';
import { listTerraformActions } from '../../render/json/change-json.ts';

/** Called when an assertion reads a sensitive value. */
export type OnSensitiveRead = () => void;

/** Describes a plan for assertions, with the keys of the plan's JSON. */
export function viewTestPlan(plan: Plan, catalog: Catalog, onSensitive: OnSensitiveRead): NameTree {
  const changes = plan.changes.filter(isEffectiveChange);
  return NameTree.of('plan', {
    isEmpty: !isEffectivePlan(plan),
    changes: changes.map((change) => viewChange(change, catalog, onSensitive)),
    actions: Object.fromEntries(plan.changes.map(({ address, action }) => [address, action])),
    counts: countChanges(plan.changes),
    drift: (plan.drift ?? []).map((drift) => viewDrift(drift, catalog, onSensitive)),
    downtime: NameTree.of('plan.downtime', Object.fromEntries(listPolicyOutages(plan))),
    findings: plan.findings.map(viewDiagnostic),
    outputs: viewTestedOutputs('plan.outputs', plan.outputs ?? []),
    quotas: Object.fromEntries(
      plan.quotas.map(({ name, limit, used, after, peak }) => [name, { limit, used, after, peak }]),
    ),
  });
}

function viewChange(change: Change, catalog: Catalog, onSensitive: OnSensitiveRead): NameTree {
  const { address, kind, action, reason, id, before, after, unknown, fields, losses } = change;
  const view = (side: string, values: Attributes | null, later: readonly string[]) =>
    values &&
    viewSide(side, change, replaceEntryIdsByNames(kind, values, catalog), later, onSensitive);
  return NameTree.of(`${action} ${address}`, {
    address,
    kind,
    action,
    actions: listTerraformActions(change),
    reason: reason ?? null,
    id: id ?? (action === 'create' ? new Unknown('id') : null),
    before: view('before', before, []),
    after: view('after', after, unknown),
    afterUnknown: unknown,
    fields: fields.map(({ name }) => name),
    losses,
    previousAddress: change.movedFrom ?? null,
    isImported: change.isImported === true,
    isProtected: change.isProtected === true,
  });
}

/** The attributes of a change on one side; those that the service assigns are unknown. */
function viewSide(
  label: string,
  { kind, sensitive }: Pick<Change, 'kind' | 'sensitive'>,
  given: Attributes,
  unknown: readonly string[],
  onSensitive: OnSensitiveRead,
): NameTree {
  const names = listAttributes(kind);
  const values = completeAttributes(kind, given);
  return new NameTree(
    label,
    () => names,
    (name) => {
      if (!names.includes(name)) return undefined;
      if (sensitive.includes(name)) onSensitive();
      return unknown.includes(name) ? new Unknown(`${label}.${name}`) : (values[name] ?? null);
    },
  );
}

function viewDrift(drift: Drift, catalog: Catalog, onSensitive: OnSensitiveRead): NameTree {
  const { address, kind, before, after, names } = drift;
  const view = (side: string, values: Attributes) =>
    viewSide(side, drift, replaceEntryIdsByNames(kind, values, catalog), [], onSensitive);
  return NameTree.of(`drift of ${address}`, {
    address,
    kind,
    fields: names,
    before: view('before', before),
    after: after && view('after', after),
  });
}

/**
 * Describes outputs for assertions, by name, with the values that they have once the plan is applied. A sensitive output is an
 * unknown value.
 */
export function viewTestedOutputs(label: string, outputs: readonly OutputChange[]): NameTree {
  const kept = outputs.filter(({ action }) => action !== 'delete');
  return NameTree.of(
    label,
    Object.fromEntries(
      kept.map(({ name, after, isUnknown, isSensitive }): [string, ScopeValue] => [
        name,
        isUnknown || isSensitive ? new Unknown(`${label}.${name}`) : after,
      ]),
    ),
  );
}

/** A diagnostic as assertions read it. */
export function viewDiagnostic(diagnostic: Diagnostic): NameTree {
  const { severity, code, summary, detail, hint, address } = diagnostic;
  return NameTree.of(`${severity} ${code}${address === undefined ? '' : ` at ${address}`}`, {
    severity,
    code,
    summary,
    detail: detail ?? '',
    hint: hint ?? '',
    address: address ?? null,
  });
}
