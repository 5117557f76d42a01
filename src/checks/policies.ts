import { completeAttributes, listAttributes } from '../kinds/attribute-names.ts';
import { replaceEntryIdsByNames } from '../kinds/entry-names.ts';
import { kindRegistry } from '../kinds/registry.ts';
import { NameTree, type ScopeValue } from '../expressions/values/scope.ts';
import type { ProjectedScope } from '../expressions/deferred/projected-scope.ts';
import type { Catalog } from '../model/account/live.ts';
import { isAtOrBelowAddress, parseResourceAddress } from '../model/address.ts';
import type { PolicyEntry } from '../model/deferred.ts';
import type { Finding } from '../model/diagnostic.ts';
import { countChanges } from '../model/effects.ts';
import {
  isEffectiveChange,
  leavesAttributesUnchanged,
  type Change,
  type Plan,
} from '../model/plan/plan.ts';
import { formatCountWithNoun } from '../model/text/count-noun.ts';
import type { ProjectedResource } from '../model/state/projected-state.ts';
import type { Attributes } from '../model/value.ts';
import type { PlanCheck, PlanCheckInput, ReadKnownResourceValues } from './check.ts';
import { listPolicyCosts, type PolicyCostValues } from './cost/cost-names.ts';
import { findUnpricedResources, readsPlanCost } from './cost/uncounted.ts';
import { buildDowntimeNames, type PolicyDowntimeInput } from './downtime/downtime-names.ts';
import {
  evaluateConfiguredCondition,
  isChangeSideMissing,
  formatCondition,
} from './evaluate-condition.ts';
import { createKnownBeforeRequestTest, type IsKnownBeforeRequest } from './known-in-time.ts';

const costName = 'cost';

/** The names that every policy reads about the plan's changes. */
interface ChangeContext {
  readonly scope: ProjectedScope;
  readonly costs: PolicyCostValues;
  readonly catalog: Catalog;
}

/** The context in which policies are evaluated: before an apply, or during one. */
interface PolicyContext extends ChangeContext {
  /** Values of the plan as a whole, which every policy reads. */
  readonly plan: NameTree;
  /** Time of the plan, in milliseconds since the Unix epoch; without it, no exemption holds. */
  readonly plannedAt: number | undefined;
  /** Tells which values are known before the change; undefined during an apply, when unknown values are known too late. */
  readonly isKnownInTime?: IsKnownBeforeRequest;
}

/** Names that a policy reads: the plan, and the change that it is about. */
function namesOf(change: Change, context: PolicyContext): Readonly<Record<string, ScopeValue>> {
  return { plan: context.plan, ...nameChange(change, context) };
}

/** A change by its names, those of its sides below `prefix`. A side that there is none of is null. */
function nameChange(
  change: Change,
  { scope, costs, catalog }: ChangeContext,
  prefix = '',
): Readonly<Record<string, ScopeValue>> {
  const { kind, action, address, before, after, unknown, sensitive } = change;
  const names = listAttributes(kind);
  const side = (name: 'before' | 'after', values: Attributes | null, later: readonly string[]) => {
    if (!values) return null;
    const all = completeAttributes(kind, replaceEntryIdsByNames(kind, values, catalog));
    const label = prefix + name;
    const tree = scope.name(label, { names, values: all, unknown: later, sensitive });
    return withCost(tree, costs.ofSide(change, name));
  };
  return {
    before: side('before', before, []),
    after: action === 'forget' ? null : side('after', after, unknown),
    action,
    address,
    kind,
    isImported: change.isImported === true,
  };
}

/** The name `plan` of policies: costs, and changes and downtime once a policy reads them. */
function namePlan(input: PolicyDowntimeInput & { plan: Plan }, context: ChangeContext): NameTree {
  const { changes } = input.plan;
  const told = changes.filter(isEffectiveChange);
  let trees: readonly NameTree[] | undefined;
  const nameAll = () =>
    told.map((change, index) => {
      const names = nameChange(change, context, `plan.changes[${index}].`);
      return NameTree.of(`${change.action} ${change.address}`, names);
    });
  const values: Readonly<Record<string, () => ScopeValue | undefined>> = {
    cost: () => context.costs.plan.get('cost'),
    changes: () => (trees ??= nameAll()),
    counts: () => countChanges(changes),
    downtime: () => buildDowntimeNames(input),
  };
  return new NameTree(
    'plan',
    () => Object.keys(values),
    (key) => (Object.hasOwn(values, key) ? values[key]?.() : undefined),
  );
}

