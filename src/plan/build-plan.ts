// The planner: the desired resources, the live ones and the state become a plan. Pure: the same in, the same out. It must
// never read a clock, ask the service, or decide anything while the plan is applied.
import {
  ReferenceAddressIndex,
  listDeferredReads,
} from '../expressions/deferred/deferred-reads.ts';
import type { ProjectedScope } from '../expressions/deferred/projected-scope.ts';
import { EvaluationBudget } from '../expressions/values/budget.ts';
import { pickRebuiltAttributes } from '../kinds/carry-out.ts';
import type { Catalog, LiveSnapshot } from '../model/account/live.ts';
import type { Backup } from '../model/account/vm-work.ts';
import { compareResourceAddresses, type ResourceAddress } from '../model/address.ts';
import type { PolicyEntry } from '../model/deferred.ts';
import type { DeferredChange } from '../model/plan/deferred-change.ts';
import {
  noPlanOptions,
  type Change,
  type Plan,
  type PlanMode,
  type PlanOptions,
  leavesAttributesUnchanged,
} from '../model/plan/plan.ts';
import type { Task } from '../model/plan/task.ts';
import type { DesiredGraph, DesiredResource } from '../model/resource.ts';
import {
  emptyStateOutputs,
  type ManagedResource,
  type SentCommandOutcome,
  type State,
} from '../model/state/state.ts';
import { indexAccount } from './account-index.ts';
import { TemporaryNameFinder } from './decide/aside-names.ts';
import { decideAllChanges } from './decide/decide-all.ts';
import type { ChangeDecision } from './decide/decision.ts';
import { markSensitiveInState } from './decide/mark-sensitive.ts';
import { addCatalogEntryNames } from './decide/name-offered-entries.ts';
import {
  listDrift,
  listUnrevertedDrift,
  noteUnrevertedDrift,
  rememberReportedDrift,
} from './decide/outside-changes.ts';
import { deferChanges } from './deferred/defer-changes.ts';
import { planOutputChanges } from './deferred/outputs.ts';
import { buildProjectedScope } from './deferred/project-state.ts';
import { resolveTaskProbes } from './deferred/resolve-probes.ts';
import { estimateCommandTimes } from './forecast/expect-spans.ts';
import { findPlanDowntime } from './forecast/find-downtime.ts';
import { listPlanCosts } from './list-costs.ts';
import { orderTasksAroundCycles, type OrderedDecisions } from './order/break-circles.ts';
import { arrangeCreateBeforeDestroy } from './order/create-before-destroy.ts';
import { measurePlanQuotas } from './order/quota-use.ts';
import { scheduleQuota } from './order/schedule-quota.ts';
import { breakNameAndPortSwaps } from './order/swaps.ts';
import { isWholeSelection, keepUnselectedResources, selectDecisions } from './order/targets.ts';
import { followSentCommands, type FollowedSentCommands } from './reconcile/follow-sent.ts';
import { describeForgottenResource } from './reconcile/forgotten.ts';
import { listIgnoredResources } from './reconcile/list-ignored.ts';
import { offerMovedEntries } from './reconcile/offer-moves.ts';
import { rearrangeState, makeUnrearrangedState } from './reconcile/rearrange-state.ts';
import { fillUntoldAttributesFromState } from './reconcile/recall-untold.ts';
import { omitUnderwayCommands } from './reconcile/tell-underway.ts';
import { readKnownExpressionValues } from './values/read-order.ts';

