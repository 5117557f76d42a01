import type { EvaluationBudget } from '../expressions/values/budget.ts';
import type { OtherWorkspaceProject } from '../model/account/owned-project.ts';
import type { ReservedQuota } from '../model/account/reserved-quota.ts';
import { noPlanOptions, type PlanMode, type PlanOptions } from '../model/plan/plan.ts';
import type { DesiredGraph } from '../model/resource.ts';

/**
 * Everything that is asked of a plan. The plan keeps this object, and whoever carries it out or makes a second plan uses the same
 * one, so that both plans answer the same question. For the same reason no member can be left out.
 */
export interface PlanParameters {
  readonly mode: PlanMode;
  readonly desired: DesiredGraph;
  /** The budget that is left for the expressions of the run; undefined for one of its own. */
  readonly steps: EvaluationBudget | undefined;
  readonly planOptions: PlanOptions;
  /** An apply of the plan may run the commands that the configuration names. */
  readonly allowsCommands: boolean;
  /** Permission for an apply of the plan to ask the probes of rollouts. */
  readonly allowsProbes: boolean;
  /** Reservations of other workspaces, by quota of the account. */
  readonly reservedQuotas: readonly ReservedQuota[];
  /** Projects of the account that other workspaces manage. */
  readonly ownedProjects: readonly OtherWorkspaceProject[];
}

/** Makes the input of a plan without any flag. Its expressions have a budget of their own unless given. */
export function makeDefaultPlanParameters(
  mode: PlanMode,
  desired: DesiredGraph,
  steps?: EvaluationBudget,
): PlanParameters {
  return {
    mode,
    desired,
    steps,
    planOptions: noPlanOptions,
    allowsCommands: false,
    allowsProbes: false,
    reservedQuotas: [],
    ownedProjects: [],
  };
}