/** Adds the cost of a resource to its attributes, on one side of a change. */
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
  // A `no-op` comes here only for a resource that is imported: policies judge no other unchanged one.
  const what = `the ${action === 'no-op' ? 'import' : action} of this ${kindRegistry[kind].label}`;
  return { about: { address, source }, title: `Policy ${name}`, what };
}

/** Who has to say yes to the plan, as a sentence behind others; empty for a policy that denies or warns. */
function sayAsked({ approvals }: PolicyEntry): string {
  if (approvals === undefined) return '';
  const all = formatCountWithNoun('approval', approvals);
  return ` The policy asks for ${all}: a server waits for them, and the command line only warns.`;
}

const duringApply = 'It was judged before any request for it went out.';
const duringApplyHint = 'Correct the configuration, or have the policy changed, and apply again.';

/** Judges one change by one policy; undefined where there is nothing to say. An exemption makes a note of what it would say. */
function evaluatePolicy(
  policy: PolicyEntry,
  change: Change,
  context: PolicyContext,
): Finding | undefined {
  const finding = judgePolicy(policy, change, context);
  const { exemptions = [] } = policy;
  if (!finding || exemptions.length === 0) return finding;
  const found = exemptions.filter(({ addresses }) =>
    addresses.some((one) => isAtOrBelowAddress(change.address, one)),
  );
  const [longest] = found.toSorted((a, b) => (a.until < b.until ? 1 : -1));
  if (!longest) return finding;
  const { name, until, reason } = longest;
  const text = (last: string) =>
    [finding.detail, last].filter((one) => one !== undefined).join(' ');
  const today = new Date(context.plannedAt ?? Number.POSITIVE_INFINITY);
  if (Number.isNaN(today.valueOf()) || until < today.toISOString().slice(0, 10))
    return { ...finding, detail: text(`The exemption ${name} ended with ${until}.`) };
  const { address, source, summary } = finding;
  return {
    ...(address !== undefined && { address }),
    ...(source && { source }),
    severity: 'note',
    code: 'policy-exempted',
    summary: `${summary} (exempted until ${until})`,
    detail: text(`The exemption ${name} holds for it: ${reason}`),
  };
}

function judgePolicy(
  policy: PolicyEntry,
  change: Change,
  context: PolicyContext,
): Finding | undefined {
  const { scope, isKnownInTime } = context;
  const names = namesOf(change, context);
  const verdict = evaluateConfiguredCondition(policy, scope, names);
  const { about, title, what } = describe(policy, change);
  const { approvals } = policy;
  // A policy whose values are known only during the apply comes too late for approvals: people approve the plan.
  const isLate = approvals !== undefined && !isKnownInTime;
  const severity = policy.severity === 'deny' || isLate ? 'error' : 'warning';
  const asked = approvals !== undefined && {
    approvals: { needed: approvals, policy: policy.name },
  };
  const condition = `\`${formatCondition(policy)}\``;
  switch (verdict.kind) {
    case 'holds':
      return undefined;
    case 'fails': {
      const detail = `The condition ${condition} does not hold for ${what}.${sayAsked(policy)}`;
      return {
        ...about,
        ...asked,
        severity,
        code: 'policy-violated',
        summary: `${title}: ${verdict.message ?? `${condition} does not hold`}`,
        ...(isKnownInTime
          ? { detail }
          : { detail: `${detail} ${duringApply}`, hint: duringApplyHint }),
      };
    }
    case 'unknown': {
      const { reference } = verdict;
      const reads = `The condition ${condition} reads \`${reference}\``;
      const isInTime = isKnownInTime?.(policy, change, reference) === true;
      return { ...about, ...asked, ...explainUndecided(policy, { title, what, reads, isInTime }) };
    }
    case 'broken': {
      const missing = ['before', 'after'].filter((name) => names[name] === null);
      if (isChangeSideMissing(policy, scope, names, missing)) return undefined;
      return {
        ...about,
        ...asked,
        severity,
        code: 'policy-broken',
        summary: `${title} cannot be judged`,
        detail: `The condition ${condition} has no value for ${what}: ${verdict.why}${sayAsked(policy)}`,
        ...(verdict.hint !== undefined && { hint: verdict.hint }),
      };
    }
  }
}

