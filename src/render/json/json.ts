import type { CheckResult } from '../../model/plan/check-result.ts';
import {
  isEffectivePlan,
  type Change,
  type OutputChange,
  type Plan,
} from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { collectLazyLists, mapLazily, generateJsonLine } from '../../model/text/json-parts.ts';
import type { Value } from '../../model/value.ts';
import { escapeJsonDocument } from '../format/escape.ts';
import { listDeclaredAddresses } from '../view/change-reason.ts';
import { summarizePlan } from '../view/outline.ts';
import {
  describeResourceChange,
  describeResourceDrift,
  describePriorOrPlannedResource,
} from './change-json.ts';
import { describeConfiguration } from './configuration-json.ts';
import { nestResourcesByModule } from './module-tree.ts';
import { describeOutputChanges, listPlanOutputs } from './outputs-json.ts';
import { describeHostwrightPlanMembers } from './plan-extras-json.ts';
import { representedTerraformVersion, sortValueKeys } from './resource-json.ts';

/** Members of a plan's JSON that are not part of the plan itself. */
export interface PlanJsonMetadata {
  /** Version of this program, which the JSON names. */
  readonly version: string;
  /** Time at which the plan was made, in milliseconds since the Unix epoch. */
  readonly plannedAt: number;
  /** Hashes of the plan's inputs (configuration, live, state), by name. */
  readonly fingerprints: Readonly<Record<string, string>>;
  /** Values of the configuration's variables, without sensitive ones. */
  readonly variables?: Readonly<Record<string, Value>>;
  readonly rehearsal?: Rehearsal;
}

/** Document of a plan: Terraform's plan JSON with our own key beside it; `schemas/plan.schema.json` describes each member. */
export type PlanJson = ReturnType<typeof renderPlanJson>;

/** Renders a plan as a plain object for JSON; equal plans give equal objects. Sensitive values are marked and left out. */
export function renderPlanJson(plan: Plan, meta: PlanJsonMetadata) {
  return collectLazyLists(draftPlan(plan, meta));
}

/**
 * Generates the text of a plan's JSON on one line, piece by piece, so that the text of a plan with many thousand
 * changes is never held as a whole. The text is safe to print.
 */
export function* generatePlanJsonText(plan: Plan, meta: PlanJsonMetadata): Generator<string> {
  // Each piece can be escaped alone: no escaped character, and no line that a CI system takes for a command, goes from one
  // piece to the next.
  for (const piece of generateJsonLine(draftPlan(plan, meta))) yield escapeJsonDocument(piece);
}

/** The plan's JSON, with a lazy list wherever there is an entry for each change. */
function draftPlan(plan: Plan, meta: PlanJsonMetadata) {
  const outline = summarizePlan(plan);
  const declared = listDeclaredAddresses(plan);
  const { changes, outputs = [] } = plan;
  const variables = Object.entries(meta.variables ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    format_version: '1.2',
    terraform_version: representedTerraformVersion,
    variables: Object.fromEntries(
      variables.map(([name, value]) => [name, { value: sortValueKeys(value) }]),
    ),
    planned_values: describeValues(outputs, changes, 'planned'),
    resource_drift: mapLazily(plan.drift ?? [], describeResourceDrift),
    resource_changes: mapLazily(changes, (change) => describeResourceChange(change, declared)),
    output_changes: describeOutputChanges(outputs),
    prior_state: {
      format_version: '1.0',
      terraform_version: representedTerraformVersion,
      values: describeValues(outputs, changes, 'prior'),
    },
    configuration: describeConfiguration(changes),
    checks: (plan.checks ?? []).map(describeCheck),
    timestamp: new Date(meta.plannedAt).toISOString(),
    applyable: (isEffectivePlan(plan) || plan.gone.length > 0) && !outline.hasErrors,
    complete: !outline.hasErrors && !plan.isPartial,
    errored: outline.hasErrors,
    hostwright: describeHostwrightPlanMembers(plan, outline, meta),
  };
}

/** One side of a plan; without `outputs` where there are none, as in Terraform. */
function describeValues(
  outputs: readonly OutputChange[],
  changes: readonly Change[],
  side: 'prior' | 'planned',
) {
  const described = listPlanOutputs(outputs, side);
  const there = changes.filter(({ before, after }) => (side === 'prior' ? before : after) !== null);
  return {
    ...(Object.keys(described).length > 0 && { outputs: described }),
    root_module: nestResourcesByModule(there, (change) =>
      describePriorOrPlannedResource(change, side),
    ),
  };
}

/** An entry of `checks` in Terraform's representation: how a check turned out. A check has one instance, itself. */
function describeCheck({ name, status, problems }: CheckResult) {
  const at = name.lastIndexOf('.');
  const own = name.slice(at + 1);
  const module = at < 0 ? {} : { module: name.slice(0, at) };
  const display = `${name.slice(0, at + 1)}checks.${own}`;
  const messages = problems.map((message) => ({ message }));
  return {
    address: { kind: 'check', name: own, ...module, to_display: display },
    status,
    instances: [
      {
        address: { to_display: display, ...module },
        status,
        ...(messages.length > 0 && { problems: messages }),
      },
    ],
  };
}