/** Everything that a plan is made from. */
export interface PlanInput {
  readonly mode: PlanMode;
  readonly desired: DesiredGraph;
  readonly live: LiveSnapshot;
  readonly state: State;
  readonly planOptions?: PlanOptions;
  /** Time of the plan, in milliseconds since the Unix epoch, for due dates; without it, nothing is due. */
  readonly plannedAt?: number;
  /**
   * Time up to which retired resources whose end has come are destroyed, in milliseconds since the Unix epoch; `plannedAt` unless
   * given.
   */
  readonly endsBy?: number;
  /**
   * Backups of the resources whose newest backup must not exceed a configured age, by the id of the resource, as far as they
   * could be read; without them no backup is due.
   */
  readonly backups?: ReadonlyMap<string, readonly Backup[]> | undefined;
  /** Set for the sandbox, whose prices are made up. */
  readonly arePricesAssumed?: boolean;
  /** Limit on evaluating expressions; a new one unless given. */
  readonly steps?: EvaluationBudget | undefined;
  /** Outcomes of the commands in `state.sent`, by live id; all unknown unless given. */
  readonly sentOutcomes?: ReadonlyMap<string, SentCommandOutcome>;
  /** The ids of resources that the account may only hide; none unless given. */
  readonly unshownIds?: ReadonlySet<string>;
}

/** A plan, and the state that it starts from: moves, adoptions and forgotten resources are applied to it already. */
export interface BuiltPlan {
  readonly plan: Plan;
  readonly known: State;
  /** The account as it will be after the commands that are under way for us. */
  readonly live: LiveSnapshot;
  /** The expected state after the apply, which conditions read. */
  readonly scope: ProjectedScope;
  /** The configured resources, with the values of their expressions as far as they are known. */
  readonly desired: ReadonlyMap<ResourceAddress, DesiredResource>;
  /** Ids of live resources that `ignoreUnmanaged` names. */
  readonly ignored: ReadonlySet<string>;
}

/** Builds the plan, without the findings of checks: one pass after the other, each on the results of those before it. */
export function buildPlan({
  planOptions = noPlanOptions,
  sentOutcomes = new Map(),
  steps = EvaluationBudget.ofRun(),
  ...given
}: PlanInput): BuiltPlan {
  const { mode, desired, plannedAt: now = Number.NEGATIVE_INFINITY } = given;
  const { selection } = planOptions;
  const sent = followSentCommands(given.state, given.live, { sentOutcomes, now });
  const followed = { ...sent, live: fillUntoldAttributesFromState(sent.live, sent.state) };
  const { live, state } = followed;
  const input = { ...given, ...followed, steps };
  if (mode === 'refresh') return refresh(input);
  const { adoptsAll, restore } = planOptions;
  const rearranged = rearrangeState({ mode, desired, live, state, adoptsAll, steps, restore });
  const { gone, context, ...all } = decideAllChanges(input, rearranged, planOptions);
  const decided = addPolicyReads(all.decided, desired.policies);
  const ordered = orderDecisions(decided, selection, {
    mode,
    desired,
    live,
    state: rearranged.state,
  });
  const { decisions, deferred } = ordered;
  const changes = listChanges(
    decisions,
    isWholeSelection(selection) ? rearranged.forgotten : [],
    live.catalog,
  );
  const { outputs, findings } = planOutputChanges({
    mode,
    isWhole: isWholeSelection(selection),
    entries: desired.outputs ?? [],
    scope: buildProjectedScope(desired, changes, decided, steps),
    before: state.outputs ?? emptyStateOutputs,
  });
  const chosen = new Set(decisions.map(({ change }) => change.address));
  const measured = measurePlanQuotas(decided.values(), chosen, live);
  const scheduled = scheduleQuota(ordered.tasks, decisions, measured, live);
  const scope = buildProjectedScope(desired, changes, decided, steps, live.catalog);
  const probed = resolvePlanProbes(scheduled.tasks, scope, decided, rearranged.state);
  const costs = listPlanCosts({
    decisions: decided.values(),
    chosen,
    catalog: live.catalog,
    isWanted: desired.budget !== undefined,
    isJudged: desired.policies !== undefined,
    isAssumed: given.arePricesAssumed === true,
  });
  const drift = mode === 'destroy' ? [] : listDrift(rearranged.state, context);
  const leftAlone = listUnrevertedDrift({ drift, changes });
  const emptyGroups = mode === 'destroy' ? [] : (desired.emptyGroups ?? []);
  const offers = mode === 'apply' ? offerMovedEntries(changes, desired) : [];
  const plan: Plan = {
    mode,
    changes,
    ...scheduled,
    tasks: probed.tasks,
    ...(!isWholeSelection(selection) && { isPartial: true }),
    findings: [
      ...[followed, rearranged, ordered].flatMap((pass) => pass.findings),
      ...findings,
      ...probed.findings,
      ...decisions.flatMap((decision) => decision.findings ?? []),
      ...offers,
      ...noteUnrevertedDrift(leftAlone, changes),
    ],
    gone: isWholeSelection(selection) ? gone.sort(compareResourceAddresses) : [],
    ...(costs && { costs }),
    ...(outputs.length > 0 && { outputs }),
    ...(drift.length > 0 && { drift }),
    ...(emptyGroups.length > 0 && { emptyGroups }),
    ...(deferred.length > 0 && { deferred }),
  };
  const kept = isWholeSelection(selection)
    ? rearranged.state
    : keepUnselectedResources(rearranged, chosen, state);
  const wanted = listWanted(decided);
  const known = markSensitiveInState(rememberReportedDrift(kept, leftAlone), wanted);
  const downtime = findPlanDowntime({ plan, live, known }, () =>
    estimateCommandTimes(plan.tasks, known),
  );
  return {
    plan: downtime ? { ...plan, downtime } : plan,
    known,
    live,
    desired: wanted,
    ignored: rearranged.ignored,
    scope,
  };
}