/** A policy that reads an unknown value is evaluated during the apply. Where even that is too late, only a warning may pass. */
function explainUndecided(
  policy: PolicyEntry,
  {
    title,
    what,
    reads,
    isInTime,
  }: Record<'title' | 'what' | 'reads', string> & { isInTime: boolean },
): Finding {
  const code = 'policy-undecided';
  const { severity, approvals } = policy;
  if (approvals !== undefined) {
    const detail = `${reads}, which is not known yet.${sayAsked(policy)}`;
    return { severity: 'warning', code, summary: `${title} cannot be judged before apply`, detail };
  }
  if (isInTime) {
    const end = severity === 'deny' ? `${what} fails before its first request` : 'the apply warns';
    const detail = `${reads}, which is known by then. Where it does not hold, ${end}.`;
    return { severity: 'note', code, summary: `${title} is judged during the apply`, detail };
  }
  const detail = `${reads}, which is not known before the first request for ${what} goes out.`;
  if (severity === 'warn') {
    return { severity: 'note', code, summary: `${title} cannot be judged before apply`, detail };
  }
  return {
    severity: 'error',
    code,
    summary: `${title} cannot be judged in time`,
    detail,
    hint: 'Have the condition decide without that value, use `checks` for the result, or set `severity: warn`.',
  };
}

/**
 * Judges every import, and every change that is not a no-op, by the policies of the configuration. A policy of a module sees what stands
 * in that module. A condition that looks below `after` says nothing about a deletion, and one that looks below
 * `before` nothing about a create, unless it decides without it.
 */
export const checkPolicies: PlanCheck = (input) => {
  const { plan, policies = [], scope, live, plannedAt } = input;
  if (!scope || policies.length === 0) return [];
  const costs = listPolicyCosts(plan, live.catalog);
  const names = { scope, costs, catalog: live.catalog };
  const context = {
    ...names,
    plan: namePlan(input, names),
    plannedAt,
    isKnownInTime: createKnownBeforeRequestTest(plan),
  };
  return policies.flatMap((policy) => {
    const judged = plan.changes.filter((change) => isSubjectTo(change, policy));
    const isOfCost = judged.length > 0 && readsPlanCost(policy);
    return [
      ...judged.flatMap((change) => evaluatePolicy(policy, change, context) ?? []),
      ...(isOfCost
        ? findUnpricedResources(plan, { title: `Policy ${policy.name}`, ...policy })
        : []),
    ];
  });
};

function isSubjectTo(change: Change, policy: PolicyEntry): boolean {
  const { kind, action, address, isImported } = change;
  const isJudged = !leavesAttributesUnchanged({ action }) || isImported === true;
  return kind === policy.for && isJudged && address.startsWith(policy.prefix);
}

/**
 * Judges a change right before its first request by what the plan could not tell. It may be the planned one with its
 * deferred values filled in: then it may have become another, which is judged anew.
 */
export function evaluatePoliciesDuringApply(
  input: PlanCheckInput,
  readNow: ReadKnownResourceValues,
): (change: Change) => readonly Finding[] {
  const { plan, policies = [], scope, live, plannedAt } = input;
  if (!scope || policies.length === 0) return () => [];
  const { catalog } = live;
  const names = { scope, costs: listPolicyCosts(plan, catalog), catalog };
  const before = { ...names, plan: namePlan(input, names), plannedAt };
  const now = { ...before, scope: scope.asOf((one) => readAgain(one, readNow, catalog)) };
  const byAddress = new Map(plan.changes.map((change) => [change.address, change]));
  const wasDecided = (policy: PolicyEntry, change: Change) => {
    const planned = byAddress.get(change.address);
    if (!planned || !isSubjectTo(planned, policy)) return false;
    const { kind } = evaluateConfiguredCondition(policy, scope, namesOf(planned, before));
    // A policy that the plan has already reported is not reported again during the apply.
    if (kind === 'holds') return planned === change;
    // A policy with approvals has asked for them in the plan already.
    return kind !== 'unknown' || policy.approvals !== undefined;
  };
  return (change) =>
    policies
      .filter((policy) => isSubjectTo(change, policy) && !wasDecided(policy, change))
      .flatMap((policy) => evaluatePolicy(policy, change, now) ?? []);
}

/** A resource of the plan with every attribute that is known by now. */
function readAgain(
  planned: ProjectedResource,
  readNow: ReadKnownResourceValues,
  catalog: Catalog,
): ProjectedResource {
  const found = planned.unknown.length > 0 ? readNow(planned.address) : undefined;
  const kind = parseResourceAddress(planned.address)?.kind;
  if (!found || !kind) return planned;
  return {
    ...planned,
    ...found,
    values: completeAttributes(kind, replaceEntryIdsByNames(kind, found.values, catalog)),
  };
}
