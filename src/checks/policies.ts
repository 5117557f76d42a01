import { completeAttributes, listAttributes } from '../kinds/attribute-names.ts';
import { nameEntries } from '../kinds/entry-names.ts';
import { kinds } from '../kinds/registry.ts';
import { NameTree, type ScopeValue } from '../expressions/evaluate/scope.ts';
import type { ProjectedScope } from '../expressions/deferred/projected-scope.ts';
import type { Catalog } from '../model/account/live.ts';
import type { PolicyEntry } from '../model/deferred.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Change } from '../model/plan/plan.ts';
import type { Attributes } from '../model/value.ts';
import type { Check } from './check.ts';
import { nameCosts, type CostNames } from './cost/cost-names.ts';
import { evaluateVerdict, looksBelow, writeCondition } from './evaluate-condition.ts';

const costName = 'cost';

/** What a policy reads of a change. A side that there is none of is null. */
function namesOf(
  change: Change,
  scope: ProjectedScope,
  costs: CostNames,
  catalog: Catalog,
): Readonly<Record<string, ScopeValue>> {
  const { kind, action, address, before, after, unknown, sensitive } = change;
  const names = listAttributes(kind);
  const side = (label: 'before' | 'after', values: Attributes | null, later: readonly string[]) => {
    if (!values) return null;
    const all = completeAttributes(kind, nameEntries(kind, values, catalog));
    const tree = scope.name(label, { names, values: all, unknown: later, sensitive });
    return withCost(tree, costs.ofSide(change, label));
  };
  return {
    plan: costs.plan,
    before: side('before', before, []),
    after: action === 'forget' ? null : side('after', after, unknown),
    ...{ action, address, kind },
  };
}

/** A side with what it costs beside its attributes. */
function withCost(tree: NameTree, cost: ScopeValue | undefined): NameTree {
  if (cost === undefined) return tree;
  return new NameTree(
    tree.label,
    () => [...tree.keys(), costName],
    (key) => (key === costName ? cost : tree.get(key)),
  );
}

function describe(policy: PolicyEntry, { address, kind, action }: Change) {
  const { source, name } = policy;
  const what = `the ${action} of this ${kinds[kind].label}`;
  return { about: { address, source }, title: `Policy ${name}`, what };
}

/** Judges one change by one policy; undefined where there is nothing to say. */
function evaluatePolicy(
  policy: PolicyEntry,
  change: Change,
  scope: ProjectedScope,
  costs: CostNames,
  catalog: Catalog,
): Finding | undefined {
  const names = namesOf(change, scope, costs, catalog);
  const verdict = evaluateVerdict(policy, scope, names);
  const { about, title, what } = describe(policy, change);
  const severity = policy.severity === 'deny' ? 'error' : 'warning';
  const condition = `\`${writeCondition(policy)}\``;
  switch (verdict.kind) {
    case 'holds':
      return undefined;
    case 'fails':
      return {
        ...{ ...about, severity, code: 'policy-violated' },
        summary: `${title}: ${verdict.message ?? `${condition} does not hold`}`,
        detail: `The condition ${condition} does not hold for ${what}.`,
      };
    case 'unknown':
      return {
        ...{ ...about, severity: 'note', code: 'policy-undecided' },
        summary: `${title} cannot be judged before apply`,
        detail: `The condition ${condition} reads \`${verdict.reference}\`, which is known after apply.`,
      };
    case 'broken': {
      const missing = ['before', 'after'].filter((name) => names[name] === null);
      if (looksBelow(policy, scope, names, missing)) return undefined;
      return {
        ...{ ...about, severity, code: 'policy-broken' },
        summary: `${title} cannot be judged`,
        detail: `The condition ${condition} has no value for ${what}: ${verdict.why}`,
        ...(verdict.hint !== undefined && { hint: verdict.hint }),
      };
    }
  }
}

/**
 * Judges every change that is not a no-op by the policies of the configuration. A policy of a module sees what stands
 * in that module. A condition that looks below `after` says nothing about a deletion, and one that looks below
 * `before` nothing about a create, unless it decides without it.
 */
export const checkPolicies: Check = ({ plan, policies = [], scope, live }) => {
  if (!scope || policies.length === 0) return [];
  const costs = nameCosts(plan);
  return policies.flatMap((policy) =>
    plan.changes
      .filter(
        ({ kind, action, address }) =>
          kind === policy.for && action !== 'no-op' && address.startsWith(policy.prefix),
      )
      .flatMap((change) => evaluatePolicy(policy, change, scope, costs, live.catalog) ?? []),
  );
};