/** Probes of the tasks; after a rebuild that is rolled back, they read the attributes from before it. */
function resolvePlanProbes(
  tasks: readonly Task[],
  scope: ProjectedScope,
  decided: ReadonlyMap<ResourceAddress, ChangeDecision>,
  state: State,
): ReturnType<typeof resolveTaskProbes> {
  return resolveTaskProbes(tasks, scope, {
    placeOf: (address) => decided.get(address)?.desired?.source,
    restoredTo(address) {
      const change = decided.get(address)?.change;
      const managed = state.resources.get(address);
      const isAtStake = change?.action === 'rebuild' && change.restoresOnFailure === true;
      return isAtStake && managed ? pickRebuiltAttributes(managed) : undefined;
    },
  });
}

/** Tasks of the selected decisions, in an order in which none blocks another. */
function orderDecisions(
  decided: ReadonlyMap<ResourceAddress, ChangeDecision>,
  selection: PlanOptions['selection'],
  { live, state, mode, desired }: Pick<PlanInput, 'live' | 'state' | 'mode' | 'desired'>,
): OrderedDecisions & { readonly deferred: readonly DeferredChange[] } {
  const names = new TemporaryNameFinder(live, state);
  const unswapped = breakNameAndPortSwaps(names.nameRetired(sortDecisions(decided)), names);
  const selected = selectDecisions(unswapped, selection);
  const arranged = arrangeCreateBeforeDestroy(selected, names);
  const taken = new Set(selected.map(({ change }) => change.address));
  const unselected = isWholeSelection(selection)
    ? []
    : unswapped.filter(({ change }) => !taken.has(change.address));
  const context = { mode, desired, catalog: live.catalog, state, unselected };
  const ordered = orderTasksAroundCycles(arranged.decisions, names, context);
  return {
    ...ordered,
    deferred: deferChanges(ordered.decisions, names),
    findings: [...arranged.findings, ...ordered.findings],
  };
}

function sortDecisions(
  decided: ReadonlyMap<ResourceAddress, ChangeDecision>,
): readonly ChangeDecision[] {
  return [...decided.values()].sort((a, b) =>
    compareResourceAddresses(a.change.address, b.change.address),
  );
}

/** Every change of the plan in address order, with resources that leave the state and stay in the account. */
function listChanges(
  decisions: readonly ChangeDecision[],
  forgotten: readonly ManagedResource[],
  catalog: Catalog,
): readonly Change[] {
  const decided = decisions.map(({ change }) => omitUnderwayCommands(change));
  return [...decided, ...forgotten.map(describeForgottenResource)]
    .sort((a, b) => compareResourceAddresses(a.address, b.address))
    .map((change) => addCatalogEntryNames(change, catalog));
}

