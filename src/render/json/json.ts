import { isEffective } from '../../model/plan/plan.ts';
import type { OutputChange, Plan } from '../../model/plan/plan.ts';
import type { Value } from '../../model/value.ts';
import { describeChange, describeDrift } from './change-json.ts';
import type { ChangeJson, ResourceChangeJson } from './change-json.ts';
import { listDeclared } from '../view/change-reason.ts';
import { describeCheck } from './checks-json.ts';
import { describeConfiguration } from './configuration-json.ts';
import { describeOutputChanges, listOutputs } from './outputs-json.ts';
import { describePlan } from './plan-extras-json.ts';
import { representedTerraform, type ResourceValuesJson } from './resource-json.ts';
import { viewPlan } from '../view/view.ts';

/** What a plan's JSON says that the plan does not know. */
export interface PlanMeta {
  /** Hostwright's version. */
  readonly version: string;
  /** When the plan was made; milliseconds since the Unix epoch. */
  readonly plannedAt: number;
  /** What the plan was made from, e.g. hashes of configuration, live and state, by name. */
  readonly fingerprints: Readonly<Record<string, string>>;
  /** Values of the configuration's variables, without sensitive ones. */
  readonly variables?: Readonly<Record<string, Value>>;
}

/** Terraform's plan representation with our own key beside it; `schemas/plan.schema.json` is its shape. */
export interface PlanJson {
  readonly format_version: '1.2';
  readonly terraform_version: string;
  readonly resource_changes: readonly ResourceChangeJson[];
  readonly applyable: boolean;
  readonly complete: boolean;
  readonly errored: boolean;
  readonly hostwright: ReturnType<typeof describePlan>;
  readonly [key: string]: unknown;
}

/** A plan for machines: a plain object, the same for the same plan. Sensitive values are marked and left out. */
export function renderPlanJson(plan: Plan, meta: PlanMeta): PlanJson {
  const view = viewPlan(plan);
  const declared = listDeclared(plan);
  const changes = plan.changes.map((change) => describeChange(change, declared));
  const { outputs = [] } = plan;
  const variables = Object.entries(meta.variables ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    format_version: '1.2',
    terraform_version: representedTerraform,
    variables: Object.fromEntries(variables.map(([name, value]) => [name, { value }])),
    planned_values: describeValues(outputs, changes, 'planned'),
    resource_drift: (plan.drift ?? []).map(describeDrift),
    resource_changes: changes.map((change) => change.resourceChange),
    output_changes: describeOutputChanges(outputs),
    prior_state: {
      format_version: '1.0',
      terraform_version: representedTerraform,
      values: describeValues(outputs, changes, 'prior'),
    },
    configuration: describeConfiguration(plan.changes),
    checks: (plan.checks ?? []).map(describeCheck),
    timestamp: new Date(meta.plannedAt).toISOString(),
    applyable: (isEffective(plan) || plan.gone.length > 0) && !view.hasErrors,
    complete: !view.hasErrors && !plan.isPartial,
    errored: view.hasErrors,
    hostwright: describePlan(plan, view, meta),
  };
}

/** One side of a plan; without `outputs` where there are none, as in Terraform. */
function describeValues(
  outputs: readonly OutputChange[],
  changes: readonly ChangeJson[],
  side: 'prior' | 'planned',
): object {
  const described = listOutputs(outputs, side);
  const resources: readonly ResourceValuesJson[] = changes.flatMap((change) => change[side] ?? []);
  return {
    ...(Object.keys(described).length > 0 && { outputs: described }),
    root_module: { resources },
  };
}
