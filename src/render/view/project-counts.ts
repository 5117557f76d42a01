import type { ResourceAddress } from '../../model/address.ts';
import {
  addEffectCounts,
  countEffects,
  listEffects,
  type EffectCounts,
} from '../../model/effects.ts';
import { groupBy } from '../../model/group-by.ts';
import type { Change } from '../../model/plan/plan.ts';
import { kindNames } from '../../model/kind-places.ts';
import type { KindName } from '../../model/kind-places.ts';
import { groupCostsByProject, type PlanCosts } from '../../model/cost/plan-costs.ts';
import {
  addCostChanges,
  listResourceCostChanges,
  listCurrencies,
  type CostChange,
} from './plan-cost.ts';
import { findShownAction } from './symbols.ts';

/** Effects of a plan within one project. */
export interface ProjectEffectCounts extends EffectCounts {
  readonly project: ResourceAddress;
  /** Number of changes by kind; kinds without changes are left out. */
  readonly kinds: readonly { readonly kind: KindName; readonly count: number }[];
  /** Change of the project's cost, by currency; empty where no price is known. */
  readonly costs: readonly CostChange[];
}

/** Counts changes by project, in the order in which projects first appear; no-ops count nothing. */
export function countChangesByProject(
  changes: readonly Change[],
  planCosts?: PlanCosts,
): ProjectEffectCounts[] {
  const groups = groupBy(
    changes.filter((change) => findShownAction(change) !== 'no-op'),
    ({ project }) => project,
  );
  const currencies = listCurrencies(planCosts);
  const costs = groupCostsByProject(planCosts?.resources ?? []);
  return [...groups].map(([project, group]) => ({
    ...countGroup(project, group),
    costs: listResourceCostChanges(costs.get(project) ?? [], currencies),
  }));
}

/** Adds up the counts of several projects into one row. */
export function addProjectCounts(
  rows: readonly ProjectEffectCounts[],
  label: string,
): ProjectEffectCounts {
  const sum = (pick: (row: ProjectEffectCounts) => number) =>
    rows.reduce((total, row) => total + pick(row), 0);
  const kinds = kindNames.map((kind) => ({
    kind,
    count: sum((row) => row.kinds.find((entry) => entry.kind === kind)?.count ?? 0),
  }));
  return {
    project: label,
    ...addEffectCounts(rows),
    kinds: kinds.filter((entry) => entry.count > 0),
    costs: addCostChanges(rows.map(({ costs }) => costs)),
  };
}

function countGroup(
  project: ResourceAddress,
  group: readonly Change[],
): Omit<ProjectEffectCounts, 'costs'> {
  const kinds = kindNames.map((kind) => ({
    kind,
    count: group.filter((change) => change.kind === kind).length,
  }));
  return {
    project,
    ...countEffects(group.map(listEffects)),
    kinds: kinds.filter((entry) => entry.count > 0),
  };
}