/** The configured resources in the form in which they were decided. */
function listWanted(
  decided: ReadonlyMap<ResourceAddress, ChangeDecision>,
): Map<ResourceAddress, DesiredResource> {
  return new Map(
    [...decided].flatMap(([address, { desired }]) =>
      desired ? [[address, desired] as const] : [],
    ),
  );
}

/** Makes a plan that only records the live values in the state. */
function refresh({
  desired,
  steps,
  unshownIds = new Set(),
  ...followed
}: PlanInput & FollowedSentCommands): BuiltPlan {
  const byAddress = new Map(desired.resources.map((one) => [one.address, one]));
  const scope = buildProjectedScope(desired, [], new Map(), steps, followed.live.catalog);
  return {
    ...buildRefreshPlan(followed, byAddress, unshownIds),
    live: followed.live,
    scope,
    desired: byAddress,
    ignored: listIgnoredResources(desired, followed.live, followed.state, steps).ids,
  };
}

/**
 * The decisions with reads of denying policies: where a policy reads a value of another resource that is only known after
 * apply, the judged change comes after that one where possible, so that it is judged before its first request.
 */
function addPolicyReads(
  decided: ReadonlyMap<ResourceAddress, ChangeDecision>,
  policies: readonly PolicyEntry[] = [],
): ReadonlyMap<ResourceAddress, ChangeDecision> {
  const denying = policies.filter(({ severity }) => severity === 'deny');
  if (denying.length === 0) return decided;
  const book = new ReferenceAddressIndex(decided.keys());
  const open = denying.flatMap((policy) => {
    const reads = listDeferredReads(policy.assert, book).flatMap(({ address, attribute = '' }) =>
      decided.get(address)?.change.unknown.includes(attribute) ? [address] : [],
    );
    return reads.length > 0 ? [{ ...policy, reads }] : [];
  });
  if (open.length === 0) return decided;
  const policyReadsOf = ({ change: { address, kind, action } }: ChangeDecision) =>
    open
      .filter(({ for: kindName, prefix }) => kindName === kind && address.startsWith(prefix))
      .flatMap(({ reads }) =>
        leavesAttributesUnchanged({ action }) ? [] : reads.filter((one) => one !== address),
      );
  return new Map(
    [...decided].map(([address, decision]) => {
      const policyReads = policyReadsOf(decision);
      return [address, policyReads.length > 0 ? { ...decision, policyReads } : decision];
    }),
  );
}

/**
 * A plan that changes nothing in the account, and records the live values in the state (`--refresh-only`). The record of a
 * resource that may only be hidden stays as it is.
 */
function buildRefreshPlan(
  { live, state: given, underway, removed }: FollowedSentCommands,
  desired: ReadonlyMap<ResourceAddress, DesiredResource>,
  unshownIds: ReadonlySet<string>,
): { plan: Plan; known: State } {
  const rearranged = makeUnrearrangedState(given);
  const { state } = rearranged;
  const index = indexAccount(live, state, rearranged.forgotten);
  const { catalog } = live;
  const context = {
    index,
    catalog,
    rearranged,
    configured: desired,
    underway,
    removed,
    ...readKnownExpressionValues(new Map(), () => undefined),
    decided: new Map(),
    changing: new Set<string>(),
    replaced: new Set<string>(),
    released: new Set<string>(),
    retiring: { isDestroy: false, blocks: new Map(), dropped: [] },
  };
  // A VM that is gone may have left its public IP: only the VM's entry says that this is managed.
  const drift = listDrift(state, context).filter(
    ({ address, id, after }) =>
      after !== null || (index.leftPublicIp(address) === undefined && !unshownIds.has(id)),
  );
  const gone = drift.filter(({ after }) => after === null).map(({ address }) => address);
  const plan: Plan = {
    mode: 'refresh',
    changes: [],
    tasks: [],
    findings: [],
    quotas: [],
    drift,
    gone,
  };
  return { plan, known: rememberReportedDrift(state, drift) };
}
