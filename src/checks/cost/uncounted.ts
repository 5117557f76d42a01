import { kindRegistry } from '../../kinds/registry.ts';
import type { PlanCosts } from '../../model/cost/plan-costs.ts';
import type { PolicyEntry } from '../../model/deferred.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { kindNames } from '../../model/kind-places.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';

/** The resources that are sold and whose price no tariff tells, in words: `2 public IPs`; undefined without any. */
function describeUncounted({ unpriced = {} }: PlanCosts): string | undefined {
  const counts = kindNames.flatMap((kind) => {
    const count = unpriced[kind];
    return count === undefined ? [] : [formatCountWithNoun(kindRegistry[kind].label, count)];
  });
  return counts.length > 0 ? counts.join(' and ') : undefined;
}

/** Findings on costs that a limit was not compared with: a plan that keeps it may still cost more. */
export function findUnpricedResources(
  { costs }: Pick<Plan, 'costs'>,
  { title, severity, source }: Pick<PolicyEntry, 'severity' | 'source'> & { title: string },
): Finding[] {
  const uncounted = costs && describeUncounted(costs);
  if (uncounted === undefined) return [];
  return [
    {
      severity: severity === 'deny' ? 'warning' : 'note',
      code: 'cost-incomplete',
      summary: `${title} leaves out ${uncounted}`,
      detail: 'No tariff gives their price, so that the plan may cost more than it was judged by.',
      hint: 'Set the limit lower by what they cost.',
      source,
    },
  ];
}

/** Tells whether a policy reads the cost of the whole plan. */
export function readsPlanCost({ assert }: Pick<PolicyEntry, 'assert'>): boolean {
  return (
    assert.kind === 'expression' &&
    assert.references.some((one) => one === 'plan' || /^plan\.cost(?![^.[])/.test(one))
  );
}
